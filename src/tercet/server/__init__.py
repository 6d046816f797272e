"""The campaign server: parse, call `tercet.campaigns`, render. FastAPI, served by uvicorn.

    writer.py   one thread, one transaction for all that waits; replies go out when it is on disk
    rights.py   sessions, CSRF, rate limits, headers
    app.py      the routes below
    dashboard.py    the organiser's page
    publish.py  `publish`: a finished campaign as a folder of files
    serve.py    `serve`
    robots.py   `simulate`: annotators over HTTP

For annotators, by the cookie that a link is exchanged for:

    GET  /a/TOKEN           a link: sets the cookie (HttpOnly), then leads to /annotate
    GET  /annotate          the page; it gets everything else by what follows
    GET  /api/protocol      ?language=de -> {"protocol", "csrf", "annotator", "progress"}
    GET  /api/items         ?n=3 -> {"items": [ITEM, ...], "progress"}: the next items, held for this annotator; asking
                            again gives the same ones until they are answered. None are left where items is empty.
    POST /api/answers       {"answers": [ANSWER, ...]} -> {"receipts": [RECEIPT, ...], "progress"}
    POST /api/undo          {"key": PROGRESS["undo"]} -> {"item": ITEM, "progress"}: that answer is taken back, once
                            however often it is asked for; ITEM["answer"] is what it was
    GET  /api/progress      -> PROGRESS
    GET  /media/ID          a file of the campaign's folder

Every POST carries the header X-CSRF-Token with the csrf of /api/protocol (or of /api/session for the organiser).

    protocol   name, fields (see `tercet.campaigns.protocol.Field`), shows, outputs, rules, texts in the language that
               was asked for (title, question, instructions, labels by name of field, choice, severity and mark
               "score_33"), languages that there are
    ITEM       {"id", "key", "tutorial": bool, "source": text or null, "reference": text or null,
                "outputs": [{"text"}],
                "context": null or {"before": [{"source": text or null, "outputs": [text, ...]}], "after": [...]},
                "media": [{"id", "type", "element"}],
                "languages": {"source", "target"}, "directions": {"source", "target"},
                "place": {"number", "of"} in its batch, "answer": what was answered before, or is there to begin with}
               What is null is not shown. Directions are ltr, rtl or auto.
    ANSWER     {"key": ITEM["key"], "answer": {"outputs": [{field: value}], field: value},
                "seconds": time on the item, "keystrokes": number (post-editing), "time": seconds since 1970}
               `tercet.campaigns.protocol` says what values look like.
    RECEIPT    {"key", "receipt": number, "repeated": bool, "feedback": null or {"passed": bool, "text"}}
               or {"key", "error", "hint"} where the answer cannot be stored; the others of the list are, nevertheless.
               The same key again gives the first receipt, whatever is sent with it.
    PROGRESS   {"done", "of", "paused", "closed", "excluded", "tutorial": still in it, "undo": key of the last
                answer, or null}

For organiser, viewer and auditor, by name and password:

    GET  /login, /dashboard            pages
    POST /api/login                    {"name", "password"} -> {"role", "csrf"}; sets the cookie
    POST /api/logout
    GET  /api/session                  -> {"name", "role", "csrf"}
    GET  /api/dashboard                -> see `tercet.campaigns.overview`
    POST /api/decisions                {"action": pause|resume|close|exclude|reopen, "annotator", "reason"} (organiser)
    POST /api/people                   {"names": [...], "role"} -> {"secrets": {name: SECRET}}, shown once (organiser):
                                       links "/a/TOKEN" of the role annotator, passwords of others
    GET  /api/audit                    ?after=SEQ -> {"events": [...]} (organiser, auditor)
    GET  /api/export                   ?form=records -> a file (organiser, auditor)

Errors are {"error", "hint"}: 401 who are you, 403 not you, 404, 409 things have changed meanwhile, 413 too large,
422 not usable, 429 too often.
"""

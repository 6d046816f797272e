"""Collecting judgements: protocols, assignment, checks, and the event log. Nothing here knows HTTP.

protocols/*.toml   a file a protocol: what is shown, what is asked, how an answer becomes a judgement
protocol.py        such a file, read and checked; whether an answer is complete and allowed
material.py        the test set as a campaign keeps it: segments, outputs, languages, media
control.py         degraded outputs, and whether a check was passed
assignment.py      material and protocol -> batches of items: HITs, sets with controls, whole documents
active.py          which systems to show next, from what is believed of them, with the odds of the draw
log.py             the append-only log of events, in SQLite or PostgreSQL; the only truth
schema.py          the shapes of what a campaign holds, and what refers to what: checked when one is opened
state.py           folds of the log: annotators, leases, answers, progress
campaign.py        what may happen: lease, answer, undo, pause, exclude; each gives events to be written
judged.py          the log -> `Judgements`, for every verb that reads them
overview.py        progress, quality control, agreement, the live ranking, when to stop
exports.py         the log -> files, and back
"""

"""Whatever the OpenAPI description allows, and what it does not: the server never breaks."""

from __future__ import annotations

import collections
import pathlib
from typing import Any

import hypothesis
import schemathesis
from fastapi.testclient import TestClient

from tercet.campaigns.campaign import Campaign
from tercet.server.app import make_app
from tests.campaigns.build import created
from tests.server.client import Person
from tests.server.test_rights import Member

BASE = "http://campaign.test"


def test_no_request_breaks_the_server(tmp_path: pathlib.Path) -> None:
    path, made = created(tmp_path, "esa")
    app = make_app(Campaign.open(path))
    with TestClient(app, base_url=BASE) as client:
        person = Person(client, made.links["annotator1"])
        member = Member(client, "organiser", made.password)
        cookies = f"tercet_annotator={person.cookies['tercet_annotator']}; tercet_member={member.cookie}"
        statuses: collections.Counter[tuple[str, int]] = collections.Counter()

        def ask(case: Any) -> None:
            csrf = person.known["csrf"] if case.path in ("/api/answers", "/api/undo") else member.csrf
            if case.path == "/api/logout":
                csrf = "wrong"  # the others still need the session
            given = case.as_transport_kwargs(base_url=BASE)
            headers = {**(given.pop("headers", None) or {}), "cookie": cookies, "x-csrf-token": csrf}
            words = {name: given.get(name) for name in ("method", "url", "params", "json", "data", "content")}
            if not isinstance(words["data"], dict):
                words["content"] = words.pop("data")
            words = {name: value for name, value in words.items() if value is not None}
            reply = client.request(**words, headers=headers, follow_redirects=False)
            statuses[case.path, reply.status_code] += 1
            assert reply.status_code < 500, reply.text

        few: Any = hypothesis.settings(max_examples=10, suppress_health_check=list(hypothesis.HealthCheck))
        described: Any = schemathesis.openapi.from_dict(app.openapi())
        operations = [result.ok() for result in described.get_all_operations()]
        for operation in operations:
            for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
                try:
                    strategy = operation.as_strategy(generation_mode=mode)
                    given: Any = hypothesis.given(strategy)
                    few(given(lambda case: ask(case)))()
                except hypothesis.errors.Unsatisfiable:
                    continue  # nothing can be wrong with what takes no input
    asked = {path for path, _ in statuses}
    assert {"/api/answers", "/api/items", "/api/decisions", "/api/login", "/api/audit", "/media/{name}"} <= asked
    assert len(asked) == len(operations)
    assert {status for _, status in statuses} >= {200, 401, 422}

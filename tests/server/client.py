"""An annotator and an organiser in a test, over HTTP but without a socket."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Iterator
from typing import Any

from fastapi.testclient import TestClient

from tercet.campaigns.campaign import Campaign
from tercet.campaigns.protocol import Field
from tercet.server.app import make_app


class Person:
    """Someone with a browser: cookies, and the token that pages know."""

    def __init__(self, client: TestClient, link: str) -> None:
        self.client = client
        client.cookies.clear()
        reply = client.get(link, follow_redirects=False)
        assert reply.status_code == 303, reply.text
        self.cookies = {"tercet_annotator": reply.cookies["tercet_annotator"]}
        client.cookies.clear()
        self.known = self.get("/api/protocol")
        self.fields = [Field(**field) for field in self.known["protocol"]["fields"]]

    def get(self, path: str) -> Any:
        """A request that must succeed."""
        reply = self.client.get(path, headers=self.headers)
        assert reply.status_code == 200, reply.text
        return reply.json()

    @property
    def headers(self) -> dict[str, str]:
        """The cookie, and the token if it is known."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"cookie": cookies, "x-csrf-token": getattr(self, "known", {}).get("csrf", "")}

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        """A request with a body."""
        reply = self.client.post(path, json=body, headers=self.headers)
        assert reply.status_code == status, reply.text
        return reply.json()

    def items(self, n: int = 3) -> list[dict[str, Any]]:
        """The next items."""
        return list(self.get(f"/api/items?n={n}")["items"])

    def answer(self, item: dict[str, Any], answer: Any = None, **more: Any) -> dict[str, Any]:
        """Send an answer, any that the protocol allows if none is given."""
        given = answer if answer is not None else any_answer(self.fields, item)
        body = {"answers": [{"key": item["key"], "answer": given, "seconds": 2.5, **more}]}
        return dict(self.post("/api/answers", body)["receipts"][0])

    def work(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """Answer everything that there is: items with their answers."""
        done = []
        while items := self.items():
            for item in items:
                answer = any_answer(self.fields, item)
                assert "error" not in self.answer(item, answer)
                done.append((item, answer))
        return done


def any_answer(fields: list[Field], item: dict[str, Any]) -> dict[str, Any]:
    """Some answer that a protocol allows, always the same for what is shown: ids are other ones in each campaign."""
    rng = random.Random(json.dumps([item["source"], item["outputs"]]))  # noqa: S311
    answer: dict[str, Any] = {}
    if any(field.of == "output" for field in fields):
        answer["outputs"] = [
            {field.name: _value(field, item, output["text"], rng) for field in fields if field.of == "output"}
            for output in item["outputs"]
        ]
    for field in fields:
        if field.of == "item":
            answer[field.name] = _value(field, item, "", rng)
    return answer


def _value(field: Field, item: dict[str, Any], text: str, rng: random.Random) -> Any:
    if field.widget == "rank":
        return rng.randint(1, len(item["outputs"]))
    if field.widget == "choose":
        return rng.choice(field.choices)
    if field.widget == "score":
        return rng.randint(int(field.least or 0), int(field.most or 100))
    if field.widget == "edit":
        return f"{text} indeed"
    span: dict[str, Any] = {"start": 0, "end": 3, "severity": rng.choice(field.severities), "side": "target"}
    return [span | {"category": field.category_names[0] if field.categories else None}]


@contextlib.contextmanager
def served(path: Any, **more: Any) -> Iterator[TestClient]:
    """A campaign's server."""
    with TestClient(make_app(Campaign.open(path), **more), base_url="http://campaign.test") as client:
        yield client

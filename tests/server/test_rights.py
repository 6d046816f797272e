"""Who may do what: a test for each clause."""

from __future__ import annotations

import dataclasses
import pathlib
import time
from typing import Any

import argon2
import pytest
from fastapi.testclient import TestClient
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tercet.campaigns.campaign import Campaign, hashed
from tercet.campaigns.create import Created
from tercet.errors import InputError
from tercet.server import rights
from tercet.server.app import make_app
from tests.campaigns.build import texts
from tests.databases import NewCampaign, kept_bytes
from tests.server.client import Person, any_answer, served

CHANGES = ["/api/logout", "/api/decisions", "/api/people"]
BODIES = {
    "/api/logout": None,
    "/api/decisions": {"action": "pause"},
    "/api/people": {"names": ["eve"], "role": "organiser"},
}


class Member:
    """Someone with a password."""

    def __init__(self, client: TestClient, name: str, password: str) -> None:
        client.cookies.clear()
        reply = client.post("/api/login", json={"name": name, "password": password})
        assert reply.status_code == 200, reply.text
        self.client, self.cookie, self.csrf = client, reply.cookies["tercet_member"], reply.json()["csrf"]
        self.set_cookie = reply.headers["set-cookie"]
        client.cookies.clear()

    def ask(self, method: str, path: str, body: Any = None, csrf: str | None = None) -> Any:
        """Any request."""
        headers = {"cookie": f"tercet_member={self.cookie}", "x-csrf-token": self.csrf if csrf is None else csrf}
        return self.client.request(method, path, json=body, headers=headers)


@pytest.fixture
def made(new_campaign: NewCampaign) -> tuple[Any, Created]:
    return new_campaign()


def test_links_cannot_be_guessed_and_are_kept_hashed(made: tuple[Any, Created]) -> None:
    path, campaign = made
    tokens = [link.removeprefix("/a/") for link in campaign.links.values()]
    assert all(len(token) >= 22 for token in tokens)  # 128 bits in base 64
    stored = kept_bytes(path)
    assert not any(token.encode() in stored for token in tokens)
    assert all(hashed(token).encode() in stored for token in tokens)
    assert campaign.password.encode() not in stored
    assert b"$argon2id$" in stored
    assert campaign.links_file.stat().st_mode & 0o077 == 0


def test_passwords_are_hashed_at_a_cost(new_campaign: NewCampaign, monkeypatch: pytest.MonkeyPatch) -> None:
    """As argon2-cffi advises; other tests have it cheaper."""
    monkeypatch.setattr(argon2, "PasswordHasher", argon2.PasswordHasher.func)  # type: ignore[attr-defined]
    path, campaign = new_campaign()
    assert b"$argon2id$v=19$m=65536,t=3,p=4$" in kept_bytes(path)
    with served(path) as client:
        Member(client, "organiser", campaign.password)
        wrong = {"name": "organiser", "password": campaign.password + "x"}
        assert client.post("/api/login", json=wrong).status_code == 401


def test_a_link_becomes_a_cookie_that_no_script_reads(made: tuple[Any, Created]) -> None:
    path, campaign = made
    with served(path) as client:
        reply = client.get(campaign.links["annotator1"], follow_redirects=False)
        cookie = reply.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert "Secure" not in cookie
        assert reply.headers["location"] == "/annotate"
        assert client.get("/a/" + "A" * 22).status_code == 404
    assert reply.cookies["tercet_annotator"].encode() not in kept_bytes(path)


def test_without_a_cookie_nothing_is_told(made: tuple[Any, Created]) -> None:
    with served(made[0]) as client:
        for get in ("/annotate", "/api/protocol", "/api/items", "/api/progress", "/media/x", "/api/session"):
            assert client.get(get).status_code == 401, get
        for get in ("/api/dashboard", "/api/audit", "/api/export"):
            assert client.get(get).status_code == 401, get
        assert client.post("/api/answers", json={"answers": []}).status_code == 401
        assert client.post("/api/undo", json={"key": "x.0"}).status_code == 401
        for post in CHANGES:
            assert client.post(post, json=BODIES[post]).status_code == 401, post
        assert client.get("/dashboard", follow_redirects=False).headers["location"] == "/login"


def test_a_browser_is_told_what_is_wrong_by_a_page(made: tuple[Any, Created]) -> None:
    with served(made[0]) as client:
        for address, status, told in (
            ("/a/wrong", 404, "no such link"),
            ("/annotate", 401, "link"),
            ("/no", 404, "Not"),
        ):
            page = client.get(address, headers={"accept": "text/html,*/*;q=0.8"})
            assert (page.status_code, page.headers["content-type"]) == (status, "text/html; charset=utf-8")
            assert told in page.text
            assert client.get(address).headers["content-type"] == "application/json"


def test_an_annotator_is_no_member_and_a_member_no_annotator(made: tuple[Any, Created]) -> None:
    with served(made[0]) as client:
        person = Person(client, made[1].links["annotator1"])
        stolen = {"cookie": f"tercet_member={person.cookies['tercet_annotator']}"}
        assert client.get("/api/dashboard", headers=stolen).status_code == 401
        member = Member(client, "organiser", made[1].password)
        stolen = {"cookie": f"tercet_annotator={member.cookie}"}
        assert client.get("/api/items", headers=stolen).status_code == 401


def test_roles(made: tuple[Any, Created]) -> None:
    path, campaign = made
    with served(path) as client:
        organiser = Member(client, "organiser", campaign.password)
        people = {"organiser": organiser}
        for role in ("viewer", "auditor"):
            given = organiser.ask("POST", "/api/people", {"names": [role], "role": role}).json()
            people[role] = Member(client, role, given["secrets"][role])
        allowed = {
            ("GET", "/api/dashboard"): {"organiser", "viewer", "auditor"},
            ("GET", "/api/audit"): {"organiser", "auditor"},
            ("GET", "/api/export?form=log"): {"organiser", "auditor"},
            ("POST", "/api/decisions"): {"organiser"},
            ("POST", "/api/people"): {"organiser"},
        }
        for (method, address), roles in allowed.items():
            for role, member in people.items():
                status = member.ask(method, address, BODIES.get(address)).status_code
                assert status == (200 if role in roles else 403), (address, role)


def test_changes_need_the_token_of_the_page(made: tuple[Any, Created]) -> None:
    with served(made[0]) as client:
        member = Member(client, "organiser", made[1].password)
        for post in CHANGES:
            for csrf in ("", "0" * 64):
                assert member.ask("POST", post, BODIES[post], csrf).status_code == 403, post
        person = Person(client, made[1].links["annotator1"])
        item = person.items()[0]
        person.known["csrf"] = ""
        body = {"answers": [{"key": item["key"], "answer": any_answer(person.fields, item)}]}
        person.post("/api/answers", body, status=403)
        person.post("/api/undo", {"key": item["key"]}, status=403)
        assert not Campaign.open(made[0]).state.paused


def test_tries_at_once_are_counted_like_tries_one_after_the_other() -> None:
    limit = rights.Limit()
    for _ in range(rights.TRIES):
        limit.require("organiser", 1.0)
    with pytest.raises(rights.RefusedError, match="too many failed logins"):
        limit.require("organiser", 1.0)
    limit.right("organiser", 1.0)  # one of them was right after all
    limit.require("organiser", 1.0)


def test_a_form_of_another_site_is_not_taken(made: tuple[Any, Created]) -> None:
    with served(made[0]) as client:
        reply = client.post("/api/login", data={"name": "organiser", "password": made[1].password})
        assert reply.status_code == 422
        headers = {"origin": "https://evil.test", "access-control-request-method": "POST"}
        for reply in (client.options("/api/answers", headers=headers), client.get("/login", headers=headers)):
            assert not [name for name in reply.headers if name.startswith("access-control")]


def test_too_many_failed_logins_are_slowed_down(made: tuple[Any, Created], monkeypatch: pytest.MonkeyPatch) -> None:
    with served(made[0]) as client:
        wrong = {"name": "organiser", "password": "wrong"}
        statuses = [client.post("/api/login", json=wrong).status_code for _ in range(rights.TRIES + 2)]
        assert statuses == [401] * rights.TRIES + [429] * 2
        right = {"name": "organiser", "password": made[1].password}
        assert client.post("/api/login", json=right).status_code == 429
        assert client.post("/api/login", json={"name": "other", "password": "x"}).status_code == 401
        now = time.monotonic()
        monkeypatch.setattr("tercet.server.app.time.monotonic", lambda: now + rights.WINDOW + 1)
        assert client.post("/api/login", json=right).status_code == 200
    with Campaign.open(made[0]) as campaign:
        failed = [e for e in campaign.log.events() if e.kind == "login_failed"]
        assert len(failed) == rights.TRIES + 1
        assert all("password" not in e.body for e in failed)


def test_a_session_ends(made: tuple[Any, Created], monkeypatch: pytest.MonkeyPatch) -> None:
    path, campaign = made
    with served(path) as client:
        member = Member(client, "organiser", campaign.password)
        assert "HttpOnly" in member.set_cookie
        assert "SameSite=strict" in member.set_cookie
        assert member.ask("POST", "/api/logout").status_code == 200
        assert member.ask("GET", "/api/session").status_code == 401
        member = Member(client, "organiser", campaign.password)
        again = member.ask("POST", "/api/people", {"names": ["organiser"], "role": "organiser"}).json()
        assert member.ask("GET", "/api/session").status_code == 401  # a new password ends the session
        member = Member(client, "organiser", again["secrets"]["organiser"])
        later = time.time() + 3600 * rights.MEMBER_HOURS + 1
        monkeypatch.setattr("tercet.server.rights.time.time", lambda: later)
        assert member.ask("GET", "/api/session").status_code == 401


def test_a_new_link_ends_the_old_one(made: tuple[Any, Created]) -> None:
    with served(made[0]) as client:
        member = Member(client, "organiser", made[1].password)
        links = member.ask("POST", "/api/people", {"names": ["annotator1", "new"]}).json()["secrets"]
        assert client.get(made[1].links["annotator1"], follow_redirects=False).status_code == 404
        assert Person(client, links["annotator1"]).known["annotator"] == "annotator1"
        assert Person(client, links["new"]).items()


def test_every_reply_has_its_policy(made: tuple[Any, Created]) -> None:
    with served(made[0]) as client:
        person = Person(client, made[1].links["annotator1"])
        replies = [
            client.get("/annotate", headers=person.headers),
            client.get("/login"),
            client.get("/api/items", headers=person.headers),
            client.get("/nowhere"),
            client.post("/api/answers", content=b"{", headers=person.headers),
        ]
        for reply in replies:
            policy = reply.headers["content-security-policy"]
            assert "default-src 'self'" in policy
            assert "unsafe" not in policy
            assert "frame-ancestors 'none'" in policy
            assert reply.headers["x-content-type-options"] == "nosniff"
            assert reply.headers["referrer-policy"] == "no-referrer"
            assert reply.headers["cache-control"] == "no-store"


def test_cookies_are_secure_behind_tls(made: tuple[Any, Created]) -> None:
    inner: Any = make_app(Campaign.open(made[0]))
    app: Any = ProxyHeadersMiddleware(inner, trusted_hosts="testclient")
    link = made[1].links["annotator1"]
    with TestClient(app, base_url="http://campaign.test") as client:
        for scheme, secure in (("https", True), ("http", False)):
            reply = client.get(link, headers={"x-forwarded-proto": scheme}, follow_redirects=False)
            assert ("Secure" in reply.headers["set-cookie"]) is secure
        body = {"name": "organiser", "password": made[1].password}
        reply = client.post("/api/login", json=body, headers={"x-forwarded-proto": "https"})
        assert "Secure" in reply.headers["set-cookie"]


def test_items_are_named_for_each_annotator(new_campaign: NewCampaign) -> None:
    path, campaign = new_campaign(overlap=2)
    with served(path) as client:
        first, second = (Person(client, link) for link in campaign.links.values())
        ours, theirs = first.items(), second.items()
        assert [i["outputs"] for i in ours] == [i["outputs"] for i in theirs]
        assert {i["id"] for i in ours}.isdisjoint(i["id"] for i in theirs)
        body = {"answers": [{"key": theirs[0]["key"], "answer": any_answer(first.fields, theirs[0])}]}
        assert first.post("/api/answers", body)["receipts"][0]["error"] == "There is no such item."


def test_media_come_from_the_folder_only(new_campaign: NewCampaign, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "media"
    folder.mkdir()
    (folder / "a.mp4").write_bytes(b"film")
    (tmp_path / "secret.txt").write_text("secret")
    whole = texts()
    column = ("a.mp4", *[""] * (len(whole) - 1))
    path, campaign = new_campaign(testset=dataclasses.replace(whole, facets={"media": column}), media=folder)
    with served(path) as client:
        person = Person(client, campaign.links["annotator1"])
        media = [m for item in person.items(50) for m in item["media"]]
        assert [m["type"] for m in media] == ["mp4"]
        assert client.get(f"/media/{media[0]['id']}", headers=person.headers).content == b"film"
        for name in ("a.mp4", "..%2Fsecret.txt", "%2e%2e/secret.txt", media[0]["id"][:-1] + "x"):
            assert client.get(f"/media/{name}", headers=person.headers).status_code == 404
        assert client.get(f"/media/{media[0]['id']}").status_code == 401
        (folder / "a.mp4").unlink()
        (folder / "a.mp4").symlink_to(tmp_path / "secret.txt")
        assert client.get(f"/media/{media[0]['id']}", headers=person.headers).status_code == 404
    outside = dataclasses.replace(whole, facets={"media": ("../secret.txt", *column[1:])})
    with pytest.raises(InputError, match="which is no file of"):
        new_campaign(testset=outside, media=folder)


def test_what_members_did_is_kept(made: tuple[Any, Created]) -> None:
    with served(made[0]) as client:
        member = Member(client, "organiser", made[1].password)
        for body in (
            {"action": "pause"},
            {"action": "resume"},
            {"action": "exclude", "annotator": "a1", "reason": "clicks through"},
            {"action": "reopen", "annotator": "a1"},
            {"action": "close"},
            {"action": "reopen"},
        ):
            assert member.ask("POST", "/api/decisions", body).status_code == 200
        assert member.ask("POST", "/api/decisions", {"action": "exclude", "annotator": "a1"}).status_code == 422
        assert member.ask("POST", "/api/decisions", {"action": "delete"}).status_code == 422
        reply = member.ask("GET", "/api/audit")
        kinds = [e["kind"] for e in reply.json()["events"] if e["actor"] == "@organiser"]
        assert kinds == ["login", "paused", "resumed", "excluded", "reopened", "closed", "reopened"]
        assert not [word for word in ("argon2", 'secret"', 'token"', 'session"') if word in reply.text]


def test_large_requests_are_refused(made: tuple[Any, Created]) -> None:
    with served(made[0]) as client:
        person = Person(client, made[1].links["annotator1"])
        big = b'{"answers": [' + b" " * rights.LARGEST + b"]}"
        headers = person.headers | {"content-type": "application/json"}
        assert client.post("/api/answers", content=big, headers=headers).status_code == 413

        def pieces() -> Any:
            yield from (big[i : i + 65536] for i in range(0, len(big), 65536))

        assert client.post("/api/answers", content=pieces(), headers=headers).status_code == 413


def test_hostile_text_stays_text(new_campaign: NewCampaign) -> None:
    whole, evil = texts(), "<script>alert(1)</script>'\"&\u202e\u0000</textarea>"
    systems = {name: (evil, *t.strings[1:]) for name, t in whole.systems.items()}
    hostile = dataclasses.replace(whole, systems={n: type(whole.systems["amber"])(s) for n, s in systems.items()})
    path, campaign = new_campaign("postedit", testset=hostile, annotators=1)
    with served(path) as client:
        person = Person(client, campaign.links["annotator1"])
        shown = [item for item in person.items(50) if item["outputs"][0]["text"] == evil]
        assert shown
        assert "error" not in person.answer(shown[0], {"outputs": [{"text": f"{evil} indeed"}]})
        broken = '{"outputs": [{"text": "\\ud800", "\\udc00": 1}]}'
        half = f'{{"answers": [{{"key": "{shown[1]["key"]}", "answer": {broken}}}]}}'
        headers = person.headers | {"content-type": "application/json"}
        reply = client.post("/api/answers", content=half, headers=headers)
        assert "error" in reply.json()["receipts"][0]
        reply = client.get("/api/items", headers=person.headers)
        assert reply.headers["content-type"] == "application/json"
    with Campaign.open(path) as opened:
        (event,) = opened.state.annotators["a1"].answers.values()
        assert event.body["answer"] == {"outputs": [{"text": f"{evil} indeed"}]}

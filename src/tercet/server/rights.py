"""Who may do what: sessions by cookie, CSRF tokens, rate limits, and the headers of every reply.

Cookies hold random tokens of 128 bits and more; the log has their hashes. What changes something needs, beside the
cookie, a token that only our pages can read, and a JSON body, which no form of another site can send.
"""

from __future__ import annotations

import collections
import contextlib
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tercet.campaigns.campaign import Campaign, hashed
from tercet.campaigns.log import Event
from tercet.campaigns.state import Annotator, Member
from tercet.errors import TercetError
from tercet.numbers import plain

ANNOTATOR, MEMBER = "tercet_annotator", "tercet_member"  # cookies
LANGUAGE = "tercet_language"  # of the pages, as the annotator chose it
ANNOTATOR_DAYS, MEMBER_HOURS = 90, 12
CSRF = "x-csrf-token"
TRIES, WINDOW = 5, 60.0  # failed logins, in seconds
LARGEST = 1 << 20  # bytes of a request

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Receive = Callable[[], Awaitable[Message]]
Direct = dict[tuple[str, str], Callable[[Request], Awaitable[Response]]]

POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
WORKER = (b"service-worker-allowed", b"/annotate")  # the one page that a script of /static may answer for


class RefusedError(TercetError):
    """Someone asks for what is not theirs."""

    def __init__(self, status: int, message: str, hint: str) -> None:
        super().__init__(message, hint=hint)
        self.status = status


def new_session(actor: str, seconds: float) -> tuple[str, Event]:
    """A token for a cookie, and the event that makes it valid."""
    token = secrets.token_urlsafe(24)
    body = {"session": hashed(token), "until": time.time() + seconds}
    return token, Event(f"login/{body['session']}", actor, "login", body)


def set_cookie(request: Request, response: Response, name: str, token: str, seconds: float) -> None:
    """A cookie that no script can read; only over TLS where the page came over TLS."""
    response.set_cookie(
        name,
        token,
        max_age=int(seconds),
        httponly=True,
        secure=request.url.scheme == "https",
        samesite="strict" if name == MEMBER else "lax",
        path="/",
    )


def csrf_token(session: str) -> str:
    """What only a page of ours can know of a session."""
    return hmac.new(session.encode(), b"csrf", hashlib.sha256).hexdigest()


def _session(campaign: Campaign, request: Request, cookie: str) -> tuple[str, str] | None:
    """Who is there by a cookie, and its value."""
    token = request.cookies.get(cookie, "")
    actor, until = campaign.state.sessions.get(hashed(token), ("", 0.0)) if token else ("", 0.0)
    return (actor, token) if until > time.time() else None


def annotator_of(campaign: Campaign, request: Request, *, changes: bool = False) -> Annotator:
    """The annotator who asks."""
    session = _session(campaign, request, ANNOTATOR)
    annotator = None if session is None else campaign.state.annotators.get(session[0])
    if session is None or annotator is None:
        raise RefusedError(401, "It is not known who you are.", "Open the link that you were sent.")
    if changes:
        require_csrf(request, session[1])
    return annotator


def member_of(campaign: Campaign, request: Request, *roles: str, changes: bool = False) -> Member:
    """The member who asks, if they have one of the roles."""
    session = _session(campaign, request, MEMBER)
    member = None if session is None else campaign.state.members.get(session[0].removeprefix("@"))
    if session is None or member is None or not session[0].startswith("@"):
        raise RefusedError(401, "It is not known who you are.", "Log in.")
    if roles and member.role not in roles:
        raise RefusedError(403, f"A {member.role} may not do this.", f"Ask an {' or '.join(roles)}.")
    if changes:
        require_csrf(request, session[1])
    return member


def require_csrf(request: Request, session: str) -> None:
    """Refuse a request that no page of ours has sent."""
    if not hmac.compare_digest(request.headers.get(CSRF, "").encode(), csrf_token(session).encode()):
        raise RefusedError(403, "The request was not sent by a page of this campaign.", "Load the page again.")


class Limit:
    """How often something may fail within a minute; a try counts as failed until it is known to be right."""

    def __init__(self, tries: int = TRIES, window: float = WINDOW) -> None:
        self._tries, self._window = tries, window
        self._failed: dict[str, collections.deque[float]] = {}

    def require(self, name: str, now: float) -> None:
        """Count one try more, and refuse one who failed too often; the oldest names are forgotten."""
        times = self._failed.get(name, collections.deque())
        while times and times[0] <= now - self._window:
            times.popleft()
        if len(times) >= self._tries:
            raise RefusedError(429, "There were too many failed logins.", f"Wait {plain(self._window)} seconds.")
        self._failed.setdefault(name, collections.deque()).append(now)
        while len(self._failed) > 10_000:
            self._failed.pop(next(iter(self._failed)))

    def right(self, name: str, now: float) -> None:
        """The try of that moment has not failed."""
        with contextlib.suppress(KeyError, ValueError):
            self._failed[name].remove(now)


class Guard:
    """Around the application: headers of every reply, and a bound on the size of every request.

    What is `direct`, by method and path, is answered by a handler of the request alone: without the layers of FastAPI,
    which cost as much as such an answer itself. Its description, and what it refuses (`told`), are the application's.
    """

    def __init__(self, app: Any, direct: Direct, told: Callable[[Exception], Response]) -> None:
        self._app, self._direct, self._told = app, direct, told

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        private = not scope["path"].startswith("/static/")
        n = 0  # bytes of the request so far

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                if n > LARGEST:  # whatever became of it inside
                    message["status"] = 413
                headers = [*message.get("headers", ()), *HEADERS]
                headers.append((b"cache-control", b"no-store") if private else WORKER)
                message["headers"] = headers
            await send(message)

        async def received() -> Message:
            nonlocal n
            message = await receive()
            n += len(message.get("body", b""))
            if n > LARGEST:
                raise RefusedError(413, "The request is too large.", "Send fewer answers at once.")
            return message

        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if len(declared) > 18 or (declared.isdigit() and int(declared) > LARGEST):
            body = json.dumps({"error": "The request is too large.", "hint": "Send fewer answers at once."}).encode()
            headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
            await sent({"type": "http.response.start", "status": 413, "headers": headers})
            await sent({"type": "http.response.body", "body": body})
            return
        handler = self._direct.get((scope["method"], scope["path"]))
        if handler is None:
            await self._app(scope, received, sent)
            return
        try:
            reply = await handler(Request(scope, received))
        except Exception as error:
            reply = self._told(error)
        await reply(scope, received, sent)

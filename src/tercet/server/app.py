"""The routes of the server; the package's docstring describes them."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import json
import pathlib
import secrets
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any, Literal

import fastapi
import jinja2
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException

from tercet.campaigns.campaign import MOST_ITEMS, Campaign, ConflictError, hashed
from tercet.campaigns.create import new_annotators, new_member
from tercet.campaigns.exports import export_campaign
from tercet.campaigns.log import Event
from tercet.campaigns.material import direction
from tercet.campaigns.watching import Watcher
from tercet.errors import TercetError
from tercet.options.campaigns import LONGEST_NAME
from tercet.server import rights
from tercet.server.dashboard import add_dashboard
from tercet.server.rights import (
    ANNOTATOR,
    MEMBER,
    Direct,
    Guard,
    Limit,
    RefusedError,
    annotator_of,
    csrf_token,
    member_of,
)
from tercet.server.texts import language_name, page_texts
from tercet.server.writer import MOST, Writer

HERE = pathlib.Path(__file__).parent
MOST_ANSWERS = 100  # in one request
Word = Annotated[str, Field(max_length=200)]
Form = Literal["records", "wmt", "appraise", "log"]
Place = Annotated[int, fastapi.Query(ge=0, le=10**15)]
Many = Annotated[int, fastapi.Query(ge=1, le=10_000)]
Few = Annotated[int, fastapi.Query(ge=1, le=MOST_ITEMS)]
_FEW: TypeAdapter[int] = TypeAdapter(Annotated[int, Field(ge=1, le=MOST_ITEMS)])


class SentAnswer(BaseModel):
    """One answer; see the docstring of the package."""

    model_config = ConfigDict(extra="forbid")
    key: Word
    answer: dict[str, Any]
    seconds: Annotated[float, Field(ge=0, le=1e7, allow_inf_nan=False)] | None = None
    keystrokes: Annotated[int, Field(ge=0, le=10**9)] | None = None
    time: Annotated[float, Field(ge=0, le=1e11, allow_inf_nan=False)] | None = None


class Answers(BaseModel):
    """Answers that are sent together."""

    answers: Annotated[list[SentAnswer], Field(max_length=MOST_ANSWERS)]


class TakenBack(BaseModel):
    """The answer that is to be taken back."""

    key: Word


class Credentials(BaseModel):
    """Name and password."""

    name: Word
    password: Word


class Newcomers(BaseModel):
    """People by name, and what they may do."""

    names: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]], Field(min_length=1, max_length=1000)
    ]
    role: Literal["annotator", "organiser", "viewer", "auditor"] = "annotator"


class Decision(BaseModel):
    """What an organiser decides."""

    action: Word
    annotator: Word | None = None
    reason: Annotated[str, Field(max_length=2000)] = ""


def make_app(campaign: Campaign, most: int = MOST) -> fastapi.FastAPI:
    """The application of one campaign; `most` bounds the events of a transaction."""
    writer, watcher = Writer(campaign.log, campaign.follow, most), Watcher(campaign)

    @contextlib.asynccontextmanager
    async def lifespan(_: fastapi.FastAPI) -> AsyncIterator[None]:
        writer.start()
        try:
            yield
        finally:
            await asyncio.to_thread(writer.stop)
            watcher.close()
            campaign.close()

    app = fastapi.FastAPI(title="Tercet campaign", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.writer = writer
    direct: Direct = {}
    app.add_middleware(Guard, direct=direct, told=_told_error)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    pages = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE / "templates"), autoescape=True)
    _errors(app, pages)
    _annotating(app, campaign, writer, pages)
    _answering(app, campaign, writer, direct)
    _organising(app, campaign, writer, pages)
    _telling(app, campaign, writer, watcher)
    add_dashboard(app, campaign, watcher, pages)
    return app


def _told_error(error: Exception) -> JSONResponse:
    """Errors as replies: one table."""
    if isinstance(error, TercetError):
        status = error.status if isinstance(error, RefusedError) else 409 if isinstance(error, ConflictError) else 422
        return JSONResponse({"error": error.message, "hint": error.hint}, status)
    if isinstance(error, RequestValidationError):
        first = error.errors()[0]
        where = ".".join(str(part) for part in first.get("loc", ()))
        told = {"error": f"The request cannot be used: {where}: {first.get('msg')}.", "hint": "See /openapi.json."}
        return JSONResponse(told, 422)
    if isinstance(error, HTTPException):
        return JSONResponse({"error": error.detail, "hint": ""}, error.status_code, headers=error.headers)
    raise error


def _errors(app: fastapi.FastAPI, pages: jinja2.Environment) -> None:
    """What went wrong, as JSON, or as a page for one who opens an address in a browser."""

    async def told(request: fastapi.Request, error: Exception) -> fastapi.Response:
        reply = _told_error(error)
        if request.method != "GET" or not request.headers.get("accept", "").startswith("text/html"):
            return reply
        page = pages.get_template("login.html").render(json.loads(bytes(reply.body)))
        return HTMLResponse(page, reply.status_code)

    for kind in (TercetError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, told)


@contextlib.contextmanager
def _as_shape(*place: str) -> Iterator[None]:
    """What does not fit a type is told as FastAPI would."""
    try:
        yield
    except ValidationError as error:
        faults = [fault | {"loc": (*place, *fault["loc"])} for fault in error.errors(include_context=False)]
        raise RequestValidationError(faults) from None


def _annotating(app: fastapi.FastAPI, campaign: Campaign, writer: Writer, pages: jinja2.Environment) -> None:
    @app.get("/a/{token}", include_in_schema=False)
    async def link(token: str, request: fastapi.Request) -> RedirectResponse:
        annotator = campaign.annotator_by_link(token)
        if annotator is None:
            raise RefusedError(404, "There is no such link.", "Check that it is whole.")
        seconds = rights.ANNOTATOR_DAYS * 86400.0
        session, event = rights.new_session(annotator.id, seconds)
        await writer.write([event])
        response = RedirectResponse("/annotate", 303)
        rights.set_cookie(request, response, ANNOTATOR, session, seconds)
        return response

    @app.get("/annotate", response_class=HTMLResponse)
    async def annotate(request: fastapi.Request, language: Word = "") -> HTMLResponse:
        annotator = annotator_of(campaign, request)
        wanted = language or request.cookies.get(rights.LANGUAGE) or campaign.state.config["language"]
        protocol = campaign.protocol.public(wanted)
        texts = page_texts(campaign.protocol, protocol["language"])
        page = pages.get_template("annotate.html").render(
            texts=texts,
            data={
                "texts": texts,
                "protocol": {
                    "name": protocol["name"],
                    "rules": protocol.get("rules", []),
                    "fields": [dataclasses.asdict(f) | {"element": f.element} for f in campaign.protocol.fields],
                },
                "annotator": annotator.name,
                "progress": campaign.progress(annotator),
            },
            language=protocol["language"],
            languages={code: language_name(code) for code in protocol["languages"]},
            direction=direction(protocol["language"]),
            widgets={field.widget for field in campaign.protocol.fields},
            modules=[*sorted({field.element for field in campaign.protocol.fields}), "annotate"],  # in this order
            csrf=csrf_token(request.cookies[ANNOTATOR]),
        )
        response = HTMLResponse(page)
        if language:  # is remembered
            rights.set_cookie(request, response, rights.LANGUAGE, protocol["language"], rights.ANNOTATOR_DAYS * 86400.0)
        return response

    @app.get("/api/protocol")
    async def protocol(request: fastapi.Request, language: Word = "") -> dict[str, Any]:
        annotator = annotator_of(campaign, request)
        return {
            "protocol": campaign.protocol.public(language or campaign.state.config["language"]),
            "csrf": csrf_token(request.cookies[ANNOTATOR]),
            "annotator": annotator.name,
            "progress": campaign.progress(annotator),
        }


def _answering(app: fastapi.FastAPI, campaign: Campaign, writer: Writer, direct: Direct) -> None:
    """What an annotator asks for and sends; the two that all of them do all the time also `direct`."""

    @app.get("/api/items")
    async def items(request: fastapi.Request, n: Few = 3) -> JSONResponse:
        annotator = annotator_of(campaign, request)
        names, events = campaign.lease(annotator, n)
        await writer.write(events)
        shown = [campaign.payload(annotator, name) for name in names]
        return JSONResponse({"items": shown, "progress": campaign.progress(annotator)})

    @app.post("/api/answers")
    async def answers(request: fastapi.Request, given: Answers) -> JSONResponse:
        annotator = annotator_of(campaign, request, changes=True)
        results: list[dict[str, Any]] = []
        events: list[Event] = []
        for answer in given.answers:
            try:
                events.append(campaign.answer(annotator, dict(answer)))
                results.append({"key": answer.key})
            except TercetError as error:
                results.append({"key": answer.key, "error": error.message, "hint": error.hint})
        stored = iter(await writer.write(events))
        receipts = [r if "error" in r else campaign.receipt(annotator, next(stored)) for r in results]
        return JSONResponse({"receipts": receipts, "progress": campaign.progress(annotator)})

    async def items_asked(request: fastapi.Request) -> JSONResponse:
        with _as_shape("query", "n"):
            n = _FEW.validate_strings(request.query_params.get("n", "3"))
        return await items(request, n)

    async def answers_sent(request: fastapi.Request) -> JSONResponse:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        try:  # no form of another site can send this type
            body = json.loads(await request.body()) if kind == "application/json" else None
        except (ValueError, RecursionError):  # half characters pass: they are told of with their answer, not of all
            body = None
        with _as_shape("body"):
            given = Answers.model_validate(body)
        return await answers(request, given)

    direct["GET", "/api/items"] = items_asked
    direct["POST", "/api/answers"] = answers_sent

    @app.post("/api/undo")
    async def undo(request: fastapi.Request, given: TakenBack) -> dict[str, Any]:
        annotator = annotator_of(campaign, request, changes=True)
        event = campaign.undo(annotator, given.key)
        await writer.write([event])
        return {"item": campaign.taken_back(annotator, str(event.item)), "progress": campaign.progress(annotator)}

    @app.get("/api/progress")
    async def progress(request: fastapi.Request) -> dict[str, Any]:
        return campaign.progress(annotator_of(campaign, request))

    @app.get("/media/{name}")
    async def media(request: fastapi.Request, name: Word) -> FileResponse:
        try:
            annotator_of(campaign, request)
        except RefusedError:
            member_of(campaign, request)
        file = campaign.media_file(name)
        folder = campaign.state.config["media"]
        path = None if file is None or folder is None else (pathlib.Path(folder) / file).resolve()
        if path is None or not path.is_relative_to(pathlib.Path(folder).resolve()) or not path.is_file():
            raise RefusedError(404, "There is no such file.", "Load the page again.")
        return FileResponse(path)


def _organising(app: fastapi.FastAPI, campaign: Campaign, writer: Writer, pages: jinja2.Environment) -> None:
    by_name, by_client = Limit(), Limit(tries=50)

    @app.get("/", include_in_schema=False)
    async def root() -> RedirectResponse:
        return RedirectResponse("/dashboard", 303)

    @app.get("/login", response_class=HTMLResponse)
    async def login_page() -> HTMLResponse:
        return HTMLResponse(pages.get_template("login.html").render())

    @app.post("/api/login")
    async def login(request: fastapi.Request, given: Credentials) -> JSONResponse:
        now, client = time.monotonic(), request.client.host if request.client else ""
        by_name.require(given.name, now)
        by_client.require(client, now)
        member = campaign.state.members.get(given.name)
        right = await asyncio.to_thread(_fits, None if member is None else member.password, given.password)
        if member is None or not right:
            key = f"login_failed/{time.time_ns()}/{given.name}"
            await writer.write([Event(key, "nobody", "login_failed", {"name": given.name, "client": client})])
            raise RefusedError(401, "Name or password is wrong.", "Try again.")
        by_name.right(given.name, now)
        by_client.right(client, now)
        seconds = rights.MEMBER_HOURS * 3600.0
        session, event = rights.new_session(f"@{member.name}", seconds)
        await writer.write([event])
        response = JSONResponse({"role": member.role, "csrf": csrf_token(session)})
        rights.set_cookie(request, response, MEMBER, session, seconds)
        return response

    @app.post("/api/logout")
    async def logout(request: fastapi.Request) -> JSONResponse:
        member = member_of(campaign, request, changes=True)
        session = hashed(request.cookies[MEMBER])
        await writer.write([Event(f"logout/{session}", f"@{member.name}", "logout", {"session": session})])
        response = JSONResponse({})
        response.delete_cookie(MEMBER, path="/")
        return response

    @app.get("/api/session")
    async def session(request: fastapi.Request) -> dict[str, Any]:
        member = member_of(campaign, request)
        return {"name": member.name, "role": member.role, "csrf": csrf_token(request.cookies[MEMBER])}

    @app.post("/api/decisions")
    async def decisions(request: fastapi.Request, given: Decision) -> dict[str, Any]:
        member = member_of(campaign, request, "organiser", changes=True)
        event = campaign.decide(f"@{member.name}", given.action, given.annotator, given.reason)
        stored = await writer.write([event])
        return {"seq": stored[0].event.seq}


def _telling(app: fastapi.FastAPI, campaign: Campaign, writer: Writer, watcher: Watcher) -> None:
    """What organisers read: the dashboard, the log of what members did, files."""

    @app.get("/api/dashboard")
    async def dashboard(request: fastapi.Request) -> JSONResponse:
        member_of(campaign, request)
        return JSONResponse(await asyncio.to_thread(watcher.overview))

    @app.get("/api/audit")
    async def audit(request: fastapi.Request, after: Place = 0, n: Many = 1000) -> dict[str, Any]:
        member_of(campaign, request, "organiser", "auditor")
        events = await asyncio.to_thread(lambda: list(campaign.log.events(after, n)))
        return {"events": [_told(event) for event in events]}

    @app.get("/api/export")
    async def exported(request: fastapi.Request, form: Form = "records") -> FileResponse:
        member = member_of(campaign, request, "organiser", "auditor")
        folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(folder.name) / f"campaign.{form}"
        try:
            await asyncio.to_thread(export_campaign, str(campaign.log.given), output=path, form=form)
            key = f"exported/{time.time_ns()}"
            await writer.write([Event(key, f"@{member.name}", "exported", {"form": form})])
        except BaseException:
            folder.cleanup()
            raise
        return FileResponse(path, filename=path.name, background=BackgroundTask(folder.cleanup))

    @app.post("/api/people")
    async def people(request: fastapi.Request, given: Newcomers) -> dict[str, Any]:
        who = f"@{member_of(campaign, request, 'organiser', changes=True).name}"
        if given.role == "annotator":
            secrets, events = new_annotators(campaign, who, given.names)
        else:
            made = {name: await asyncio.to_thread(new_member, who, name, given.role) for name in given.names}
            secrets = {name: password for name, (password, _) in made.items()}
            events = [event for _, event in made.values()]
        await writer.write(events)
        return {"secrets": secrets}


def _told(event: Event) -> dict[str, Any]:
    """An event as auditors read it: no hashes of tokens and passwords, no secret."""
    hidden = ("token", "password", "session", "secret", "tutorial", "prefilled")
    body = {name: value for name, value in event.body.items() if name not in hidden}
    return {
        "seq": event.seq,
        "actor": event.actor,
        "kind": event.kind,
        "item": event.item,
        "body": body,
        "time": event.server_time,
    }


def _fits(kept: str | None, password: str) -> bool:
    """Whether a password is right; it takes as long where there is no such name."""
    from argon2 import PasswordHasher
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        PasswordHasher().verify(kept or _nobody(), password)
    except (Argon2Error, InvalidHashError):
        return False
    return kept is not None


@functools.cache
def _nobody() -> str:
    """A hash that no password fits, made once: else a name that is not there would take twice as long."""
    from argon2 import PasswordHasher

    return PasswordHasher().hash(secrets.token_hex())

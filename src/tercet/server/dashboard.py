"""The organiser's page: how the campaign stands, rendered by `tercet.report`, with the buttons that a role may press.

The page asks for itself again every few seconds, and puts in what has changed.
"""

from __future__ import annotations

import asyncio
import copy
from typing import Any

import fastapi
import jinja2
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tercet.campaigns.campaign import Campaign
from tercet.campaigns.watching import Watcher
from tercet.report.html.campaign import sections, state, style, summary, title
from tercet.report.html.markup import asset, prose
from tercet.server.rights import MEMBER, RefusedError, csrf_token, member_of

EXPORTS = ("records", "wmt", "appraise", "log")


def add_dashboard(app: fastapi.FastAPI, campaign: Campaign, watcher: Watcher, pages: jinja2.Environment) -> None:
    """The routes of the organiser's page."""

    @app.get("/dashboard", response_class=HTMLResponse)
    async def dashboard_page(request: fastapi.Request) -> Response:
        try:
            member = member_of(campaign, request)
        except RefusedError:
            return RedirectResponse("/login", 303)
        view = _now(await asyncio.to_thread(watcher.overview), campaign)
        page = pages.get_template("dashboard.html").render(
            csrf=csrf_token(request.cookies[MEMBER]),
            member=member,
            title=title(view),
            state=state(view),
            summary=summary(view),
            facts=view["campaign"],
            stop=view["stop"],
            sections=sections(view, actions=member.role == "organiser"),
            notes=[prose(note) for note in view["notes"]],
            signature=view["ranking"]["signature"],
            exports=EXPORTS if member.role != "viewer" else (),
        )
        return HTMLResponse(page)

    @app.get("/colours.css", include_in_schema=False)
    async def colours() -> Response:
        return Response(asset("colours.css"), media_type="text/css")

    @app.get("/dashboard.css", include_in_schema=False)
    async def dashboard_style() -> Response:
        return Response(style(), media_type="text/css")


def _now(view: dict[str, Any], campaign: Campaign) -> dict[str, Any]:
    """With decisions of which the last overview did not know."""
    shown = copy.deepcopy(view)
    shown["campaign"] |= {"paused": campaign.state.paused, "closed": campaign.state.closed}
    known = campaign.state.annotators
    for person in shown["annotators"]:
        person["excluded"] = known[person["id"]].excluded
    return shown

"""What a campaign's server loads until it answers: a process that has loaded this is forked into servers."""

# ruff: noqa: F401 - to be there is what it is for

from __future__ import annotations

import encodings.idna
import gc

import alembic.command
import psycopg
import pydantic.v1  # which FastAPI asks for while it makes routes
import uvicorn.lifespan.on
import uvicorn.loops.auto
import uvicorn.protocols.http.auto
import uvicorn.protocols.websockets.auto
import uvloop

import tercet.cli.app
import tercet.cli.campaign
import tercet.server.app
import tercet.server.serve

gc.collect()
gc.freeze()  # no server looks for garbage in it

"""Campaigns in SQLite and in PostgreSQL, for tests that hold for both.

PostgreSQL is Debian's server, in a folder of its own, under its own user and never as root.

Both keep their files in memory where there is room, since a campaign waits for the disk at every answer: with a disk
whose fsync takes 8 ms, tests do little else. What is tested of the disk itself (`test_durability`) is kept on it.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tercet.campaigns.create import Created
from tercet.campaigns.log import is_database
from tests.campaigns.build import created
from tests.conftest import absent

# One worker starts the server, for all tests that ask for it.
_SERVER = (pytest.mark.database, pytest.mark.xdist_group("database"))
DATABASES = ("sqlite", pytest.param("postgresql", marks=_SERVER))
MEMORY = pathlib.Path("/dev/shm")  # noqa: S108 - each test has a folder of its own in it
ROOM = 2**30
NewPlace = Callable[[], Any]
NewCampaign = Callable[..., tuple[Any, Created]]


def server_binaries() -> pathlib.Path | None:
    """The folder of PostgreSQL's programs."""
    folders = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
    there = shutil.which("initdb")
    return folders[-1] if folders else None if there is None else pathlib.Path(there).parent


def memory() -> str | None:
    """A folder whose files stay in memory, if there is one with room; None is where temporary files are otherwise."""
    there = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    return str(MEMORY) if there else None


@contextlib.contextmanager
def running_postgresql(where: str | None = None) -> Iterator[str]:
    """The URL of a server that is started for us, its files in a folder, without the name of a database."""
    binaries = server_binaries()
    if binaries is None:
        absent("PostgreSQL is not there")
    root = os.geteuid() == 0
    if root and shutil.which("runuser") is None:
        absent("PostgreSQL must not run as root, and runuser is not there")
    become = ["runuser", "-u", "postgres", "--"] if root else []
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tercet-postgresql-", dir=where))
    try:
        if root:
            shutil.chown(folder, "postgres")
        run: dict[str, Any] = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "cwd": "/"}
        data = folder / "data"
        how = ["-U", "tercet", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
        subprocess.run([*become, str(binaries / "initdb"), "-D", str(data), *how], **run)
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c max_connections=50"
        control = [*become, str(binaries / "pg_ctl"), "-D", str(data)]
        subprocess.run([*control, "-w", "-l", str(folder / "log"), "-o", options, "start"], **run)
        try:
            yield f"postgresql://tercet@127.0.0.1:{port}"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], **run)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def new_database(url: str, name: str) -> str:
    """The URL of a database that is made now."""
    import psycopg

    with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')  # type: ignore[arg-type, unused-ignore]
    return f"{url}/{name}"


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """A server, started when the first test asks for it."""
    with running_postgresql(memory()) as url:
        yield url


@pytest.fixture(scope="module")
def folder() -> Iterator[pathlib.Path]:
    """A folder for the tests of a file."""
    with tempfile.TemporaryDirectory(prefix="tercet-", dir=memory(), ignore_cleanup_errors=True) as path:
        yield pathlib.Path(path)


@pytest.fixture
def tmp_path(folder: pathlib.Path) -> pathlib.Path:
    """A folder for one test, as pytest's own but in memory where there is room."""
    return pathlib.Path(tempfile.mkdtemp(dir=folder))


def places(database: str, request: pytest.FixtureRequest, folder: pathlib.Path) -> NewPlace:
    """Names places for campaigns that are not there yet."""
    if database == "sqlite":
        return lambda: folder / f"{secrets.token_hex(8)}.db"
    url = request.getfixturevalue("postgresql")
    return lambda: new_database(url, f"t{secrets.token_hex(8)}")


def maker(database: str, request: pytest.FixtureRequest, folder: pathlib.Path) -> NewCampaign:
    """Makes campaigns in a database, with their links in a folder."""
    place = places(database, request, folder)

    def made(*protocol: str, **more: Any) -> tuple[Any, Created]:
        links = folder / f"{secrets.token_hex(8)}.tsv"
        return created(folder, *protocol, **{"place": place(), "links": links, **more})

    return made


@pytest.fixture(params=DATABASES)
def new_campaign(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> NewCampaign:
    """Makes campaigns, in one of the databases."""
    return maker(request.param, request, tmp_path)


@pytest.fixture
def new_place(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> NewPlace:
    """Names places for campaigns in the database of the test's campaigns."""
    return places(request.node.callspec.params["new_campaign"], request, tmp_path)


def kept_bytes(campaign: Any) -> bytes:
    """All that a database keeps of a campaign: its file, or its tables row by row."""
    if not is_database(campaign):
        return pathlib.Path(campaign).read_bytes()
    import psycopg

    with psycopg.connect(str(campaign)) as connection:
        rows = [*connection.execute("TABLE events"), *connection.execute("TABLE passages")]
        rows += connection.execute("TABLE batches")
    return "\n".join(map(str, rows)).encode()

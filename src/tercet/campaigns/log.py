"""The event log of a campaign: one append-only table, in one SQLite file or in PostgreSQL by its URL.

    events     seq, key (unique), actor, kind, item, body, client_time, server_time
    passages   what is shown: a row a segment or document
    batches    what is handed out together: a row a batch, made when the campaign was created

What happened is an event, and everything else is a fold of events (`state`). An event whose key is there already is not
stored again: its writer gets the place of the first one. `append` returns when its events are on disk: SQLite writes
ahead with `synchronous=FULL`, PostgreSQL with `synchronous_commit=on`.

One process writes: it holds a lock on the file (or in the database) as long as it lives.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
import os
import pathlib
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO, Any, cast

from tercet.campaigns.material import Passage, as_record
from tercet.errors import InputError, TercetError, extra
from tercet.formats.judgements import DATABASE, SQLITE
from tercet.limits import Budget

_LOCK = 0x7E5CE7  # of PostgreSQL's advisory locks
_PATIENCE = 2.0  # seconds
_CHUNK = 5000  # rows that are fetched at once
_DISTRUST = ("trusted_schema=OFF", "cell_size_check=ON")  # of a file that somebody else may have written
_ROOM = "Check that its directory is yours to write to, and has room."
_ADDRESS = "Check its address: postgresql://USER:PASSWORD@HOST/DATABASE."
_VERSIONS = ("0001",)  # of the tables
_HELD = 4  # bytes of memory that a byte of JSON takes


@dataclasses.dataclass(frozen=True)
class Event:
    """Something that happened: by whom, what, and to which item. `key` names it for ever."""

    key: str
    actor: str
    kind: str
    body: Mapping[str, Any]
    item: str | None = None
    client_time: float | None = None
    server_time: float = 0.0
    seq: int = 0  # its place in the log, once it is there


@dataclasses.dataclass(frozen=True)
class Stored:
    """An event in the log, and whether it is there since now; otherwise it is the one that was there before."""

    event: Event
    new: bool


def is_database(given: object) -> bool:
    """Whether something names a PostgreSQL database, also where slashes were lost on the way through a path."""
    return DATABASE.match(str(given)) is not None


def shown(given: object) -> str:
    """The address of a campaign without its password, for messages."""
    return re.sub(r"(://?[^:/@]+):[^@/]*@", r"\1:***@", str(given))


def _beginning(path: pathlib.Path, size: int) -> bytes:
    """The first bytes of a file, as they are."""
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.", hint="Check the file.") from None


def _sqlalchemy() -> Any:
    return extra("sqlalchemy", "sqlalchemy", "campaign", "A campaign")


def _tables(sa: Any) -> dict[str, Any]:
    meta = sa.MetaData()
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    return {
        "events": sa.Table(
            "events",
            meta,
            sa.Column("seq", number, primary_key=True, autoincrement=True),
            sa.Column("key", sa.Text, nullable=False, unique=True),
            sa.Column("actor", sa.Text, nullable=False),
            sa.Column("kind", sa.Text, nullable=False),
            sa.Column("item", sa.Text),
            sa.Column("body", sa.Text, nullable=False),
            sa.Column("client_time", sa.Float),
            sa.Column("server_time", sa.Float, nullable=False),
            sqlite_autoincrement=True,
        ),
        "passages": sa.Table("passages", meta, sa.Column("n", number, primary_key=True), sa.Column("body", sa.Text)),
        "batches": sa.Table("batches", meta, sa.Column("n", number, primary_key=True), sa.Column("body", sa.Text)),
    }


@contextlib.contextmanager
def as_told(name: str) -> Iterator[None]:
    """While a campaign that somebody else may have written is read: what does not fit together there is its fault.

    A campaign is taken as its log tells it, and the log can say anything. The cause travels along.
    """
    database = sys.modules.get("sqlalchemy")
    unfit: tuple[type[Exception], ...] = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
    unfit += (RecursionError, *([database.exc.SQLAlchemyError] if database is not None else []))
    try:
        yield
    except TercetError:
        raise
    except unfit as error:
        cause = str(getattr(error, "orig", error)).partition("\n")[0][:100]
        raise InputError(
            f"{name} is damaged, or no campaign of Tercet's: {type(error).__name__}, {cause}.",
            hint="Take a copy of it that was made by tercet campaign backup.",
        ) from error


@contextlib.contextmanager
def storing(given: str | os.PathLike[str], *, new: bool = True) -> Iterator[None]:
    """While a campaign is written: what the disk or the database refuses is told, and of a new one nothing is left."""
    refused: tuple[type[Exception], ...] = (OSError, _sqlalchemy().exc.DBAPIError)
    try:
        yield
    except BaseException as error:
        if new and not is_database(given):
            for end in ("", "-journal", "-wal", "-shm", ".lock"):
                pathlib.Path(f"{given}{end}").unlink(missing_ok=True)
        if not isinstance(error, refused):
            raise
        reason = str(getattr(error, "orig", None) or getattr(error, "strerror", None) or error).strip()
        raise InputError(
            f"{shown(given)} cannot be written: {reason.partition(chr(10))[0]}.",
            hint=_ROOM,
        ) from error


class Log:
    """The log of one campaign; `Log.create` makes it, `Log(given)` opens it."""

    def __init__(self, given: str | os.PathLike[str], *, new: bool = False) -> None:
        self.given, self.name = given, shown(given)
        self._sa = _sqlalchemy()
        self.postgresql = is_database(given)
        if self.postgresql:
            extra("psycopg", "psycopg", "postgresql", "A campaign in PostgreSQL")
            url = "postgresql+psycopg://" + DATABASE.sub("", str(given), count=1)
            try:
                self._engine = self._sa.create_engine(url, poolclass=self._sa.pool.NullPool)
            except (ValueError, self._sa.exc.SQLAlchemyError):
                raise InputError(f"{self.name} is no address of a database.", hint=_ADDRESS) from None
        else:
            self._engine = self._file(pathlib.Path(given), new)
        self._tables = _tables(self._sa)
        self._held: contextlib.ExitStack | None = None
        self._writing: Any = None  # the connection of the writer, kept open
        if not new:
            self._require_campaign()

    def _file(self, path: pathlib.Path, new: bool) -> Any:
        sa = self._sa
        if new and path.exists():
            raise InputError(f"{path} is there already.", hint="Name another file, or move it away.")
        if not new:
            if not path.is_file():
                raise InputError(f"There is no campaign {path}.", hint="Make one with tercet campaign create.")
            if _beginning(path, len(SQLITE)) != SQLITE:
                raise InputError(f"{path} is no campaign.", hint="Make one with tercet campaign create.")
        elif not path.absolute().parent.is_dir():
            raise InputError(f"The folder of {path} is not there.", hint="Make it first.")
        arguments = {"check_same_thread": False, "timeout": 30}
        engine = sa.create_engine(f"sqlite:///{path}", connect_args=arguments, poolclass=sa.pool.NullPool)

        @sa.event.listens_for(engine, "connect")  # type: ignore[untyped-decorator]
        def _connected(connection: Any, _: Any) -> None:
            connection.isolation_level = None  # transactions begin where we say so
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", *_DISTRUST):
                connection.execute(f"PRAGMA {pragma}")

        @sa.event.listens_for(engine, "begin")  # type: ignore[untyped-decorator]
        def _begin(connection: Any) -> None:
            writing = connection.get_execution_options().get("tercet_writes")
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

        return engine

    def _tables_there(self) -> set[str]:
        try:
            return set(self._sa.inspect(self._engine).get_table_names())
        except (self._sa.exc.SQLAlchemyError, ValueError) as error:  # of a host that no name can be, too
            reason = str(getattr(error, "orig", error)).strip().partition("\n")[0]
            raise InputError(
                f"{self.name} cannot be opened: {reason}.", hint=_ADDRESS if self.postgresql else _ROOM
            ) from None

    def _require_campaign(self) -> None:
        """Tables are those of a campaign, with their columns, of a version that is known; and none acts on its own."""
        tables = {**self._tables, "alembic_version": None}
        if not tables.keys() <= self._tables_there():
            raise InputError(f"{self.name} holds no campaign.", hint="Make one with tercet campaign create.")
        with as_told(self.name), self._engine.connect() as connection:
            there = self._sa.inspect(connection)
            for name, table in self._tables.items():
                missing = {column.name for column in table.columns} - {c["name"] for c in there.get_columns(name)}
                if missing:
                    raise LookupError(f"{name} has no column {', '.join(sorted(missing))}")
            if not self.postgresql:
                acting = "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view') LIMIT 1"
                if (actor := connection.exec_driver_sql(acting).scalar()) is not None:
                    raise ValueError(f"it has a trigger or a view, {str(actor)[:40]!a}")
            version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        if version not in _VERSIONS:
            raise InputError(
                f"{self.name} has tables of version {str(version)[:20]!a}, which is not known here.",
                hint="Take a newer Tercet, or the file as it was.",
            )

    @classmethod
    def is_there(cls, given: str | os.PathLike[str]) -> bool:
        """Whether there is something at a place: a file of this name, or a database that holds a campaign."""
        return "events" in cls(given, new=True)._tables_there() if is_database(given) else os.path.exists(given)

    @classmethod
    def create(cls, given: str | os.PathLike[str]) -> Log:
        """A log without events; tables are made by the migrations, as they are for an older campaign."""
        log = cls(given, new=True)
        with storing(given):
            try:
                if "events" in log._tables_there():
                    raise InputError(f"{log.name} holds a campaign already.", hint="Name another database.")
                log.migrate()
            except BaseException:
                log.close()
                raise
        return log

    def migrate(self) -> None:
        """Bring tables to the newest form; nothing happens where they have it."""
        alembic = extra("alembic.command", "alembic", "campaign", "A campaign")
        config = extra("alembic.config", "alembic", "campaign", "A campaign").Config()
        config.set_main_option("script_location", str(pathlib.Path(__file__).parent / "migrations"))
        with self._engine.connect().execution_options(tercet_writes=True) as connection:
            config.attributes["connection"] = connection
            alembic.upgrade(config, "head")
            connection.commit()

    def hold(self) -> None:
        """Become the one who writes, until `close`; another process that does so is refused."""
        if self._held is not None:
            return
        refused = InputError(
            f"{self.name} is being served, or written, by another process.", hint="Stop that one first."
        )
        with contextlib.ExitStack() as stack:
            if self.postgresql:
                connection = stack.enter_context(self._engine.connect().execution_options(isolation_level="AUTOCOMMIT"))
                patience = time.monotonic() + _PATIENCE  # a process that was killed is not missed at once
                while not connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({_LOCK})").scalar():
                    if time.monotonic() > patience:
                        raise refused
                    time.sleep(0.05)
            else:
                file = stack.enter_context(self._lock_file())
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    raise refused from None
            self._held = stack.pop_all()

    def _lock_file(self) -> IO[bytes]:
        """The file that is locked; a planted pipe is not waited for, and a planted link is not followed."""
        descriptor = os.open(f"{self.given}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
        return os.fdopen(descriptor, "r+b", buffering=0)

    def close(self) -> None:
        """Let go of locks and connections."""
        if self._writing is not None:
            self._writing.close()
            self._writing = None
        if self._held is not None:
            self._held.close()
            self._held = None
            if not self.postgresql:
                pathlib.Path(f"{self.given}.lock").unlink(missing_ok=True)
        self._engine.dispose()

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _writer(self) -> Any:
        """The connection that writes: one, opened once."""
        self.hold()
        if self._writing is None:
            self._writing = self._engine.connect().execution_options(tercet_writes=True)
        return self._writing

    def append(self, events: Sequence[Event]) -> list[Stored]:
        """Store events in one transaction, each once; they are on disk when this returns."""
        sa, table = self._sa, self._tables["events"]
        connection = self._writer()
        now = time.time()
        with connection.begin():
            keys = list(dict.fromkeys(event.key for event in events))
            there = {row.key: _event(row) for row in self._by_key(connection, keys, table)}
            fresh = {e.key: e for e in reversed(events) if e.key not in there}  # the first of a key stays
            rows = [_row(e, now) for e in reversed(fresh.values())]
            if rows:
                connection.execute(sa.insert(table), rows)
            places = {row.key: row.seq for row in self._by_key(connection, list(fresh), table.c.key, table.c.seq)}
        results = []
        for event in events:
            new = fresh.pop(event.key, None)
            if new is not None:
                there[event.key] = dataclasses.replace(new, seq=places[event.key], server_time=new.server_time or now)
            results.append(Stored(there[event.key], new is not None))
        return results

    def _by_key(self, connection: Any, keys: Sequence[str], *columns: Any) -> Iterator[Any]:
        """Rows of events that are there, by their keys."""
        table = self._tables["events"]
        for at in range(0, len(keys), _CHUNK):
            some = keys[at : at + _CHUNK]
            yield from connection.execute(self._sa.select(*columns).where(table.c.key.in_(some)))

    def events(self, after: int = 0, most: int | None = None) -> Iterator[Event]:
        """All events in their order, or those after a place, at most so many."""
        table = self._tables["events"]
        asked = self._sa.select(table).where(table.c.seq > after).order_by(table.c.seq).limit(most)
        budget = self._budget()
        with (
            self._engine.connect().execution_options(yield_per=_CHUNK) as connection,
            connection.execute(asked) as rows,
        ):
            for row in rows:
                budget.take(_HELD * len(row.body))
                yield _event(row)

    def _budget(self) -> Budget:
        return Budget(f"What {self.name} tells", "Make a campaign of each language pair.")

    def fill(self, passages: Iterable[Passage], batches: Iterable[Sequence[Mapping[str, Any]]], first: Event) -> None:
        """What a new campaign shows and hands out, and its first event: all of it, or nothing."""
        sa = self._sa
        with self._writer().begin():
            for name, bodies in (("passages", map(as_record, passages)), ("batches", map(list, batches))):
                rows = [{"n": n, "body": json.dumps(body)} for n, body in enumerate(bodies)]
                if rows:
                    self._writing.execute(sa.insert(self._tables[name]), rows)
            self._writing.execute(sa.insert(self._tables["events"]), [_row(first, time.time())])

    def passages(self) -> list[Any]:
        """What is shown, as it is kept."""
        return list(self._bodies("passages"))

    def batches(self) -> list[list[dict[str, Any]]]:
        """What is handed out together."""
        return [cast(list[dict[str, Any]], body) for body in self._bodies("batches")]

    def _bodies(self, name: str) -> Iterator[Any]:
        table = self._tables[name]
        with self._engine.connect() as connection:
            budget = self._budget()
            for row in connection.execute(self._sa.select(table.c.body).order_by(table.c.n)):
                budget.take(_HELD * len(row.body))
                yield json.loads(row.body)

    def copy(self, target: pathlib.Path) -> None:
        """The whole campaign as one SQLite file, as it is at this moment, also while it is served."""
        if target.exists():
            raise InputError(f"{target} is there already.", hint="Name another file.")
        part = target.with_name(target.name + ".part")
        part.unlink(missing_ok=True)
        sa = self._sa
        try:
            with storing(part), Log.create(part) as other, self._engine.connect() as connection:
                snapshot = {"isolation_level": "REPEATABLE READ"} if self.postgresql else {}
                connection = connection.execution_options(**snapshot)
                with other._writer().begin():
                    for name, table in self._tables.items():
                        column = table.c.seq if name == "events" else table.c.n
                        rows = connection.execution_options(yield_per=_CHUNK).execute(sa.select(table).order_by(column))
                        for chunk in rows.mappings().partitions(_CHUNK):
                            other._writing.execute(sa.insert(table), [dict(row) for row in chunk])
            part.replace(target)
        finally:
            for left in (part, *(part.with_name(part.name + end) for end in ("-wal", "-shm", ".lock"))):
                left.unlink(missing_ok=True)


def _row(event: Event, now: float) -> dict[str, Any]:
    try:
        body = json.dumps(event.body, separators=(",", ":"), allow_nan=False)
    except ValueError:
        raise InputError(
            f"What is told of {event.key!r} holds a number that is not finite.", hint="Leave it out, or write null."
        ) from None
    return {
        "key": event.key,
        "actor": event.actor,
        "kind": event.kind,
        "item": event.item,
        "body": body,
        "client_time": event.client_time,
        "server_time": event.server_time or now,
    }


def _event(row: Any) -> Event:
    return Event(
        row.key, row.actor, row.kind, json.loads(row.body), row.item, row.client_time, row.server_time, row.seq
    )

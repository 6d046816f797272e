"""`simulate`: robots that annotate over HTTP, for rehearsals.

A robot opens its link, asks for items, thinks, and answers as the protocol's file wants it. Systems have abilities; an
output is worth that of its systems plus noise, and a careless robot answers without reading. Robots see what people
see: which system made an output is looked up by its text. Each acknowledged answer is a line of the receipts at once.
"""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import http.cookies
import json
import pathlib
import random
import socket
import ssl
import statistics
import threading
import time
import urllib.parse
from collections.abc import Mapping, Sequence
from typing import IO, Any

from tercet.campaigns.campaign import Campaign
from tercet.campaigns.create import links_path
from tercet.campaigns.log import Log
from tercet.campaigns.protocol import Field
from tercet.errors import InputError
from tercet.options import verb
from tercet.options.campaigns import SimulateOptions
from tercet.options.judging import mapped

AT_ONCE = 3  # items that a robot asks for
SPREAD = 4.0  # between the best and the worst system
UNREACHED = (ConnectionError, TimeoutError, http.client.HTTPException, OSError)


@dataclasses.dataclass
class Rehearsal:
    """What robots did: answers acknowledged, those that were sent again, errors, and how long each took."""

    answers: int = 0
    repeated: int = 0
    errors: int = 0
    seconds: float = 0.0
    waits: list[float] = dataclasses.field(default_factory=list, repr=False)
    first_error: str = ""

    def as_record(self) -> dict[str, Any]:
        """One flat record."""
        waits = sorted(self.waits) or [0.0]
        return {
            "answers": self.answers,
            "repeated": self.repeated,
            "errors": self.errors,
            "seconds": round(self.seconds, 3),
            "answers_per_second": round(self.answers / self.seconds, 1) if self.seconds else 0.0,
            "p50_ms": round(1000 * waits[len(waits) // 2], 1),
            "p99_ms": round(1000 * waits[min(len(waits) - 1, len(waits) * 99 // 100)], 1),
            "max_ms": round(1000 * waits[-1], 1),
        }


class Opinions:
    """What robots know of the campaign: how good each output is, by its text."""

    def __init__(self, campaign: Campaign, asked: SimulateOptions) -> None:
        given = {name: float(number) for name, number in mapped(asked.abilities or []).items()}
        systems = campaign.material.systems
        unknown = [name for name in given if name not in systems]
        if unknown:
            raise InputError(f"There is no system {', '.join(unknown)}.", hint=f"There are {', '.join(systems)}.")
        step = SPREAD / max(1, len(systems) - 1)
        ability = [given.get(s, SPREAD / 2 - step * i) for i, s in enumerate(sorted(systems))]
        by_name = dict(zip(sorted(systems), ability, strict=True))
        worths: dict[tuple[str | None, str], list[float]] = {}
        for passage in campaign.material.passages:
            for system, text in zip(systems, passage.outputs, strict=True):
                worths.setdefault((passage.source, text), []).append(by_name[system])
                worths.setdefault((None, text), []).append(by_name[system])
            worths.setdefault((None, passage.reference or ""), []).append(SPREAD / 2 + 1)
        self._worths = {key: statistics.fmean(values) for key, values in worths.items()}

    def worth(self, source: str | None, text: str) -> float:
        """How good an output is: what is not known was degraded, or is of a tutorial."""
        bad = -SPREAD
        return self._worths.get((source, text), self._worths.get((None, text), bad))


class Line:
    """A connection to a server that is kept open: as little of HTTP as robots need, since they share its machine."""

    def __init__(self, url: str) -> None:
        wrong = InputError(f"{url} is no address of a server.", hint="Write it as http://127.0.0.1:8000")
        try:
            address = urllib.parse.urlsplit(url)
            host, port = address.hostname, address.port
        except ValueError:  # as of a port that no number is
            raise wrong from None
        if address.scheme not in ("http", "https") or not host:
            raise wrong
        self._tls = address.scheme == "https"
        self._place = host, port or (443 if self._tls else 80)
        self._host = address.netloc.rpartition("@")[2]
        self._socket: socket.socket | None = None

    def ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> tuple[int, str, bytes]:
        """One request: status, headers and body of the reply; one of UNREACHED where there is none."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self._host}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        try:
            if self._socket is None:
                self._socket = self._connected()
            self._socket.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
            return self._reply(self._socket)
        except UNREACHED:
            self.close()
            raise

    def _connected(self) -> socket.socket:
        plain = socket.create_connection(self._place, timeout=60)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return ssl.create_default_context().wrap_socket(plain, server_hostname=self._place[0]) if self._tls else plain

    def _reply(self, line: socket.socket) -> tuple[int, str, bytes]:
        read = b""
        while b"\r\n\r\n" not in read:
            read += self._more(line)
        head, _, body = read.partition(b"\r\n\r\n")
        first, *fields = head.decode("latin-1").split("\r\n")
        told = {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}
        if "content-length" not in told:
            raise http.client.HTTPException("a reply that does not say how long it is")
        while len(body) < int(told["content-length"]):
            body += self._more(line)
        if told.get("connection", "").lower() == "close":
            self.close()
        return int(first.split(" ")[1]), "\n".join(fields), body

    @staticmethod
    def _more(line: socket.socket) -> bytes:
        read = line.recv(1 << 16)
        if not read:
            raise ConnectionResetError("the server has closed the connection")
        return read

    def close(self) -> None:
        """Let go of the connection; the next request makes a new one."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


class Robot:
    """One annotator over HTTP."""

    def __init__(self, asked: SimulateOptions, link: str, number: int, opinions: Opinions | None) -> None:
        self.asked, self._link, self._opinions = asked, link, opinions
        self.rng = random.Random(f"{asked.seed}/{number}")  # noqa: S311 - a rehearsal
        before, so_far = (int(round(n * asked.careless, 9)) for n in (number, number + 1))
        self.careless = before < so_far  # that share of the robots, whatever is drawn
        self._line = Line(asked.url)
        self._headers: dict[str, str] = {"Content-Type": "application/json"}
        self.fields: list[Field] = []
        self.rules: list[dict[str, Any]] = []

    @classmethod
    def alone(cls, url: str, link: str) -> Robot:
        """A robot that has entered, to be told what to do; it has no opinions."""
        robot = cls(SimulateOptions("", url=url), link, 0, None)
        robot.enter()
        return robot

    def enter(self) -> None:
        """Exchange the link for a cookie, and read the protocol."""
        status, told, _ = self._line.ask("GET", self._link, {})
        if status != 303:
            raise InputError(f"The link of a robot is refused: {status}.", hint="Are the links of this campaign?")
        fields = (field.partition(":") for field in told.split("\n"))
        set_cookies = [value.strip() for name, _, value in fields if name.lower() == "set-cookie"]
        cookies = http.cookies.SimpleCookie("; ".join(set_cookies))
        self._headers["Cookie"] = "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items())
        known = self.ask("GET", "/api/protocol")
        self._headers["X-CSRF-Token"] = known["csrf"]
        self.fields = [Field(**field) for field in known["protocol"]["fields"]]
        self.rules = known["protocol"].get("rules", [])

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """One request; an error of the server is raised."""
        sent = b"" if body is None else json.dumps(body).encode()
        status, _, text = self._line.ask(method, path, self._headers, sent)
        if status != 200:
            raise InputError(f"{method} {path} gave {status}: {text[:200]!r}.", hint="See the server.")
        return json.loads(text)

    def close(self) -> None:
        """Close the connection to the server."""
        self._line.close()

    def think(self) -> float:
        """Seconds before the next answer."""
        return self.rng.lognormvariate(0, 0.3) * self.asked.think if self.asked.think else 0.0

    def answer(self, item: Mapping[str, Any]) -> dict[str, Any]:
        """An answer as the protocol wants it."""
        noise = self.asked.noise
        texts = [output["text"] for output in item["outputs"]]
        if self._opinions is not None and not self.careless:
            worths = [self._opinions.worth(item["source"], text) + self.rng.gauss(0, noise) for text in texts]
        else:
            worths = [self.rng.gauss(0, SPREAD) for _ in texts]
        answer: dict[str, Any] = {"outputs": [{} for _ in texts]}
        for field in self.fields:
            if field.of == "item":
                answer[field.name] = self._chosen(field, worths)
                continue
            for i, output in enumerate(answer["outputs"]):
                output[field.name] = self._value(field, i, worths, texts[i])
        for rule in self.rules:  # who finds nothing to mark is content
            for output in answer["outputs"]:
                if not output[rule["needs"]]:
                    output[rule["field"]] = max(output[rule["field"]], rule["below"])
        if all(field.of == "item" for field in self.fields):
            del answer["outputs"]
        return answer

    def _chosen(self, field: Field, worths: Sequence[float]) -> str:
        gap = worths[0] - worths[-1]
        return field.choices[1 if abs(gap) < 0.5 else 0 if gap > 0 else 2]

    def _value(self, field: Field, i: int, worths: Sequence[float], text: str) -> Any:
        if field.widget == "rank":
            return 1 + sum(other > worths[i] + 0.25 for other in worths)
        if field.widget == "score":
            least, most = field.least, field.most
            share = min(1.0, max(0.0, 0.5 + worths[i] / (2.5 * SPREAD)))
            return round(least + share * (most - least))
        if field.widget == "spans":
            return self._spans(field, worths[i], text)
        words = text.split()
        spoilt = [w for w in words if self.rng.random() < 0.5 + worths[i] / (2 * SPREAD)]
        return " ".join(spoilt) or text or "?"

    def _spans(self, field: Field, worth: float, text: str) -> list[dict[str, Any]]:
        """An error where the output is not the best: the worse, the more severe."""
        if not text or worth > SPREAD / 2:
            return []
        start = self.rng.randrange(len(text))
        severity = (
            field.severities[-1] if (worth < 0) == (field.severities[0].lower() == "minor") else field.severities[0]
        )
        span = {"side": "target", "start": start, "end": min(len(text), start + 5), "severity": severity}
        return [span | {"category": self.rng.choice(field.category_names) if field.categories else None}]


def run_robot(robot: Robot, until: float, result: Rehearsal, receipts: IO[str] | None, lock: threading.Lock) -> None:
    """Annotate until the time is over or nothing is left; what is not acknowledged is sent again."""
    outbox: list[dict[str, Any]] = []
    items: list[dict[str, Any]] = []
    entered, pause = False, 0.05
    stop = robot.asked.stop or threading.Event()
    while not stop.is_set() and (time.monotonic() < until or outbox):
        try:
            if not entered:
                robot.enter()
                entered = True
            if not outbox:
                items = items or robot.ask("GET", f"/api/items?n={AT_ONCE}")["items"]
                if not items:
                    return
                item = items.pop(0)
                begun = time.monotonic()
                wait = robot.think()
                time.sleep(min(wait, max(0.0, until - time.monotonic())))
                seconds = time.monotonic() - begun
                answer = {"key": item["key"], "answer": robot.answer(item)}
                outbox = [answer | {"seconds": seconds, "time": time.time()}]
            before = time.monotonic()
            reply = robot.ask("POST", "/api/answers", {"answers": outbox})
            waited = time.monotonic() - before
        except UNREACHED as error:
            with lock:
                result.errors += 1
                result.first_error = result.first_error or repr(error)
            if time.monotonic() >= until + 5:
                return
            time.sleep(pause)
            pause = min(1.0, 2 * pause)
            continue
        except InputError as error:
            with lock:
                result.errors += 1
                result.first_error = result.first_error or str(error)
            return
        pause, outbox = 0.05, []
        with lock:
            for receipt in reply["receipts"]:
                if "error" in receipt:
                    result.errors += 1
                    result.first_error = result.first_error or receipt["error"]
                    continue
                result.answers += 1
                result.repeated += receipt["repeated"]
                result.waits.append(waited)
                if receipts is not None:
                    receipts.write(f"{receipt['key']}\t{receipt['receipt']}\n")
                    receipts.flush()


@verb(SimulateOptions)
def simulate_campaign(asked: SimulateOptions) -> Rehearsal:
    """Have robots annotate a campaign that is served: for rehearsals, and to see how many answers a server bears."""
    file = links_path(asked.campaign, asked.links)
    if not file.is_file():
        raise InputError(f"There is no file of links {file}.", hint="Name it with --links.")
    links = [line.split("\t")[-1] for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    if len(links) < asked.annotators:
        raise InputError(
            f"{file} has {len(links)} links, and {asked.annotators} robots need one each.", hint="Ask for fewer."
        )
    with Campaign(Log(asked.campaign)) as campaign:
        opinions = Opinions(campaign, asked)
    paths = [urllib.parse.urlsplit(link).path for link in links]
    return rehearse([Robot(asked, paths[i], i, opinions) for i in range(asked.annotators)], asked)


def rehearse(robots: Sequence[Robot], asked: SimulateOptions) -> Rehearsal:
    """Have these robots annotate, all at once."""
    result, lock = Rehearsal(), threading.Lock()
    begun = time.monotonic()
    with contextlib.ExitStack() as stack:
        receipts = None
        if asked.receipts is not None:
            receipts = stack.enter_context(pathlib.Path(asked.receipts).open("a", encoding="utf-8"))
        arguments = (begun + asked.seconds, result, receipts, lock)
        threads = [threading.Thread(target=run_robot, args=(robot, *arguments), daemon=True) for robot in robots]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for robot in robots:
            robot.close()
    result.seconds = time.monotonic() - begun
    return result

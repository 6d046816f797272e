"""Small campaigns that are served to a browser, and the hands of a person in front of it."""

from __future__ import annotations

import contextlib
import json
import pathlib
import socket
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tercet.campaigns.campaign import Campaign
from tercet.campaigns.create import Created, create_campaign
from tercet.campaigns.protocol import Field, load_protocol
from tercet.data import TestSet

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

LATIN = ("Die kleine Fähre legt heute um neun ab.", "Im Hafen regnet es seit dem Morgen, und niemand fragt warum.")
ARABIC = ("تغادر العبارة الصغيرة الميناء في التاسعة.", "تمطر في الميناء منذ الصباح ولا أحد يسأل لماذا.")
SOURCES = ("The small ferry leaves at nine today.", "It has rained in the harbour since morning, and nobody asks why.")
SYSTEMS = ("alpha", "bravo", "carol", "delta", "echo")


def material(right_to_left: bool = False, outputs: tuple[str, ...] = ()) -> TestSet:
    """Two segments by five systems; `outputs` are put before what the systems say."""
    base = ARABIC if right_to_left else LATIN
    systems = {}
    for i, name in enumerate(SYSTEMS):
        words = [text.split() for text in base]
        systems[name] = [" ".join([*w[i % 3 :], *w[: i % 3], *w[: i // 3]]) for w in words]
    for name, text in zip(SYSTEMS, outputs, strict=False):
        systems[name] = [f"{text} {line}" for line in systems[name]]
    return TestSet.of(systems, list(base), sources=list(SOURCES), documents=["d", "d"], segments=["1", "2"])


def made(folder: pathlib.Path, protocol: str, right_to_left: bool = False, **more: Any) -> Created:
    """A campaign of a few items."""
    pair = "en-ar" if right_to_left else "en-de"
    options: dict[str, Any] = {"testset": material(right_to_left), "pair": pair, "items": 2, "annotators": 2} | more
    return create_campaign(folder / "campaign.db", protocol=protocol, **options)


@contextlib.contextmanager
def served(path: str | pathlib.Path, port: int = 0) -> Iterator[str]:
    """The address of a campaign's server, in a thread of this process, at some port or at the one that is named."""
    import uvicorn

    from tercet.server.app import make_app

    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    server = uvicorn.Server(uvicorn.Config(make_app(Campaign.open(path)), log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        listening.close()


def stored(path: str | pathlib.Path, name: str | None = None) -> list[dict[str, Any]]:
    """Answers that are stored, in their order, of the tutorial too; of all annotators, or of one."""
    with Campaign.open(path) as campaign:
        return [
            annotator.answers[item].body["answer"]
            for annotator in campaign.state.annotators.values()
            for item in annotator.order
            if name in (None, annotator.name)
        ]


def lose_a_reply(page: Page) -> list[list[str]]:
    """Have the first reply to answers get lost, after they were stored; the keys of each request that is sent."""
    sent: list[list[str]] = []

    def lose(route: Route) -> None:
        sent.append([answer["key"] for answer in json.loads(route.request.post_data or "")["answers"]])
        if len(sent) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/api/answers", lose)
    return sent


class Person:
    """Someone who answers what a page shows, and knows what they meant."""

    def __init__(self, page: Page, protocol: str) -> None:
        self.page = page
        self.fields = load_protocol(protocol).fields

    def texts(self) -> list[str]:
        """The outputs as they can be read."""
        shown = ".output .candidate .text, .output [data-side=target]"
        texts: list[str] = self.page.locator(shown).evaluate_all("all => all.map(e => e.textContent)")
        return texts or self.page.locator(".output textarea").evaluate_all("all => all.map(e => e.value)")

    def answer(self, number: int) -> dict[str, Any]:
        """Answer the item that is shown, each item in another way; what was meant."""
        self.page.locator(".item").wait_for()
        n = self.page.locator(".output").count()
        texts = self.texts()
        of_outputs = [field for field in self.fields if field.of == "output"]
        said: dict[str, Any] = {"outputs": [{} for _ in range(n)]} if of_outputs else {}
        for i in range(n):
            for field in of_outputs:
                said["outputs"][i][field.name] = self._value(field, i, number, texts[i])
        for field in self.fields:
            if field.of == "item":
                said[field.name] = self.choose(field, number % len(field.choices))
        return said

    def _value(self, field: Field, i: int, number: int, text: str) -> Any:
        if field.widget == "rank":
            return self.rank(i, (i + number) % self.page.locator(".output").count() + 1)
        if field.widget == "score":
            few = field.element == "choices"
            return self.step(field, i, number % 5) if few else self.score(field, i, number)
        if field.widget == "edit":
            return self.edit(i, text)
        return self.spans(field, i, text)

    def box(self, i: int, field: Field) -> Locator:
        """The widget of a field of an output."""
        alike = [f.name for f in self.fields if f.of == "output" and f.element == field.element]
        return self.page.locator(".output").nth(i).locator(f"tercet-{field.element}").nth(alike.index(field.name))

    def expected_spans(self, field: Field, text: str) -> list[dict[str, Any]]:
        """The first two units with the last severity, then something that is missing with the first."""
        words = text.split(" ")
        end = len(words[0]) + 1 + len(words[1]) if field.select == "word" else 2
        category = field.category_names[0] if field.categories else None
        first = {"side": "target", "start": 0, "end": end, "severity": field.severities[-1], "category": category}
        return [first, first | {"start": None, "end": None, "severity": field.severities[0]}]

    def rank(self, i: int, value: int) -> int:
        """Give a rank to an output."""
        raise NotImplementedError

    def choose(self, field: Field, place: int) -> str:
        """Choose one of the choices."""
        raise NotImplementedError

    def step(self, field: Field, i: int, place: int) -> float:
        """Choose a step of a short scale."""
        raise NotImplementedError

    def score(self, field: Field, i: int, number: int) -> float:
        """Choose a point of a long scale."""
        raise NotImplementedError

    def spans(self, field: Field, i: int, text: str) -> list[dict[str, Any]]:
        """Mark errors in an output."""
        raise NotImplementedError

    def edit(self, i: int, text: str) -> str:
        """Correct an output."""
        raise NotImplementedError

    def next(self) -> None:
        """Go on."""
        raise NotImplementedError


class Mouse(Person):
    """By mouse, or by finger where the page is touched."""

    def __init__(self, page: Page, protocol: str, touch: bool = False) -> None:
        super().__init__(page, protocol)
        self._touch = touch

    def press(self, place: Locator) -> None:
        """Click, or tap."""
        place.tap() if self._touch else place.click()

    def rank(self, i: int, value: int) -> int:
        self.press(self.page.locator(".output").nth(i).locator(".rank label").nth(value - 1))
        return value

    def choose(self, field: Field, place: int) -> str:
        self.press(self.page.locator(".choose label").nth(place))
        return field.choices[place]

    def step(self, field: Field, i: int, place: int) -> float:
        self.press(self.box(i, field).locator("label").nth(place))
        return field.least + place

    def score(self, field: Field, i: int, number: int) -> float:
        box = self.box(i, field)
        if field.marks and number % 2:
            self.press(box.locator(".marks button").nth(1))
            return field.marks[1]
        slider = box.locator("input[type=range]")
        size = slider.bounding_box()
        assert size is not None
        at = {"x": size["width"] * 0.7, "y": size["height"] / 2}
        slider.tap(position=at) if self._touch else slider.click(position=at)  # type: ignore[arg-type]
        shown = float(box.locator("input[type=number]").input_value())
        assert 50 < shown < 90
        return shown

    def spans(self, field: Field, i: int, text: str) -> list[dict[str, Any]]:
        box = self.box(i, field)
        units = box.locator("[data-side=target] [data-i]")
        self.press(units.nth(0))
        self.press(units.nth(2 if field.select == "word" else 1))
        self._mark(box, field, -1)
        self.press(box.locator(".missing"))
        self._mark(box, field, 0)
        return self.expected_spans(field, text)

    def _mark(self, box: Locator, field: Field, severity: int) -> None:
        if field.categories:
            box.locator("select").select_option(field.category_names[0])
        self.press(box.locator(".severity").nth(severity))

    def edit(self, i: int, text: str) -> str:
        area = self.page.locator(".output").nth(i).locator("textarea")
        self.press(area)
        area.press("Control+End")
        area.type(" x")
        return f"{text} x"

    def next(self) -> None:
        self.press(self.page.locator("#next"))


class Keys(Person):
    """By keyboard alone."""

    def reach(self, selector: str) -> None:
        """Press Tab until something has the focus."""
        for _ in range(80):
            if self.page.evaluate("s => document.activeElement.matches(s)", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not reach {selector}")

    def rank(self, i: int, value: int) -> int:
        self.page.keyboard.press(str(value))  # the focus goes on by itself
        return value

    def choose(self, field: Field, place: int) -> str:
        self.page.keyboard.press(str(place + 1))
        return field.choices[place]

    def step(self, field: Field, i: int, place: int) -> float:
        value = int(field.least) + place
        self.page.keyboard.press(str(value))
        return value

    def score(self, field: Field, i: int, number: int) -> float:
        self.reach(f".output:nth-child({i + 1}) input[type=range]")
        self.page.keyboard.type(str(61 + number))  # goes into the number beside it
        return 61 + number

    def spans(self, field: Field, i: int, text: str) -> list[dict[str, Any]]:
        keyboard = self.page.keyboard
        self.reach(f".output:nth-child({i + 1}) [data-side=target]")
        right_to_left = self.page.evaluate("() => getComputedStyle(document.activeElement).direction") == "rtl"
        arrow = "ArrowLeft" if right_to_left else "ArrowRight"
        keyboard.press(arrow)
        keyboard.press(f"Shift+{arrow}")
        self._mark(field, len(field.severities))
        keyboard.press("m")
        self._mark(field, 1)
        return self.expected_spans(field, text)

    def _mark(self, field: Field, severity: int) -> None:
        keyboard = self.page.keyboard
        if not field.categories:
            keyboard.press(str(severity))
            return
        keyboard.press("Enter")
        keyboard.press("ArrowDown")
        self.reach(f".severity:nth-child({severity})")
        keyboard.press("Enter")

    def edit(self, i: int, text: str) -> str:
        self.reach(f".output:nth-child({i + 1}) textarea")
        self.page.keyboard.press("Control+End")
        self.page.keyboard.type(" x")
        return f"{text} x"

    def next(self) -> None:
        self.page.keyboard.press("Control+Enter")

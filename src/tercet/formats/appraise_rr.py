"""Rankings as Appraise exports them, XML of WMT13 to WMT16.

    <WMT15-results>
      <HIT source-language="deu" target-language="eng" ...>
        <ranking-task id="7">
          <ranking-result user="..." duration="00:01:14.726000">
            <translation system="a,b" rank="3"/>

The id of a ranking task is its segment. Several judges may have done it; a result without translations was skipped.
Systems that share an output are separated by commas. Judges keep their names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from xml.sax.saxutils import quoteattr  # which writes, and parses nothing

import numpy as np

from tercet.data import SKIPPED, UNKNOWN, Rankings
from tercet.errors import InputError
from tercet.formats import lines
from tercet.formats.cells import clock, duration
from tercet.formats.languages import PairChoice
from tercet.formats.lines import File
from tercet.formats.markup import Walker
from tercet.formats.names import Names
from tercet.formats.tasks import Tasks

_RANK = re.compile(r"-?[0-9]{1,9}")
_ACTS = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def read(path: File, pair: str | None = None) -> Rankings:
    """The rankings of one language pair, which may be left out if the file has only one."""
    reader = _CampaignReader(path, pair)
    reader.walk()
    return reader.tasks().rankings()


def write(rankings: Rankings, path: File) -> None:
    """Rankings as Appraise has them; a judge who is not known is called `unknown`, and lines are not kept."""
    for name in (*rankings.systems, *rankings.judges, *rankings.segments):
        if _NO_XML.search(name) or ("," in name and name in rankings.systems):
            hint = "Take the comma away." if "," in name else "Take out what no XML can hold."
            raise InputError(f"Appraise's rankings cannot hold the name {name!r}.", hint=hint)
    lines.write(path, _written(rankings))


def _written(x: Rankings) -> Iterator[str]:
    source, _, target = x.pair.partition("-")
    if not target:
        raise InputError(f"Appraise's rankings must say the language pair of {x.file}.", hint="Give it: pair=...")
    outputs = [",".join(x.systems[s] for s in members) for members in x.outputs]
    yield f"<tercet-results>\n<HIT source-language={_attribute(source)} target-language={_attribute(target)}>\n"
    for task in range(len(x)):
        user = "unknown" if x.judge[task] == UNKNOWN else x.judges[x.judge[task]]
        seconds = math.nan if x.seconds is None else float(x.seconds[task])
        spent = "" if math.isnan(seconds) else f" duration={_attribute(clock(seconds))}"
        yield f"<ranking-task id={_attribute(x.segments[x.segment[task]])}>"
        yield f"<ranking-result user={_attribute(user)}{spent}>"
        for i in range(x.starts[task], x.starts[task + 1]):
            yield f'<translation system={_attribute(outputs[x.output[i]])} rank="{int(x.rank[i])}"/>'
        yield "</ranking-result></ranking-task>\n"
    yield "</HIT>\n</tercet-results>\n"


def _attribute(text: str) -> str:
    """A value in quotation marks; what acts on the text around it, or on a terminal, is spelt."""
    return _ACTS.sub(lambda char: f"&#{ord(char[0])};", quoteattr(text))


def pairs(path: File) -> list[str]:
    """The language pairs of a file."""
    reader = _CampaignReader(path, None)
    reader.walk()
    return list(reader.choice.pairs)


class _CampaignReader(Walker):
    """Collects results while expat walks through the file."""

    def __init__(self, path: File, pair: str | None) -> None:
        super().__init__(path)
        self.choice = PairChoice(self.file, pair)
        self.root = ""
        self.languages: tuple[str, str] | None = None  # of the HIT that is open
        self.segment: str | None = None  # of the task that is open
        self.open = False  # whether a result is, of the pair that is wanted
        self.inside = False  # whether any result is
        self.segments: Names[str] = Names()
        self.judges: Names[str] = Names()
        self.outputs: Names[tuple[str, ...]] = Names()
        self.results: list[tuple[int, int, int]] = []  # segment, judge, line
        self.seconds: list[float] = []
        self.counts: list[int] = []
        self.items: list[tuple[int, int]] = []  # output, rank

    def start(self, tag: str, given: Mapping[str, str]) -> None:
        if not self.root:
            self.root = tag
            if not tag.lower().endswith("results"):
                raise self.fault(
                    f"the outermost element is <{tag}>, not <...-results>", "Check that it is of Appraise."
                )
        elif tag == "HIT":
            self.languages = (
                self.attribute(tag, given, "source-language"),
                self.attribute(tag, given, "target-language"),
            )
        elif tag == "ranking-task":
            self.segment = self.attribute(tag, given, "id")
        elif tag == "ranking-result":
            self.open_result(given)
        elif tag == "translation":
            self.take(given)

    def end(self, tag: str) -> None:
        if tag == "HIT":
            self.languages = None
        elif tag == "ranking-task":
            self.segment = None
        elif tag == "ranking-result":
            self.open = self.inside = False

    def attribute(self, tag: str, given: Mapping[str, str], name: str) -> str:
        if not given.get(name):
            raise self.fault(f"a <{tag}> has no {name}", f"Add {name}=...")
        return given[name]

    def open_result(self, given: Mapping[str, str]) -> None:
        if self.languages is None or self.segment is None:
            raise self.fault("a <ranking-result> stands outside <HIT> or <ranking-task>", "Put both around it.")
        user = self.attribute("ranking-result", given, "user")
        spent = given.get("duration", "")
        seconds = duration(spent)
        if spent.strip() and np.isnan(seconds):
            raise self.fault(f"the duration is {spent!r}", "Write hours:minutes:seconds.")
        self.inside = True
        self.open = self.choice.row(self.languages, self.line)
        if self.open:
            self.results.append((self.segments[self.segment], self.judges[user], self.line))
            self.seconds.append(seconds)
            self.counts.append(0)

    def take(self, given: Mapping[str, str]) -> None:
        if not self.inside:
            raise self.fault("a <translation> stands outside every <ranking-result>", "Put one around it.")
        systems = tuple(self.attribute("translation", given, "system").split(","))
        rank = self.attribute("translation", given, "rank").strip()
        if not all(systems):
            raise self.fault(
                f"{given['system']!r} names no system before or after a comma", "Name it, or drop the comma."
            )
        if not _RANK.fullmatch(rank) or (int(rank) < 1 and int(rank) != SKIPPED):
            hint = "Ranks are whole numbers from 1 (best), or -1 for what was not judged."
            raise self.fault(f"the rank of {given['system']!r} is {rank!r}", hint)
        if self.open:
            self.items.append((self.outputs[systems], int(rank)))
            self.counts[-1] += 1

    def tasks(self) -> Tasks:
        """All results as tasks."""
        pair, notes = self.choice.result()
        segment, judge, line = np.array(self.results, dtype=np.int64).reshape(-1, 3).T
        output, rank = np.array(self.items, dtype=np.int64).reshape(-1, 2).T
        counts, seconds = np.array(self.counts, dtype=np.int64), np.array(self.seconds, dtype=np.float64)
        return Tasks(
            self.file,
            pair,
            notes,
            self.segments,
            self.judges,
            list(self.outputs),
            segment,
            judge,
            counts,
            output,
            rank,
            line,
            seconds,
        )

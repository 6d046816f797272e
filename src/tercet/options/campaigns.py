"""Options of `tercet campaign` and its verbs."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from tercet.errors import InputError
from tercet.options import Options, about, setting
from tercet.options.groups import BY_SUFFIX, PICTURES, Seeded, TestSetGiven, TestSetRead, require_folder_name, suffix_of
from tercet.options.judging import JudgementsGiven
from tercet.options.needs import Needs

Assignment: TypeAlias = Literal["shared", "fixed", "active"]
Feedback: TypeAlias = Literal["silent", "loud"]
ExportForm: TypeAlias = Literal["records", "wmt", "appraise", "mt-metrics-eval", "log"]

if TYPE_CHECKING:
    import threading

    CampaignGiven: TypeAlias = str | pathlib.Path
    Stop: TypeAlias = threading.Event
    Dealt: TypeAlias = Sequence[tuple[int, Sequence[Mapping[str, Any]]]]
else:  # what a shell gives
    CampaignGiven = Stop = Dealt = str

_EXPORTED = {"records": (".jsonl",), "log": (".jsonl",), "wmt": (".csv",), "appraise": (".csv",)}  # names of files
LONGEST_NAME = 100  # characters
_CAMPAIGN = "File of the campaign, or URL of its PostgreSQL database."


@dataclasses.dataclass(frozen=True)
class CampaignNamed(Options):
    """A campaign by its file or its URL."""

    campaign: CampaignGiven = dataclasses.field(metadata=about(_CAMPAIGN, argument="CAMPAIGN.db"))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Dealing(Seeded):
    """How items are made of a test set."""

    items: int | None = setting(None, "Items in all, before controls; every output once if none.", least=1)
    batch: int | None = setting(
        None, "Items that are handed out together; the protocol's otherwise.", least=1, most=10_000
    )
    checks: int = setting(0, "Of 100 items, how many have a degraded output to see who reads.", least=0, most=50)


@dataclasses.dataclass(frozen=True, kw_only=True)
class LinksKept(Options):
    """Where annotators' links are written, and read by robots."""

    links: pathlib.Path | None = setting(None, "File of the annotators' links; CAMPAIGN.links.tsv if none.")


@dataclasses.dataclass(frozen=True)
class CreateOptions(CampaignNamed, Dealing, TestSetRead, LinksKept):
    """What `create` takes."""

    needs: ClassVar[Mapping[str, Needs]] = {
        **dict.fromkeys(("batch", "checks", "seed"), Needs(beside={"assignment": ("active",)})),
        "overlap": Needs(beside={"assignment": ("fixed", "active")}),
    }
    _: dataclasses.KW_ONLY
    testset: TestSetGiven = dataclasses.field(
        metadata=about("Test set: one table (TSV, Parquet), XML file or mt-metrics-eval folder.", "-t", "--testset")
    )
    protocol: str = setting("ranking", "Protocol, as in da(basis=source), or a file of yours: see tercet list.")
    annotators: int = setting(1, "How many annotators get a link.", least=1, most=100_000)
    pair: str | None = setting(None, "Language pair, as en-de; where it is not in the test set's name.")
    assignment: Assignment = setting(
        "shared",
        "Batches go to whoever asks, or are dealt out before; or systems are drawn by what is not known yet.",
    )
    overlap: int = setting(1, "How many annotators get each batch.", least=1, most=1000)
    quota: int | None = setting(None, "Batches that an annotator gets at most.", least=1)
    feedback: Feedback = setting("silent", "Whether annotators hear that they missed a check.")
    lease: int = setting(60, "Minutes of silence after which a batch goes to others.", least=1, most=100_000)
    tutorial: pathlib.Path | None = setting(None, "Items to begin with, JSON lines with what is expected.")
    prefilled: pathlib.Path | None = setting(None, "Spans to begin with, JSON lines: system, segment, spans.")
    media: pathlib.Path | None = setting(None, "Folder of the media that the column media of the test set names.")
    language: str = setting("en", "Language of the pages.")
    plan: Dealt | None = setting(
        None, "Instead of an assignment: batches of items, each with the number of its annotator.", shell=False
    )
    organiser: str = setting("organiser", "Name of the organiser; the password is shown once.")


@dataclasses.dataclass(frozen=True)
class InviteOptions(CampaignNamed, LinksKept):
    """What `invite_people` takes."""

    _: dataclasses.KW_ONLY
    annotators: list[str] | None = setting(
        None, "Name of an annotator, who gets a link; a new one, if they have one already.", "--annotator"
    )
    organisers: list[str] | None = setting(None, "Name of an organiser, who may decide.", "--organiser")
    viewers: list[str] | None = setting(None, "Name of someone who may look at the dashboard.", "--viewer")
    auditors: list[str] | None = setting(None, "Name of someone who may read the log and take files.", "--auditor")
    quota: int | None = setting(None, "Batches that these annotators get at most; the campaign's otherwise.", least=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in (*(self.annotators or ()), *(self.organisers or ()), *(self.viewers or ()), *(self.auditors or ())):
            if not name.strip() or len(name) > LONGEST_NAME or any(not c.isprintable() for c in name):
                raise InputError(f"{name[:40]!a} is no name.", hint=f"Give one of 1 to {LONGEST_NAME} characters.")


@dataclasses.dataclass(frozen=True)
class ServeOptions(CampaignNamed):
    """What `serve` takes."""

    _: dataclasses.KW_ONLY
    host: str = setting("127.0.0.1", "Address to listen at; a proxy with TLS stands before any other.")
    port: int = setting(8000, "Port to listen at; 0 for any that is free.", least=0, most=65535)
    together: int = setting(256, "Events that are committed together; 1: each by itself.", least=1, most=10_000)
    proxies: str = setting("127.0.0.1", "Addresses of proxies whose word on clients and TLS is taken.")


@dataclasses.dataclass(frozen=True)
class StatusOptions(CampaignNamed):
    """What `status` takes."""

    _: dataclasses.KW_ONLY
    beside: list[str] | None = setting(
        None, "Campaign of the same event in another language, whose progress is shown beside.", "--beside"
    )


@dataclasses.dataclass(frozen=True)
class ExportOptions(CampaignNamed):
    """What `export` takes."""

    needs: ClassVar[Mapping[str, Needs]] = {"form": Needs(beside={"receipts": (True,)})}
    _: dataclasses.KW_ONLY
    output: pathlib.Path = setting(pathlib.Path("-"), "File, or folder for mt-metrics-eval.", "-o", "--output")
    form: ExportForm = setting("records", "Format: ours, those of others, or the whole log.", "-f", "--format")
    receipts: bool = setting(False, "Instead: one line an answer that is stored, its key and its place.", "--receipts")

    def __post_init__(self) -> None:
        super().__post_init__()
        suffix, usual = suffix_of(self.output), _EXPORTED.get(self.form, ())
        if suffix in (*BY_SUFFIX, *PICTURES) and suffix not in ("", ".txt", *usual) and not self.receipts:
            raise InputError(
                f"{self.output}: what is exported as {self.form} is no {suffix} file.",
                hint=f"Give it a name that ends in {' or '.join(usual)}." if usual else "Name a folder.",
            )


@dataclasses.dataclass(frozen=True)
class PublishOptions(CampaignNamed):
    """What `publish` takes."""

    _: dataclasses.KW_ONLY
    output: pathlib.Path = setting(pathlib.Path("published"), "Folder for the page and its data.", "-o", "--output")

    def __post_init__(self) -> None:
        super().__post_init__()
        require_folder_name(self.output, "a finished campaign")


@dataclasses.dataclass(frozen=True)
class ImportOptions(CampaignNamed):
    """What `import_answers` takes."""

    judgements: JudgementsGiven = dataclasses.field(
        metadata=about("The log or a copy of a campaign, or judgements of the same test set.", argument="FILE")
    )


@dataclasses.dataclass(frozen=True)
class BackupOptions(CampaignNamed):
    """What `backup` takes."""

    target: pathlib.Path = dataclasses.field(metadata=about("The copy, one file.", argument="COPY.db"))


@dataclasses.dataclass(frozen=True)
class SimulateOptions(CampaignNamed, Seeded, LinksKept):
    """What `simulate` takes."""

    _: dataclasses.KW_ONLY
    url: str = dataclasses.field(metadata=about("Where the campaign is served.", "--url"))
    annotators: int = setting(1, "How many robots, each with a link of its own.", least=1, most=100_000)
    seconds: float = setting(10.0, "How long; they end before if nothing is left to do.", above=0)
    receipts: pathlib.Path | None = setting(None, "File for one line an answer that was acknowledged.")
    think: float = setting(0.0, "Mean seconds of thinking before an answer, log-normal.", least=0)
    noise: float = setting(
        1.0, "Spread of a robot's opinion of an output; the best and the worst system are 4 apart.", least=0
    )
    careless: float = setting(0.0, "Share of robots that click through without reading.", least=0, most=1)
    abilities: list[str] | None = setting(None, "SYSTEM=NUMBER: how good a system is; several times.", "--ability")
    stop: Stop | None = setting(None, "Ends the robots when it is set.", shell=False)

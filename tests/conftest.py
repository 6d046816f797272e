"""What all tests share: where the reference data lie, how hypothesis runs, and what was skipped."""

from __future__ import annotations

import ast
import fcntl
import functools
import gc
import os
import pathlib
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from typing import Any, NoReturn

import hypothesis
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The same examples everywhere and every day; a failure is a failure for everyone. `make check` draws fewer.
for profile, examples in (("tercet", 100), ("quick", 15)):
    hypothesis.settings.register_profile(
        profile,
        derandomize=True,
        deadline=None,
        max_examples=examples,
        suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large],
    )
hypothesis.settings.load_profile("tercet")


def at_most(examples: int) -> hypothesis.settings:
    """Settings of a property whose examples take long: so many, or as few as the profile has."""
    return hypothesis.settings(max_examples=min(examples, hypothesis.settings().max_examples))


@functools.cache
def tree(path: pathlib.Path) -> ast.Module:
    """A module of the package as it is written, read once for all tests that look at the source."""
    return ast.parse(path.read_text(encoding="utf-8"))


def everything_required() -> bool:
    """Whether nothing may be skipped (continuous integration)."""
    return os.environ.get("TERCET_REQUIRE") == "all"


def absent(reason: str) -> NoReturn:
    """Skip the test for want of something, or fail it where everything is required."""
    if everything_required():
        pytest.fail(f"{reason}, and TERCET_REQUIRE=all")
    pytest.skip(reason)


# Who runs what: a file of tests is one piece of work for one worker, so that what its tests share is made once. So are
# tests of several files, by how their names begin, that share what takes seconds to make, such as a browser. The groups
# that xdist marks itself are lost with pytest 9.2, which lets nobody change a name.
TOGETHER = {
    "tests/browser/test_campaign.py": "campaigns in a browser",
    "tests/browser/test_compare.py": "pages in a browser",
    "tests/browser/test_compare_newstest.py": "pages in a browser",
    "tests/browser/test_compare_view.py": "pages in a browser",
    "tests/browser/test_explain.py": "pages in a browser",
    "tests/browser/test_organiser.py": "campaigns in a browser",
    "tests/browser/test_paper.py": "pages in a browser",
    "tests/browser/test_report.py": "pages in a browser",
    "tests/docs/test_coverage.py": "pages that are generated",
    "tests/docs/test_pages.py::test_a_generated_example": "pages that are generated",
    "tests/docs/test_site.py": "pages that are generated",
    "tests/options/test_options.py": "the source as it is written",
    "tests/test_numbers.py": "the source as it is written",
    "tests/test_rooms.py": "the source as it is written",
}

# Where tests take long and share nothing, each is a piece of its own.
APART = (
    "tests/contract/test_metrics.py",
    "tests/docs/test_pages.py",
    "tests/parity/test_calibration.py",
    "tests/parity/test_replication",
)

# What tests need, by how their names begin: a folder, a file, or a test; `make check` leaves them out. What takes long
# by itself, about a third of a second or more for each test, is thorough.
NEEDS = {
    "tests/browser": "browser",
    "tests/docs": "docs",
    "tests/parity/test_replication.py": "replication",
    "tests/parity/test_replication_metrics.py": "replication",
    "tests/campaigns/test_active.py::test_intervals_of": "thorough",
    "tests/campaigns/test_active.py::test_odds_are": "thorough",
    "tests/campaigns/test_judged.py": "thorough",
    "tests/campaigns/test_quality_labels.py": "thorough",
    "tests/cli/test_cli.py::test_completion_is_installed": "thorough",
    "tests/cli/test_cli.py::test_the_command_prints": "thorough",
    "tests/cli/test_compare.py::test_the_message_of_a_failure": "thorough",
    "tests/cli/test_explain.py::test_a_terminal_gets": "thorough",
    "tests/cli/test_judgements.py::test_figures": "thorough",
    "tests/cli/test_meta.py::test_an_interruption_of_run": "thorough",
    "tests/cli/test_meta.py::test_meta_prints": "thorough",
    "tests/cli/test_meta.py::test_run_goes_to_a_folder": "thorough",
    "tests/cli/test_outputs.py::test_a_closed_output": "thorough",
    "tests/cli/test_outputs.py::test_a_name_is_what": "thorough",
    "tests/cli/test_qe_models.py::test_tags_of_words": "thorough",
    "tests/cli/test_qe_models.py::test_the_page_is_safe": "thorough",
    "tests/cli/test_sacrebleu_words.py::test_by_a_pipe_all_files": "thorough",
    "tests/cli/test_sacrebleu_words.py::test_meta_takes_several": "thorough",
    "tests/cli/test_train.py::test_the_command_prints": "thorough",
    "tests/comparing/test_checks.py::test_no_text_is_too_odd": "thorough",
    "tests/comparing/test_decision.py::test_small_sets": "thorough",
    "tests/contract/test_explanations.py::test_a_metric_explains": "thorough",
    "tests/contract/test_plugins.py": "thorough",
    "tests/contract/test_shards.py": "thorough",
    "tests/engines/test_dask.py": "thorough",
    "tests/engines/test_local.py": "thorough",
    "tests/engines/test_verbs.py": "thorough",
    "tests/hostile/test_budgets.py::test_a_block_of_long_lines": "thorough",
    "tests/hostile/test_budgets.py::test_a_hundred_thousand_names": "thorough",
    "tests/hostile/test_budgets.py::test_ten_thousand_systems": "thorough",
    "tests/hostile/test_budgets.py::test_what_is_held_whole": "thorough",
    "tests/hostile/test_cache.py::test_a_planted_entry": "thorough",
    "tests/hostile/test_cache.py::test_tables_of_a_run": "thorough",
    "tests/hostile/test_faults.py::test_a_model_for_which": "thorough",
    "tests/hostile/test_faults.py::test_memory_that_runs_out": "thorough",
    "tests/hostile/test_fuzz.py::test_every_kernel_answers": "thorough",
    "tests/hostile/test_output.py::test_a_figure": "thorough",
    "tests/hostile/test_writers.py::test_what_a_verb_writes": "thorough",
    "tests/hostile/test_writers.py::test_whole_folders": "thorough",
    "tests/human/test_intervals.py::test_sums": "thorough",
    "tests/kernels/test_hashing.py::test_words_are_numbered": "thorough",
    "tests/kernels/test_interrupting.py": "thorough",
    "tests/kernels/test_participants.py::test_a_huge_word": "thorough",
    "tests/kernels/test_trueskill.py::test_means_of_runs": "thorough",
    "tests/learning/test_search.py::test_evolution": "thorough",
    "tests/learning/test_training.py::test_figures": "thorough",
    "tests/meteor/test_meteor.py::test_a_line_that_can": "thorough",
    "tests/meteor/test_paraphrases.py::test_processes_at_once": "thorough",
    "tests/metrics/test_mixture.py::test_a_copy_is_better": "thorough",
    "tests/metrics/test_neural.py::test_segments_stand_alone": "thorough",
    "tests/metrics/test_parsed.py::test_the_model_of_a_tree": "thorough",
    "tests/options/test_options.py::test_lists_of_choices": "thorough",
    "tests/options/test_signatures.py::test_another_value": "thorough",
    "tests/options/test_signed_inputs.py::test_another_file": "thorough",
    "tests/plots/test_every_figure.py::test_names_are_text": "thorough",
    "tests/plots/test_meta_plots.py::test_names_of_many": "thorough",
    "tests/plots/test_tuning_plots.py::test_it_is_written": "thorough",
    "tests/quality/test_learners.py::test_predictions_do_not": "thorough",
    "tests/quality/test_learners.py::test_the_learner_that_fits": "thorough",
    "tests/quality/test_qe_models.py::test_a_model_of_words_alone": "thorough",
    "tests/quality/test_qe_models.py::test_coarse_tags": "thorough",
    "tests/quality/test_qe_models.py::test_where_words": "thorough",
    "tests/quality/test_qe_models.py::test_words_are_tagged": "thorough",
    "tests/ranking/test_plan.py": "thorough",
    "tests/report/test_answers.py": "thorough",
    "tests/report/test_html.py::test_a_page_of_ordinary_size": "thorough",
    "tests/report/test_html.py::test_any_name_stays": "thorough",
    "tests/report/test_study.py": "thorough",
    "tests/server/test_annotating.py::test_a_campaign_is_read": "thorough",
    "tests/server/test_annotating.py::test_a_person_answers": "thorough",
    "tests/server/test_annotating.py::test_nothing_names": "thorough",
    "tests/server/test_demo.py": "thorough",
    "tests/server/test_durability.py": "thorough",
    "tests/server/test_openapi.py": "thorough",
    "tests/test_counting.py::test_the_parts_do_not_matter": "thorough",
    "tests/test_five_segments.py": "thorough",
    "tests/test_resuming.py::test_a_pipe_can": "thorough",
    "tests/test_sharding.py::test_whatever_byte": "thorough",
    "tests/test_streaming.py::test_shards_processes": "thorough",
    "tests/text/test_punctuation.py::test_twice_is_once": "thorough",
}

# Where another process, a thread or a signal is in play, time is as well: such a test gets a second try, and the
# summary names it. What fails twice has failed.
AGAIN = ("tests/browser", "tests/campaigns", "tests/server")
OTHERS = ("multiprocessing", "signal", "socket", "subprocess", "threading")  # what their modules import

# What takes minutes by itself begins first: at the end, one worker would wait for it.
FIRST = ("replication", "browser", "thorough", "docs")


@functools.cache
def path_in_project(path: pathlib.Path) -> str:
    """The path of a file of tests from the root on."""
    return path.relative_to(ROOT).as_posix()


@functools.cache
def listed(path: str) -> tuple[tuple[str, str], ...]:
    """How names of tests of a file that need something begin, and what they need."""
    return tuple(
        (begin.removeprefix(path).removeprefix("::") if begin.startswith(path) else "", need)
        for begin, need in NEEDS.items()
        if path.startswith(begin) or begin.startswith(f"{path}::")
    )


def needs_of(path: str, name: str) -> list[str]:
    """What a test needs, by the file that it is in and its name."""
    return [need for begin, need in listed(path) if name.startswith(begin)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by what they need, and begin with what takes long."""
    for item in items:
        path = path_in_project(item.path)
        for need in needs_of(path, item.name):
            item.add_marker(need)
        if path.startswith(AGAIN) or any(name in vars(item.module) for name in OTHERS):  # type: ignore[attr-defined]
            item.add_marker(pytest.mark.flaky(reruns=1))
        fixtures = getattr(item, "fixturenames", ())
        if "shared" in fixtures:
            item.add_marker("shared")
    items.sort(key=lambda item: next((i for i, need in enumerate(FIRST) if item.get_closest_marker(need)), len(FIRST)))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Where nothing is compiled yet, one worker compiles while the others wait, and read what it wrote.

    What is loaded and collected stays to the end: garbage is not looked for in it meanwhile, nor ever after.
    """
    gc.disable()
    with pathlib.Path(__file__).open("rb") as own:
        fcntl.flock(own, fcntl.LOCK_EX)
        if sys.dont_write_bytecode or any((ROOT / "tests" / "__pycache__").glob("test_*.pyc")):
            fcntl.flock(own, fcntl.LOCK_UN)
        collected = yield
    gc.collect()
    gc.freeze()
    gc.enable()
    return collected


@functools.cache
def piece_of(nodeid: str) -> str:
    """The piece of work that a test belongs to."""
    own = nodeid if nodeid.startswith(APART) else nodeid.partition("::")[0]
    return next((piece for begin, piece in TOGETHER.items() if nodeid.startswith(begin)), own)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Who runs what: pieces of work, in the order of their first tests."""
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class Pieces(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return piece_of(nodeid)

    return Pieces(config, log)


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Passwords of made-up campaigns take the least that argon2 has, and no 64 MiB each; the usual is tested once."""
    try:
        import argon2
    except ModuleNotFoundError:
        yield
        return
    least = functools.partial(argon2.PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(argon2, "PasswordHasher", least)
        yield


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Where the demo is kept: one folder for all workers, whose own ones stand beside each other in that of the run."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "kept"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def shared() -> pathlib.Path:
    """The folder `../shared` beside the project: golden scores, specifications, data."""
    path = ROOT.parent / "shared"
    if not path.is_dir():
        absent("../shared is not there")
    return path


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line on what was skipped and why, and on what passed at the second try only."""
    again = sorted({report.nodeid for report in terminalreporter.stats.get("rerun", [])})
    if again:
        terminalreporter.write_line(f"Tried twice: {', '.join(again)}.")
    skipped: list[pytest.TestReport] = terminalreporter.stats.get("skipped", [])
    reasons: Counter[str] = Counter()
    for report in skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[reason.removeprefix("Skipped: ")] += 1
    if reasons:
        told = "; ".join(f"{count} because {reason}" for reason, count in reasons.most_common())
        terminalreporter.write_line(f"Skipped {len(skipped)} tests: {told}.")

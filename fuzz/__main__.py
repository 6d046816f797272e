"""python -m fuzz [--seconds S | --seeds N | --inputs N] [--workers N] [--first N] [--state FILE] [PREFIX...]

python -m fuzz --replay NAME:SEED
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import importlib
import json
import pathlib
import signal
import sys

from fuzz import driver


def main() -> int:
    """The command: 1 if there was a find."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description="Fuzz whatever is registered.")
    parser.add_argument("only", nargs="*", metavar="PREFIX", help="targets whose names begin so, such as metric/ter")
    parser.add_argument("--seconds", type=float, help="how long, every target in turn")
    parser.add_argument("--seeds", type=int, help="how many seeds of each target, however long it takes")
    parser.add_argument("--inputs", type=int, help="until there were so many inputs, every target in turn")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--state", type=pathlib.Path, help="a file to go on from and to keep what was done in")
    parser.add_argument("--replay", metavar="NAME:SEED", help="one play again, such as metric/chrf:17")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.work:
        plan, share, reached, last = json.loads(asked.work)
        driver.work(driver.Plan(**{**plan, "only": tuple(plan["only"])}), tuple(share), reached, last)
        return 0
    plan = driver.Plan(tuple(asked.only), asked.first, asked.seeds, asked.seconds, asked.inputs)
    if asked.replay:
        name, _, seed = asked.replay.rpartition(":")
        if not name or not seed.isdecimal():
            parser.error(f"--replay needs NAME:SEED, such as metric/chrf:17, not {asked.replay!r}")
        plan = driver.Plan((name,), int(seed), 1, exact=True)
    elif asked.seeds is None and asked.seconds is None and asked.inputs is None:
        plan = dataclasses.replace(plan, seconds=600.0)
    if plan.only:
        try:
            driver.chosen_targets(plan, importlib.import_module(plan.source).every())
        except LookupError as error:
            parser.error(str(error.args[0]))
    for ending in (signal.SIGINT, signal.SIGTERM):  # also in the background, where a shell has the first one ignored
        signal.signal(ending, signal.default_int_handler)
    before, on_time = None, driver.unheard
    if asked.state:
        before, on_time = driver.load(asked.state), functools.partial(driver.save, path=asked.state)
    outcome = driver.run(plan, asked.workers, lambda find: print(find, flush=True), before=before, on_time=on_time)
    on_time(outcome)
    print(outcome.told())
    return 1 if outcome.finds else 0


if __name__ == "__main__":
    sys.exit(main())

"""Compares everything that is stored about games and players with the logs of the games."""

import os
import time
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from games.services.projections import verification

BATCH = 50  # games that a process compares at once
REPORT_EVERY = 2.0  # seconds


class Command(BaseCommand):
    help = (
        "Replay all started games, or those given, and compare every projection, result, standing and "
        "rating. Print what differs and from which action on, and exit with status 1 if anything does."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("keys", nargs="*", metavar="GAME", help="the key of a game, as in its address")
        parser.add_argument(
            "--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one for each core)"
        )

    def handle(self, *args: Any, keys: list[str], jobs: int, **options: Any) -> None:
        games = verification.games_to_verify().order_by("pk")
        if keys:
            games = games.filter(key__in=keys)
            if unknown := set(keys) - set(games.values_list("key", flat=True)):
                raise CommandError(f"No started game has the key {', '.join(sorted(unknown))}.")
        pks = list(games.values_list("pk", flat=True))
        row = None if keys else verification.begin(None)
        start, done, wrong, problems = time.monotonic(), 0, 0, list[str]()
        reported = start
        for found in self._verify([pks[at : at + BATCH] for at in range(0, len(pks), BATCH)], jobs):
            done += len(found)
            wrong += sum(map(bool, found))
            problems += self._print(text for one in found for text in one)
            if time.monotonic() - reported > REPORT_EVERY:
                reported = time.monotonic()
                self._report(done, len(pks), reported - start)
        if row is not None:
            # They depend on many games, so a single game does not check them.
            others = self._print([*verification.verify_players(), *verification.verify_ratings()])
            wrong += len(others)
            problems += others
            verification.note(row, done, problems, wrong=wrong)
            verification.finish(row)
        seconds = max(time.monotonic() - start, 0.001)
        self.stdout.write(
            f"{done} games in {seconds:.1f} s ({done / seconds:.0f} a second, {jobs} processes): "
            + (
                f"{len(problems)} values of {wrong} rows are wrong."
                if problems
                else "all are as their logs say."
            )
        )
        if problems:
            raise SystemExit(1)

    def _verify(self, batches: Sequence[Sequence[int]], jobs: int) -> Iterator[list[list[str]]]:
        """Yield what is wrong with the games of each batch, in any order."""
        if jobs == 1 or len(batches) < 2:
            yield from map(verify_batch, batches)
            return
        # A connection cannot be shared between processes.
        connections.close_all()
        with get_context("fork").Pool(jobs) as pool:
            yield from pool.imap_unordered(verify_batch, batches)

    def _print(self, problems: Sequence[str] | Iterator[str]) -> list[str]:
        printed = list(problems)
        for text in printed:
            self.stdout.write(text)
        return printed

    def _report(self, done: int, all_: int, seconds: float) -> None:
        """Print how far it is, and how long the rest takes."""
        rate = done / seconds
        left = (all_ - done) / rate if rate else 0
        self.stderr.write(f"{done} of {all_} games, {rate:.0f} a second, {left:.0f} s left", style_func=str)


def verify_batch(pks: Sequence[int]) -> list[list[str]]:
    """Return what is wrong with each of these games."""
    return [verification.verify_game(pk) for pk in pks]

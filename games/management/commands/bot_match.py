"""Lets bots play matches in parallel, and prints how they did."""

import math
import os
import sys
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.bots import figures
from games.bots.figures import Share, Thinking
from games.bots.ladder import PROGRAM, Game, Match, play, player
from games.management.budgets import add_budget, budget_of

BAR = 30  # characters
ERASE = "\033[K"  # tells a terminal to clear the rest of the line
EVERY = 60  # seconds between two lines, where there is no terminal
FAILURES_SHOWN = 5
COMMAS = " Here commas part players: a command that needs one must stand in a script, to be named instead."


class Command(BaseCommand):
    """Plays a match and prints its figures."""

    help = (
        "Let bots play matches on all cores: each deal once for every seat, with the first of two players in "
        "each seat and place of the start order in turn, and the second in all others; or alone. A program "
        "that speaks the form of `manage.py bot` plays as “cmd:COMMAND”; where it gives no legal action "
        "within 60 seconds, it leaves the game. See docs/bots.md."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Take who plays, how often, and for how long they think."""
        parser.add_argument(
            "--levels",
            required=True,
            help="two players with a comma between: expert,hard; with --solo one or more",
        )
        parser.add_argument(
            "--games", type=int, default=200, help="how many games; rounded up to whole deals (default: 200)"
        )
        kind = parser.add_mutually_exclusive_group()
        # No default of its own: argparse would take that beside --solo.
        kind.add_argument("--players", type=int, choices=(2, 3, 4), help="seats (default: 2)")
        kind.add_argument("--solo", action="store_true", help="play solo games, the same for each player")
        parser.add_argument("--seed", type=int, default=1, help="names the deals, and the bots' chance")
        add_budget(parser)
        parser.add_argument(
            "--processes", type=int, default=_cores(), help="how many games at a time (default: all cores)"
        )
        parser.add_argument(
            "--markdown", action="store_true", help="print rows of the tables in docs/bots.md"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Play until all games are over or Ctrl-C is pressed; print what came of those that are."""
        match = _match(options)
        deals = math.ceil(options["games"] / match.seats)
        results: list[Game] = []
        progress = Progress(deals)
        try:
            for games in play(match, deals, min(deals, options["processes"])):
                results += games
                progress.show()
        except KeyboardInterrupt:
            progress.clear()
            self.stderr.write("Stopped: the figures are of the games that were over.")
        except RuntimeError as error:
            raise CommandError(str(error)) from error
        finally:
            progress.clear()
        if not results:
            raise CommandError("No game was over: there is nothing to tell.")
        results.sort(key=lambda game: (game.deal, game.players))
        rows = _solo if match.seats == 1 else _versus
        for line in rows(match, results, markdown=options["markdown"]):
            self.stdout.write(line)
        self._tell_failures(results)

    def _tell_failures(self, results: list[Game]) -> None:
        failures = [(game.deal, failure) for game in results for failure in game.failures]
        if not failures:
            return
        self.stderr.write(f"Games that a program left for want of a legal action: {len(failures)}")
        for deal, failure in failures[:FAILURES_SHOWN]:
            self.stderr.write(f"  deal {deal}: {failure}")
        if len(failures) > FAILURES_SHOWN:
            self.stderr.write("  …")


class Progress:
    """How far a match is, on standard error: a bar on a terminal, else a line now and then."""

    def __init__(self, whole: int) -> None:
        """Begin with nothing done of the whole."""
        self._whole = whole
        self._done = 0
        self._began = self._told = time.monotonic()
        self._is_terminal = sys.stderr.isatty()

    def show(self) -> None:
        """Count one more as done; show how many are and how long the rest may take."""
        self._done += 1
        now = time.monotonic()
        minutes, seconds = divmod(round((now - self._began) / self._done * (self._whole - self._done)), 60)
        words = f"{self._done}/{self._whole} deals, {minutes}:{seconds:02} left"
        if self._is_terminal:
            filled = BAR * self._done // self._whole
            self._write(f"\r{'█' * filled}{'░' * (BAR - filled)} {words} {ERASE}")
        elif now - self._told >= EVERY:
            self._told = now
            self._write(words + "\n")

    def clear(self) -> None:
        """Remove the bar."""
        if self._is_terminal:
            self._write(f"\r{ERASE}")

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _match(options: dict[str, Any]) -> Match:
    """Return the match that is asked for; raise CommandError for one that cannot be."""
    for name in ("games", "processes"):
        if options[name] < 1:
            raise CommandError(f"--{name} must be at least 1.")
    players = tuple(name.strip() for name in options["levels"].split(","))
    budget = budget_of(options)
    try:
        if not options["solo"] and len(players) != 2:
            raise ValueError("--levels must name two players with a comma between, such as expert,hard.")
        for name in players:
            player(name, budget)
    except ValueError as error:
        hint = COMMAS if any(name.startswith(PROGRAM) for name in players[:-1]) else ""
        raise CommandError(f"{error}{hint}") from None
    return Match(players, 1 if options["solo"] else options["players"] or 2, options["seed"], budget)


def _versus(match: Match, games: list[Game], *, markdown: bool) -> list[str]:
    found = figures.versus(games)
    first, second = match.players
    if markdown:
        discs = " / ".join(f"{left:.1f}" for left in found.discs)
        times = map(_row_times, found.thinking)
        return [_row(first, second, match.seats, found.games, _percent(found.share), discs, *times)]
    others = f"{match.seats - 1} × {second}" if match.seats > 2 else second
    lines = [
        f"{first} against {others}: {found.games} games on {found.deals} deals, seed {match.seed}",
        f"{first} won {found.wins}: {_percent(found.share)}, where {1 / match.seats:.0%} would be even",
    ]
    for name, left, thinking in zip(match.players, found.discs, found.thinking, strict=True):
        lines += [f"{name}: {left:.1f} discs left", *_times(thinking)]
    return lines


def _solo(match: Match, games: list[Game], *, markdown: bool) -> list[str]:
    lines: list[str] = []
    for number, name in enumerate(match.players):
        found = figures.alone(games, number)
        score = f"{found.score.value:.1f} ± {found.score.margin:.1f}"
        middle, good, best = f"{found.median:g}", _percent(found.good), found.best
        if markdown:
            lines.append(_row(name, found.games, score, middle, good, best, _row_times(found.thinking)))
            continue
        lines += [
            f"{name}: {found.games} solo games, seed {match.seed}",
            f"  score {score} (mean and 95 % interval), median {middle}, best {best}",
            f"  below {figures.GOOD}: {good}",
            *_times(found.thinking),
        ]
    return lines


def _times(thinking: Thinking) -> list[str]:
    lines = []
    for words, times in (("of the processor", thinking.processor), ("by the clock", thinking.clock)):
        if times:
            mean, centile, worst = map(_milliseconds, times)
            lines.append(f"  per move, {words}: mean {mean} ms, 99th centile {centile} ms, worst {worst} ms")
    return lines


def _row_times(thinking: Thinking) -> str:
    """Return the times of the processor for a table; of a program, those by the clock."""
    return " / ".join(map(_milliseconds, thinking.processor or thinking.clock or ()))


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:,.1f}"


def _percent(share: Share) -> str:
    return f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})"


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"

"""`manage.py bot_match`: play a match between bots in parallel, and print its figures."""

import math
import os
import sys
import time
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.novaluna.bots import figures, ranking
from games.novaluna.bots.figures import Share, ThinkingTime
from games.novaluna.bots.luck import SAMPLES
from games.novaluna.bots.matches import PROGRAM_PREFIX, Match, MatchGame, play_match, player_named
from games.titles.budgets import add_budget, budget_of

BAR_WIDTH = 30  # characters
ERASE_LINE = "\033[K"  # makes a terminal clear the rest of the line
SECONDS_BETWEEN_LINES = 60  # of progress, where there is no terminal
FAILURES_SHOWN = 5
COMMA_HINT = (
    " Commas separate players: put a command with a comma into a script, and name the script instead."
)


class Command(BaseCommand):
    """Play a match and print its figures."""

    help = (
        "Play a match between bots on all cores, and print its figures. Each deal is played once for every "
        "seat: the first player has that seat, and the second player has all others. With --solo, every "
        "player plays each deal once. With --duplicate, two or more players sit in turn on the seats of as "
        "many tables with the same deal, and each is compared with the others on the same seat. "
        "A program that reads and writes like `manage.py bot` plays as “cmd:COMMAND”; if it does not answer "
        "with a legal action within 60 seconds, it resigns. "
        "See docs/bots.md."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options."""
        parser.add_argument(
            "--levels",
            required=True,
            help="two players, separated by a comma, such as expert,hard; with --solo one or more, with "
            "--duplicate two or more",
        )
        parser.add_argument(
            "--games", type=int, default=200, help="number of games, rounded up to whole deals (default: 200)"
        )
        kind = parser.add_mutually_exclusive_group()
        # The default is set later: argparse would accept `--players 2 --solo` if 2 was the default here.
        kind.add_argument("--players", type=int, choices=(2, 3, 4), help="seats (default: 2)")
        kind.add_argument(
            "--solo", action="store_true", help="play solo games, on the same deals for each player"
        )
        parser.add_argument(
            "--duplicate",
            action="store_true",
            help="compare the players on the same seat of the same deal, also with --solo, and print how "
            "many games each way to compare needs to rank them rightly",
        )
        parser.add_argument(
            "--seed", type=int, default=1, help="determines the deals and the bots' random choices"
        )
        parser.add_argument(
            "--luck",
            type=int,
            nargs="?",
            const=SAMPLES,
            default=0,
            metavar="SAMPLES",
            help="also count the luck of the first player, as reviews do, and print by how much results vary "
            "less without it; with --duplicate, how many games are needed without the luck of all players; "
            f"SAMPLES is how many other reveals are searched for each (default: {SAMPLES})",
        )
        add_budget(parser)
        parser.add_argument(
            "--processes",
            type=int,
            default=_cores(),
            help="number of deals played at a time (default: all cores)",
        )
        parser.add_argument(
            "--markdown", action="store_true", help="print rows of the tables in docs/bots.md"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Play until all games are over or Ctrl-C is pressed; print the figures of the finished games."""
        match = _match(options)
        deals = math.ceil(options["games"] / (match.tables if match.is_duplicate else match.seats))
        results: list[MatchGame] = []
        progress = Progress(deals)
        try:
            for games in play_match(match, deals, min(deals, options["processes"])):
                results += games
                progress.show()
        except KeyboardInterrupt:
            progress.clear()
            self.stderr.write("Stopped. These figures are for the finished games.")
        except RuntimeError as error:
            raise CommandError(str(error)) from error
        finally:
            progress.clear()
        if not results:
            raise CommandError("No game was finished: there are no figures.")
        results.sort(key=lambda game: (game.deal, game.players))
        rows = _solo_lines if match.seats == 1 else _match_lines
        if match.is_duplicate:
            rows = _duplicate_lines
        lines = rows(match, results, markdown=options["markdown"])
        if match.luck_samples and not match.is_duplicate:
            lines += _luck_lines(match, results)
        for line in lines:
            self.stdout.write(line)
        self._print_failures(results)

    def _print_failures(self, results: list[MatchGame]) -> None:
        failures = [(game.deal, failure) for game in results for failure in game.failures]
        if not failures:
            return
        self.stderr.write(
            f"Games that a program resigned, because it did not answer with a legal action: {len(failures)}"
        )
        for deal, failure in failures[:FAILURES_SHOWN]:
            self.stderr.write(f"  deal {deal}: {failure}")
        if len(failures) > FAILURES_SHOWN:
            self.stderr.write("  …")


class Progress:
    """The progress of a match on standard error: a bar on a terminal, or a line every minute."""

    def __init__(self, deals: int) -> None:
        """Start with no deal played."""
        self._deals = deals
        self._done = 0
        self._began = self._printed_at = time.monotonic()
        self._is_terminal = sys.stderr.isatty()

    def show(self) -> None:
        """Count one more deal, and show how many are played and how long the rest may take."""
        self._done += 1
        now = time.monotonic()
        minutes, seconds = divmod(round((now - self._began) / self._done * (self._deals - self._done)), 60)
        words = f"{self._done}/{self._deals} deals, {minutes}:{seconds:02} left"
        if self._is_terminal:
            filled = BAR_WIDTH * self._done // self._deals
            self._write(f"\r{'█' * filled}{'░' * (BAR_WIDTH - filled)} {words} {ERASE_LINE}")
        elif now - self._printed_at >= SECONDS_BETWEEN_LINES:
            self._printed_at = now
            self._write(words + "\n")

    def clear(self) -> None:
        """Remove the bar."""
        if self._is_terminal:
            self._write(f"\r{ERASE_LINE}")

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _match(options: dict[str, Any]) -> Match:
    """Return the match that the options describe; raise CommandError if it is impossible."""
    for name in ("games", "processes"):
        if options[name] < 1:
            raise CommandError(f"--{name} must be at least 1.")
    players = tuple(name.strip() for name in options["levels"].split(","))
    budget = budget_of(options)
    try:
        _check_luck(options)
        if options["duplicate"]:
            _check_duplicate(players, options)
        elif not options["solo"] and len(players) != 2:
            raise ValueError("--levels must name two players, separated by a comma, such as expert,hard.")
        for name in players:
            player_named(name, budget)
    except ValueError as error:
        hint = COMMA_HINT if any(name.startswith(PROGRAM_PREFIX) for name in players[:-1]) else ""
        raise CommandError(f"{error}{hint}") from None
    seats = 1 if options["solo"] else options["players"] or 2
    return Match(players, seats, options["seed"], budget, options["duplicate"], options["luck"])


def _check_luck(options: dict[str, Any]) -> None:
    """Raise ValueError if the luck of these games would have no figures."""
    if not options["luck"]:
        return
    if options["luck"] < 2:
        raise ValueError("--luck must be at least 2.")
    if options["markdown"]:
        raise ValueError("--luck cannot be combined with --markdown.")
    if options["games"] <= (1 if options["solo"] else options["players"] or 2):
        raise ValueError("--games must be enough for two deals, because --luck compares deals.")


def _check_duplicate(players: Sequence[str], options: dict[str, Any]) -> None:
    """Raise ValueError if a duplicate of these players has no figures."""
    if len(players) < 2:
        raise ValueError("--levels must name two or more players for --duplicate, such as easy,medium,hard.")
    if options["games"] <= len(players):
        raise ValueError("--games must be enough for two deals, on each of which every player has each seat.")
    if options["markdown"]:
        raise ValueError("--duplicate prints no rows for --markdown.")


def _match_lines(match: Match, games: list[MatchGame], *, markdown: bool) -> list[str]:
    found = figures.match_figures(games)
    first, second = match.players
    if markdown:
        discs = " / ".join(f"{left:.1f}" for left in found.discs)
        times = map(_times_cell, found.thinking)
        return [_row(first, second, match.seats, found.games, _percent(found.share), discs, *times)]
    others = f"{match.seats - 1} × {second}" if match.seats > 2 else second
    lines = [
        f"{first} against {others}: {found.games} games on {found.deals} deals, seed {match.seed}",
        f"{first} won {found.wins}: {_percent(found.share)} (equal strength: {1 / match.seats:.0%})",
    ]
    for name, left, thinking in zip(match.players, found.discs, found.thinking, strict=True):
        lines += [f"{name}: {left:.1f} discs left", *_time_lines(thinking)]
    return lines


def _duplicate_lines(match: Match, games: list[MatchGame], *, markdown: bool) -> list[str]:
    deals, unit = len({game.deal for game in games}), "points" if match.seats == 1 else "discs"
    if deals < 2:
        raise CommandError("Fewer than two deals were played: there are no figures.")
    lines = [f"Duplicate of {len(games)} games on {deals} deals, {match.seats} seats, seed {match.seed}"]
    for found in figures.duplicate_figures(games, len(match.players)):
        lines.append(
            f"{match.players[found.player]}: {found.score.value:+.2f} ± {found.score.margin:.2f} {unit} "
            f"against the others on the same seat; with deals of their own, "
            f"{found.saving:.1f} times as many games"
        )
    lines.append(f"Games until {ranking.SURE:.0%} of matches rank the players so:")
    for need in ranking.needs(games, len(match.players)):
        wanted, saving = need.games, need.saving
        lines.append(
            f"  {need.way}: {wanted.value:.0f} ({wanted.low:.0f} to {wanted.high:.0f}), "
            f"{saving.value:.1f} times fewer ({saving.low:.1f} to {saving.high:.1f})"
        )
    return lines


def _solo_lines(match: Match, games: list[MatchGame], *, markdown: bool) -> list[str]:
    lines: list[str] = []
    for number, name in enumerate(match.players):
        found = figures.solo_figures(games, number)
        score = f"{found.score.value:.1f} ± {found.score.margin:.1f}"
        middle, good, best = f"{found.median:g}", _percent(found.good), found.best
        if markdown:
            lines.append(_row(name, found.games, score, middle, good, best, _times_cell(found.thinking)))
            continue
        lines += [
            f"{name}: {found.games} solo games, seed {match.seed}",
            f"  score {score} (mean and 95% interval), median {middle}, best {best}",
            f"  below {figures.GOOD_SCORE}: {good}",
            *_time_lines(found.thinking),
        ]
    return lines


def _luck_lines(match: Match, games: list[MatchGame]) -> list[str]:
    if len({game.deal for game in games}) < 2:
        raise CommandError("Fewer than two deals were played: there are no figures of luck.")
    found = figures.luck_figures(games, 0)
    # Chances are shown as points of a hundred.
    scale, unit = (1, "points") if match.seats == 1 else (100, "points of winning chance")
    rows = [("luck", found.luck), ("result", found.result), ("result less luck", found.adjusted_result)]
    return [
        f"Luck of {match.players[0]}, {match.luck_samples} samples:",
        *[f"  {name} {scale * mean.value:+.2f} ± {scale * mean.margin:.2f} {unit}" for name, mean in rows],
        f"  variance of results {found.plain:.4f}, less luck {found.adjusted:.4f}",
        f"  share of the variance that is left {_percent(found.share_left)}",
        f"  slope of results on luck {found.slope:.2f}",
    ]


def _time_lines(thinking: ThinkingTime) -> list[str]:
    lines = []
    for kind, times in (("processor", thinking.processor), ("clock", thinking.clock)):
        if times:
            mean, percentile, worst = map(_milliseconds, times)
            lines.append(
                f"  {kind} time per action: mean {mean} ms, 99th percentile {percentile} ms, worst {worst} ms"
            )
    return lines


def _times_cell(thinking: ThinkingTime) -> str:
    """Return the processor times for a table; for a program, the clock times."""
    return " / ".join(map(_milliseconds, thinking.processor or thinking.clock or ()))


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:,.1f}"


def _percent(share: Share) -> str:
    return f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})"


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"

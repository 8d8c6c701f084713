"""`manage.py bot_match`: play a match between bots of a title in parallel, and print its figures."""

import math
import os
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.management.titles import add_title, default_title
from games.titles.budgets import add_budget, budget_of
from games.titles.matches import Match, MatchGame, independent_games, play_match, wilson_share
from games.titles.registry import title_named


class Command(BaseCommand):
    """Play a match and print its figures.

    A title can bring a command with more options, named by its key and "_match". Then that one plays.
    """

    help = (
        "Play a match between two levels of bots, and print its figures. Each deal is played once for each "
        "side: the first level has all seats of that side, and the second level has all others."
    )
    requires_system_checks = ()
    title = ""  # from the command line; empty for the default

    def run_from_argv(self, argv: list[str]) -> None:
        """Read the title first, because it decides on the other options."""
        parser = CommandParser(add_help=False)
        parser.add_argument("--title", default="")
        self.title = parser.parse_known_args(argv[2:])[0].title
        super().run_from_argv(argv)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Return the parser of the title's own command, or of this one."""
        own = _own_command(self.title or default_title())
        if own is None:
            return super().create_parser(prog_name, subcommand, **kwargs)
        parser = own.create_parser(prog_name, subcommand, **kwargs)
        add_title(parser)
        return parser

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options."""
        add_title(parser)
        parser.add_argument("--levels", required=True, help="two levels, separated by a comma")
        parser.add_argument(
            "--games", type=int, default=200, help="number of games, rounded up to whole deals (default: 200)"
        )
        parser.add_argument("--players", type=int, help="seats (default: the fewest with two sides)")
        parser.add_argument(
            "--seed", type=int, default=1, help="determines the deals and the bots' random choices"
        )
        add_budget(parser)
        parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="default: all cores")

    def handle(self, *args: Any, title: str, **options: Any) -> None:
        """Play until all games are over, and print the figures."""
        own = _own_command(title)
        if own is not None:
            own.stdout, own.stderr = self.stdout, self.stderr
            own.handle(*args, **options)
            return
        for name in ("games", "processes"):
            if options[name] < 1:
                raise CommandError(f"--{name} must be at least 1.")
        match = _match(title, options)
        sides = len(set(match.sides))
        deals = math.ceil(options["games"] / sides)
        played = list(play_match(match, deals, min(deals, options["processes"])))
        for line in _lines(match, played, sides):
            self.stdout.write(line)


def _own_command(title: str) -> BaseCommand | None:
    """Return the command for the matches of a title, if it has one."""
    name = f"{title}_match"
    app = get_commands().get(name)
    if app is None:
        return None
    return app if isinstance(app, BaseCommand) else load_command_class(app, name)


def _match(title: str, options: dict[str, Any]) -> Match:
    """Return the match that the options describe. Raises CommandError if it is impossible."""
    rules, bots = title_named(title).rules, title_named(title).bots
    with_sides = [count for count in sorted(rules.seat_counts) if len(set(rules.sides(count))) > 1]
    seats = options["players"] or min(with_sides, default=0)
    if seats not in with_sides:
        counts = ", ".join(map(str, with_sides)) or "none"
        raise CommandError(f"A match needs two sides, which {title} has with this many players: {counts}.")
    levels = [name.strip() for name in options["levels"].split(",")]
    known = [*bots.levels, *bots.references]
    if len(levels) != 2 or any(level not in known for level in levels):
        raise CommandError(f"--levels must name two of {', '.join(known)}, separated by a comma.")
    return Match(rules, bots, (levels[0], levels[1]), seats, options["seed"], budget_of(options))


def _lines(match: Match, played: Sequence[Sequence[MatchGame]], sides: int) -> list[str]:
    first, second = match.levels
    by_deal = [[game.share for game in games] for games in played]
    shares = [share for deal in by_deal for share in deal]
    found = wilson_share(fmean(shares), independent_games(by_deal))
    seconds = [time for games in played for game in games for time in game.seconds]
    won = f"{sum(shares):g}: {found.value:.1%} ({found.low:.1%} to {found.high:.1%})"
    lines = [
        f"{first} against {second}: {len(shares)} games on {len(played)} deals, seed {match.seed}",
        f"{first} won {won} (equal strength: {1 / sides:.0%})",
    ]
    if seconds:
        lines.append(f"{first}: processor time per action: mean {1000 * fmean(seconds):,.1f} ms")
    return lines

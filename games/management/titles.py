"""The command-line option that names a title."""

from django.core.management.base import CommandParser

from games.models.games import FIRST_TITLE
from games.titles.registry import TITLES, first_title


def default_title() -> str:
    """Return the title of games from before there were others; if it is gone, the first one."""
    return FIRST_TITLE if FIRST_TITLE in TITLES else first_title().key


def add_title(parser: CommandParser) -> None:
    """Add the option for the title."""
    default = default_title()
    parser.add_argument("--title", choices=list(TITLES), default=default, help=f"default: {default}")

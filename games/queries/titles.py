"""What lists show of a title, also of one that is not installed any more."""

from games.titles.lists import Lists, UnknownLists
from games.titles.registry import TITLES


def lists_of(title: str) -> Lists:
    """Return the texts for lists of the title with this key."""
    return TITLES[title].pages if title in TITLES else UnknownLists(title)

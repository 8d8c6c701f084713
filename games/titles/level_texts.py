"""The levels of the bots of a title in words."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy


class LevelText(NamedTuple):
    """A level in a few words, as a list shows it, and in a sentence; both are translated lazily."""

    label: Promise | str
    description: Promise | str


class LevelTexts(Protocol):
    """How a title describes the levels of its bots."""

    @property
    def bot_levels(self) -> Mapping[str, LevelText]:
        """The levels by stored name, the weakest first, as in `Bots.levels`."""
        ...


GENERAL_LEVELS = {
    "easy": LevelText(gettext_lazy("Easy"), gettext_lazy("Thinks for a moment about each turn.")),
    "medium": LevelText(gettext_lazy("Medium"), gettext_lazy("Thinks longer about each turn.")),
    "hard": LevelText(gettext_lazy("Hard"), gettext_lazy("Thinks longest about each turn.")),
}

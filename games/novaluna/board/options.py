"""The length of a game of Nova Luna: the question about it, and how lists show it."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy

from games.marked import gettext as _
from games.marked import ngettext
from games.novaluna.engine import MOST_DISCS
from games.novaluna.rules import BEGINNER_DISCS
from games.titles.options import Question, YesNo

SHORT = "beginner"


class NovaLunaOptions:
    """The only option is how many discs each player has."""

    @property
    def introduction(self) -> str:
        """What Nova Luna is, in a sentence."""
        return _("Nova Luna is a tile-laying game, played in turns.")

    def questions(self, *, is_new: bool) -> tuple[Question, ...]:
        """Return the question whether the game is short, which the rules recommend for a first game."""
        help_text: str = _("17 discs each with three players and 15 with four, instead of 20.")
        if is_new:
            help_text = " ".join([help_text, _("Recommended for your first game.")])
        short = YesNo(
            name=SHORT,
            label=gettext_lazy("Beginner's length"),
            help_text=help_text,
            seat_counts=tuple(BEGINNER_DISCS),
            initial=is_new,
        )
        return (short,)

    def options_of(self, answers: Mapping[str, object], seats: int) -> Mapping[str, object]:
        """Return the discs of each player in a short game; empty for the usual ones."""
        return {"discs": BEGINNER_DISCS[seats]} if answers.get(SHORT) and seats in BEGINNER_DISCS else {}

    def minutes(self, options: Mapping[str, object], seats: int) -> int:
        """Return 15 for each player."""
        del options
        return 15 * seats

    def describe_options(self, options: Mapping[str, object], seats: int) -> str:
        """Return the discs of each player in words."""
        del seats
        discs = options["discs"]
        assert isinstance(discs, int), "the rules have checked it"
        words = ngettext("%(count)d disc", "%(count)d discs", discs) % {"count": discs}
        return " ".join([words, _("(beginner's length)")]) if discs < MOST_DISCS else words

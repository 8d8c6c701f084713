"""The forms of tables: to open one, to fill its seats, and to agree on something."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.validators import validate_email
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from accounts.addresses import check_sendable
from games.forms.actions import MALFORMED
from games.forms.once import OnceForm
from games.models import FEWEST_TABLES, MOST_TABLES, Vote
from games.novaluna.board.words import BOT_DESCRIPTIONS, BOT_LABELS
from games.novaluna.rules import BEGINNER_DISCS
from games.services.tables import TableOptions
from games.shown.clocks import PACE_LABELS
from games.shown.kept import keep_latest
from games.shown.ratings import LEAST_LABELS, MOST_LABELS
from games.shown.reliability import RELIABILITY_LABELS
from games.shown.words import BOT_LEVELS

QUESTIONS = "games/_new_table_questions.html"


class DailyForm(OnceForm):
    """A request to begin the attempt at the deal of this day."""

    day = forms.DateField(widget=forms.HiddenInput)
    # How many minutes were left of the day when the page was shown.
    minutes = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)


class LevelForm(forms.Form):
    """The level of bots."""

    level = forms.ChoiceField(
        label=_("Level of the bots"),
        choices=lambda: list(BOT_LABELS.items()),
        initial="easy",
        # Screen readers describe it with the text below it.
        widget=forms.Select(attrs={"aria-describedby": "id_level_helptext"}),
    )

    # The template shows the description of the chosen level.
    descriptions = BOT_DESCRIPTIONS


class AddBotsForm(LevelForm):
    """A request to add bots to a table: on one seat, or on every free seat."""

    seat = forms.IntegerField(required=False, min_value=0, max_value=3)


class InviteForm(forms.Form):
    """Whom to invite to a table: a player by name, or somebody by email address."""

    who = forms.CharField(
        label=_("Player's name or email address"),
        max_length=254,
        error_messages={"required": _("Please enter a name or an email address.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )

    def clean_who(self) -> str:
        who: str = self.cleaned_data["who"]
        if "@" in who:
            validate_email(who)
            check_sendable(who)
        return who


class NewTableForm(OnceForm, LevelForm):
    """A request to open a table: for bots or people, the length of the game, and whether it is listed.

    `suggests_short` is for a person's first game with three or four players: the rules recommend it. A form
    that `is_for_guest` leaves out what guests cannot do.
    """

    opponents = forms.ChoiceField(
        label=_("Who do you play with?"),
        choices=[("bots", _("Bots")), ("people", _("People"))],
        initial="bots",
        widget=forms.RadioSelect,
    )
    seat_count = forms.TypedChoiceField(
        label=_("Players, with you"),
        choices=[(2, "2"), (3, "3"), (4, "4")],
        coerce=int,
        initial=2,
        widget=forms.RadioSelect,
    )
    # Browsers with a page from before these questions send neither.
    pace = forms.ChoiceField(
        label=_("How fast must players move?"),
        choices=lambda: list(PACE_LABELS.items()),
        initial="slow",
        required=False,
        help_text=_(
            "Each player has this time for the whole game, and gets some more with each turn. "
            "Sleeping hours and vacations don't count, except in live games."
        ),
        widget=forms.Select(attrs={"aria-describedby": "id_pace_helptext"}),
    )
    caretaker = forms.ChoiceField(
        label=_("If somebody does not move in time"),
        choices=lambda: [
            *(
                (level, _("%(level)s bot plays for them") % {"level": capfirst(word)})
                for level, word in BOT_LEVELS.items()
            ),
            ("out", _("They are out of the game")),
        ],
        initial="medium",
        required=False,
    )
    least_reliability = forms.TypedChoiceField(
        label=_("How reliable must the others be?"),
        choices=lambda: list(RELIABILITY_LABELS.items()),
        coerce=int,
        initial=0,
        required=False,
        help_text=_(
            "New players, who have fewer than five games, may always join, and so may people whom you "
            "invite by name or email."
        ),
        widget=forms.Select(attrs={"aria-describedby": "id_least_reliability_helptext"}),
    )
    changes_ratings = forms.BooleanField(
        label=_("Rated game"),
        required=False,
        help_text=_(
            "The result changes the ratings of the players. There are no guests and no hints, "
            "and a player who leaves finishes last."
        ),
    )
    least_rating = forms.TypedChoiceField(
        label=_("Lowest rating"),
        choices=lambda: list(LEAST_LABELS.items()),
        coerce=int,
        empty_value=None,
        required=False,
    )
    most_rating = forms.TypedChoiceField(
        label=_("Highest rating"),
        choices=lambda: list(MOST_LABELS.items()),
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("For all other players, even if you invite them. New players start at 1500."),
    )
    beginner = forms.BooleanField(
        label=_("Beginner's length"),
        required=False,
        help_text=_("17 discs each with three players and 15 with four, instead of 20."),
    )
    is_public = forms.BooleanField(
        label=_("Anybody may join: list this table on the home page"),
        required=False,
        help_text=_(
            "If it is not listed, only people with the link can find it. Anybody with the link can watch."
        ),
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        suggests_short: bool = False,
        is_for_guest: bool = False,
    ) -> None:
        super().__init__(data, initial={"beginner": suggests_short})
        self.suggests_short = suggests_short
        self.is_for_guest = is_for_guest

    @property
    def questions(self) -> SafeString:
        """The questions as HTML, without the hidden fields. Those of an empty form are rendered once."""
        if self.is_bound:
            return render_to_string(QUESTIONS, {"form": self})
        return _empty_questions(suggests_short=self.suggests_short, is_for_guest=self.is_for_guest)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        cleaned["pace"], cleaned["caretaker"] = (
            cleaned.get("pace") or "slow",
            cleaned.get("caretaker") or "medium",
        )
        if cleaned.get("opponents") == "people" and cleaned.get("is_public") and cleaned["pace"] == "none":
            self.add_error("pace", _("A table on the home page needs a clock. Choose one, or don't list it."))
        least, most = cleaned.get("least_rating"), cleaned.get("most_rating")
        if cleaned.get("opponents") == "people" and least is not None and most is not None and least >= most:
            self.add_error("most_rating", _("The highest rating must be above the lowest."))
        return cleaned

    @property
    def options(self) -> TableOptions:
        """The choices of a valid form. Nobody can join a game against bots, so it asks less of players."""
        data = self.cleaned_data
        return TableOptions(
            data["seat_count"],
            options=_options_of(data["seat_count"], is_short=data["beginner"]),
            is_public=self.is_against_bots or data["is_public"],
            pace="" if self.is_against_bots or data["pace"] == "none" else data["pace"],
            caretaker="" if data["caretaker"] == "out" else data["caretaker"],
            least_reliability=0 if self.is_against_bots else data["least_reliability"] or 0,
            changes_ratings=data["changes_ratings"],
            least_rating=None if self.is_against_bots else data["least_rating"],
            most_rating=None if self.is_against_bots else data["most_rating"],
        )

    @property
    def bots(self) -> list[str]:
        """The levels of the bots that take seats immediately."""
        others = self.cleaned_data["seat_count"] - 1
        return [self.cleaned_data["level"]] * others if self.is_against_bots else []

    @property
    def is_against_bots(self) -> bool:
        return bool(self.cleaned_data["opponents"] == "bots")


def _options_of(seat_count: int, *, is_short: bool) -> dict[str, object]:
    """Return the options of a game of this length; empty for the usual one."""
    return {"discs": BEGINNER_DISCS[seat_count]} if is_short and seat_count in BEGINNER_DISCS else {}


@keep_latest(4)
def _empty_questions(*, suggests_short: bool, is_for_guest: bool) -> SafeString:
    form = NewTableForm(suggests_short=suggests_short, is_for_guest=is_for_guest)
    return render_to_string(QUESTIONS, {"form": form})


class NewMatchForm(OnceForm):
    """A request to open a duplicate match."""

    table_count = forms.IntegerField(
        label=_("Tables"),
        min_value=FEWEST_TABLES,
        max_value=MOST_TABLES,
        initial=4,
        help_text=_("From 2 to 16. The more tables, the less luck counts."),
        widget=forms.NumberInput(attrs={"aria-describedby": "id_table_count_helptext"}),
    )
    seat_count = forms.TypedChoiceField(
        label=_("Players at each table"),
        choices=[(2, "2"), (3, "3"), (4, "4")],
        coerce=int,
        initial=2,
        widget=forms.RadioSelect,
    )
    pace = forms.ChoiceField(
        label=_("How fast must players move?"),
        choices=lambda: [(pace, label) for pace, label in PACE_LABELS.items() if pace != "none"],
        initial="day",
        help_text=_(
            "Each player has this time for the whole game, and gets some more with each turn. "
            "Sleeping hours and vacations don't count, except in live games."
        ),
        widget=forms.Select(attrs={"aria-describedby": "id_pace_helptext"}),
    )
    changes_ratings = forms.BooleanField(
        label=_("Rated games"),
        required=False,
        help_text=_("The result of each table changes the ratings of its players. No guests, no hints."),
    )
    is_public = forms.BooleanField(
        label=_("Anybody may join: list this match on the home page"),
        required=False,
        help_text=_("If it is not listed, only people with the link can find it."),
    )


class MatchForm(LevelForm):
    """What somebody does with a duplicate match; `level` is that of the bots, if it starts with them."""

    do = forms.ChoiceField(choices=[(verb, verb) for verb in ("enter", "leave", "start", "close")])

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["level"].required = False

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and cleaned["do"] == "start" and not cleaned.get("level"):
            raise forms.ValidationError(MALFORMED)
        return cleaned


class HandOverForm(forms.Form):
    """An offer of a seat, or an answer to one."""

    do = forms.ChoiceField(choices=[(verb, verb) for verb in ("link", "everybody", "withdraw", "object")])
    offer = forms.IntegerField(required=False, min_value=1)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and cleaned["do"] == "object" and not cleaned.get("offer"):
            raise forms.ValidationError(MALFORMED)
        return cleaned


class VoteForm(forms.Form):
    """The start of a vote, or an answer to one."""

    do = forms.ChoiceField(choices=[(verb, verb) for verb in ("start", "agree", "decline")])
    vote = forms.IntegerField(required=False, min_value=1)
    purpose = forms.ChoiceField(required=False, choices=Vote.Purpose.choices)
    pace = forms.ChoiceField(
        label=_("How fast must players move?"),
        choices=lambda: list(PACE_LABELS.items()),
        required=False,
        help_text=_(
            "Each player has this time for the whole game, and gets some more with each turn. "
            "Sleeping hours and vacations don't count, except in live games."
        ),
        widget=forms.Select(attrs={"aria-describedby": "id_pace_helptext"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        needed = ["purpose"] if cleaned.get("do") == "start" else ["vote"]
        if cleaned.get("purpose") == Vote.Purpose.PACE:
            needed.append("pace")
        if not self.errors and not all(cleaned.get(field) for field in needed):
            raise forms.ValidationError(MALFORMED)
        return cleaned

    @property
    def chosen_pace(self) -> str:
        """The pace on which to vote; empty for none, and for other votes."""
        pace: str = self.cleaned_data["pace"]
        return "" if pace == "none" else pace

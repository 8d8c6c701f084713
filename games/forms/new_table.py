"""The form of a new table. What it asks about the options depends on the title."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from games.clocks import LIVE_PACES
from games.forms.once import OnceForm
from games.forms.options import field_of
from games.forms.tables import LevelForm
from games.services.tables import TableOptions
from games.shown.clocks import PACE_LABELS
from games.shown.kept import keep_latest
from games.shown.ratings import LEAST_LABELS, MOST_LABELS
from games.shown.reliability import RELIABILITY_LABELS
from games.shown.words import BOT_LEVELS
from games.titles.options import Question
from games.titles.registry import TITLES, Title, title_with
from games.titles.talents import Talent

QUESTIONS = "games/_new_table_questions.html"


class NewTableForm(OnceForm, LevelForm):
    """A request to open a table of a title: for bots or people, its options, and whether it is listed.

    `is_new` says that the person has not played the title, as in `Options.questions`. A form that
    `is_for_guest` leaves out what guests cannot do. Without `data`, it is an empty form: it can begin with a
    game that `is_with_people`, to which somebody may be `invited`.
    """

    # Who gets an invitation to the table.
    invited = forms.CharField(required=False, max_length=150, widget=forms.HiddenInput)

    # Which title the form is about. A site with one title does not send it.
    title = forms.CharField(required=False, widget=forms.HiddenInput)

    opponents = forms.ChoiceField(
        label=_("Who do you play with?"),
        choices=[("bots", _("Bots")), ("people", _("People"))],
        initial="bots",
        widget=forms.RadioSelect,
    )
    seat_count = forms.TypedChoiceField(
        label=_("Number of players, including you"),
        coerce=int,
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
            "The clock stops in sleeping hours, on days off and on vacation, except in live games."
        ),
        widget=forms.Select(attrs={"aria-describedby": "id_pace_helptext"}),
    )
    caretaker = forms.ChoiceField(
        label=_("If somebody's clock runs out"),
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
        help_text=_("Also for people whom you invite. New players start at 1500."),
    )
    is_public = forms.BooleanField(
        label=_("Anybody may join: list this table on the home page"),
        required=False,
        help_text=_(
            "If it is not listed, only people with the link can find it. Anybody with the link can watch. "
            "Listed games of at least two people are also on the page Watch."
        ),
    )

    def __init__(
        self,
        title: Title,
        data: Mapping[str, Any] | None = None,
        *,
        is_new: bool = False,
        is_for_guest: bool = False,
        is_with_people: bool = False,
        invited: str = "",
    ) -> None:
        sizes = title.table_sizes
        initial = {"title": title.key, "seat_count": sizes[0]}
        if invited or is_with_people:
            initial |= {"invited": invited, "opponents": "people"}
        super().__init__(title, data, initial=initial)
        self.of_title = title
        self.is_new = is_new
        self.is_for_guest = is_for_guest
        self.is_with_people = is_with_people
        self._offer("seat_count", [(size, str(size)) for size in sizes])
        caretakers = [
            (level, _("%(level)s bot plays for them") % {"level": capfirst(BOT_LEVELS[level])})
            for level in title.bots.levels
        ]
        usual = ("", _("As usual"))
        self._offer("caretaker", [usual, *caretakers, ("out", _("They leave the game and lose it"))])
        self.fields["caretaker"].help_text = _(
            "As usual: they lose in a live game of two; in other games, a bot (%(level)s) plays for them."
        ) % {"level": BOT_LEVELS[title.usual_level]}
        levels = [("", _("Like the first bot")), *((key, self._label_of(key)) for key in title.bots.levels)]
        for number in range(2, sizes[-1]):
            role = title.pages.bot_roles.get(number, _("Level of bot %(number)d") % {"number": number})
            self.fields[f"level_{number}"] = forms.ChoiceField(label=role, choices=levels, required=False)
        self.asked = title.pages.questions(is_new=is_new)
        for question in self.asked:
            if question.name in self.fields:
                raise ValueError(f"The form of a new table has a field {question.name!r} of its own.")
            self.fields[question.name] = field_of(question)

    @property
    def first_role(self) -> object:
        """What the first bot of the largest table is to who opens it; empty if that needs no words."""
        return self.of_title.pages.bot_roles.get(1, "")

    def _label_of(self, level: str) -> object:
        return self.of_title.pages.bot_levels[level].label

    def _offer(self, name: str, choices: Sequence[tuple[object, object]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    @property
    def titles(self) -> Sequence[Title]:
        """The titles among which people choose; none if the site has only one."""
        return list(TITLES.values()) if len(TITLES) > 1 else []

    @property
    def less_luck(self) -> str:
        """An offer of a duplicate match, with a link; empty if the title has none."""
        if Talent.DUPLICATE not in self.of_title.talents:
            return ""
        query = "" if self.of_title == title_with(Talent.DUPLICATE) else f"?title={self.of_title.key}"
        return self.of_title.pages.deal_words.less_luck(reverse("games:new_duplicate") + query)

    @property
    def invited_name(self) -> str:
        """Whom the table is for; empty if that is not said yet."""
        return str(self["invited"].value() or "")

    @property
    def needs_account(self) -> bool:
        """Whether the answers, or the invitation for which the form is, are not for guests."""
        return any(self[name].value() for name in ("invited", "changes_ratings", "is_public"))

    @property
    def further_levels(self) -> Sequence[tuple[BoundField, str]]:
        """The fields for the levels of all bots but the first, each with the class of `option_fields`."""
        sizes = self.of_title.table_sizes
        return [
            (self[f"level_{number}"], " ".join(f"new__for-{size}" for size in sizes if size > number))
            for number in range(2, sizes[-1])
        ]

    @property
    def option_fields(self) -> Sequence[tuple[BoundField, str]]:
        """The fields for the options of the title, each with its class: for which numbers of seats it is."""
        return self._fields_of(question for question in self.asked if not question.is_house_rule)

    @property
    def house_rules(self) -> Sequence[tuple[BoundField, str]]:
        """The fields for the options that are folded away, as in `option_fields`."""
        return self._fields_of(question for question in self.asked if question.is_house_rule)

    def _fields_of(self, questions: Iterable[Question]) -> Sequence[tuple[BoundField, str]]:
        return [
            (self[question.name], " ".join(f"new__for-{count}" for count in question.seat_counts))
            for question in questions
        ]

    @property
    def questions(self) -> SafeString:
        """The questions as HTML, without the hidden fields. Those of an empty form are rendered once."""
        if self.is_bound or "opponents" in self.initial:
            return render_to_string(QUESTIONS, {"form": self})
        return _empty_questions(self.of_title, is_new=self.is_new, is_for_guest=self.is_for_guest)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        cleaned["pace"] = cleaned.get("pace") or "slow"
        if not cleaned.get("caretaker"):
            is_live = cleaned.get("opponents") == "people" and cleaned["pace"] in LIVE_PACES
            is_out = is_live and cleaned.get("seat_count") == 2
            cleaned["caretaker"] = "out" if is_out else self.of_title.usual_level
        if cleaned.get("opponents") == "people" and cleaned.get("is_public") and cleaned["pace"] == "none":
            self.add_error("pace", _("A table on the home page needs a clock. Choose one, or don't list it."))
        least, most = cleaned.get("least_rating"), cleaned.get("most_rating")
        if cleaned.get("opponents") == "people" and least is not None and most is not None and least >= most:
            self.add_error("most_rating", _("The highest rating must be above the lowest."))
        if not self.errors and not self._has_possible_options():
            self.add_error(None, _("These options don't go together. Please change one of them."))
        return cleaned

    def _has_possible_options(self) -> bool:
        try:
            self.of_title.rules.checked_options(self._title_options, self.cleaned_data["seat_count"])
        except ValueError:
            return False
        return True

    @property
    def _title_options(self) -> Mapping[str, object]:
        """The options of the title, by the answers to the questions for this number of seats."""
        seats = self.cleaned_data["seat_count"]
        asked = [one.name for one in self.asked if not one.seat_counts or seats in one.seat_counts]
        answers = {name: self.cleaned_data[name] for name in asked if self.cleaned_data[name] is not None}
        return self.of_title.pages.options_of(answers, seats)

    @property
    def options(self) -> TableOptions:
        """The choices of a valid form. Nobody can join a game against bots, so it asks less of players."""
        data = self.cleaned_data
        return TableOptions(
            data["seat_count"],
            title=self.of_title.key,
            options=self._title_options,
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
        if not self.is_against_bots:
            return []
        first, further = self.cleaned_data["level"], range(2, self.cleaned_data["seat_count"])
        return [first, *(self.cleaned_data[f"level_{number}"] or first for number in further)]

    @property
    def is_against_bots(self) -> bool:
        return bool(self.cleaned_data["opponents"] == "bots")


@keep_latest(8)
def _empty_questions(title: Title, *, is_new: bool, is_for_guest: bool) -> SafeString:
    form = NewTableForm(title, is_new=is_new, is_for_guest=is_for_guest)
    return render_to_string(QUESTIONS, {"form": form})

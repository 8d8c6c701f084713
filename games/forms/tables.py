"""The forms of tables: to fill their seats, and to agree on something; those of matches and daily deals."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy as _

from accounts.addresses import check_sendable
from games.forms.actions import MALFORMED
from games.forms.once import OnceForm
from games.forms.people import NameInput
from games.models import FEWEST_TABLES, MOST_TABLES, TEAMS, Vote
from games.shown.clocks import PACE_LABELS
from games.titles.registry import Title, all_with
from games.titles.talents import Talent


class DailyForm(OnceForm):
    """A request to begin the attempt at the deal of this day."""

    day = forms.DateField(widget=forms.HiddenInput)
    # How many minutes were left of the day when the page was shown.
    minutes = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)


class LevelForm(forms.Form):
    """The level of bots of a title."""

    level = forms.ChoiceField(
        label=_("Level of the bots"),
        # Screen readers describe it with the text below it.
        widget=forms.Select(attrs={"aria-describedby": "id_level_helptext"}),
    )

    def __init__(self, title: Title, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        texts = title.pages.bot_levels
        levels = {level: texts[level] for level in title.bots.levels}
        field = self.fields["level"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(level, text.label) for level, text in levels.items()]
        field.initial = next(iter(levels))
        # The template shows the description of the chosen level.
        self.descriptions = {level: text.description for level, text in levels.items()}


class AddBotsForm(LevelForm):
    """A request to add bots to a table: on one seat, or on every free seat."""

    def __init__(self, title: Title, *arguments: Any, **options: Any) -> None:
        super().__init__(title, *arguments, **options)
        last = max(title.rules.seat_counts) - 1
        self.fields["seat"] = forms.IntegerField(required=False, min_value=0, max_value=last)


class SwapForm(forms.Form):
    """Two seats of a table that change places."""

    number = forms.IntegerField(min_value=0, max_value=99)
    other = forms.IntegerField(min_value=0, max_value=99)


class InviteForm(forms.Form):
    """Whom to invite to a table: a player by name, or somebody by email address."""

    who = forms.CharField(
        label=_("Player's name or email address"),
        max_length=254,
        error_messages={"required": _("Please enter a name or an email address.")},
        widget=NameInput(),
    )

    # Names like the one that nobody has, to choose one of them.
    similar: Sequence[str] = ()

    def clean_who(self) -> str:
        who: str = self.cleaned_data["who"]
        if "@" in who:
            validate_email(who)
            check_sendable(who)
        return who


class NewMatchForm(OnceForm):
    """A request to open a duplicate match of a title. Without `data`, it is an empty form.

    It asks for no number of tables if two teams play the match.
    """

    # A site with one title that has such matches does not send it.
    title = forms.CharField(required=False, widget=forms.HiddenInput)

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
        coerce=int,
        widget=forms.RadioSelect,
    )
    pace = forms.ChoiceField(
        label=_("How fast must players move?"),
        choices=lambda: [(pace, label) for pace, label in PACE_LABELS.items() if pace != "none"],
        initial="day",
        help_text=_(
            "Each player has this time for the whole game, and gets some more with each turn. "
            "The clock stops in sleeping hours, on days off and on vacation, except in live games."
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

    def __init__(self, title: Title, data: Mapping[str, Any] | None = None) -> None:
        sizes = title.table_sizes
        super().__init__(data, initial={"title": title.key, "seat_count": sizes[0]})
        self.of_title = title
        self.has_teams = Talent.TEAMS in title.talents
        field = self.fields["seat_count"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(size, str(size)) for size in sizes]
        if self.has_teams:
            del self.fields["table_count"]

    @property
    def titles(self) -> Sequence[Title]:
        """The titles among which people choose; none if only one of the site has such matches."""
        titles = all_with(Talent.DUPLICATE)
        return titles if len(titles) > 1 else []

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        return {"table_count": TEAMS, **cleaned, "title": self.of_title.key}


class MatchForm(LevelForm):
    """What somebody does with a duplicate match.

    `level` is the level of the bots, if it starts with them, `team` the team that somebody enters, and `who`
    the name of the player whom they invite.
    """

    do = forms.ChoiceField(choices=[(verb, verb) for verb in ("enter", "invite", "leave", "start", "close")])
    team = forms.IntegerField(required=False, min_value=0, max_value=TEAMS - 1)
    who = forms.CharField(required=False, max_length=254)

    def __init__(self, title: Title, *arguments: Any, **options: Any) -> None:
        super().__init__(title, *arguments, **options)
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
    number = forms.IntegerField(required=False, min_value=1)
    pace = forms.ChoiceField(
        label=_("How fast must players move?"),
        # None is chosen, because people come to this page to cancel, too.
        choices=lambda: [("", _("Choose a pace")), *PACE_LABELS.items()],
        required=False,
        help_text=_(
            "Each player has this time for the whole game, and gets some more with each turn. "
            "The clock stops in sleeping hours, on days off and on vacation, except in live games."
        ),
        widget=forms.Select(attrs={"aria-describedby": "id_pace_helptext", "required": True}),
    )

    def offer(self, paces: Sequence[str]) -> None:
        """Show only these paces to choose from; "" is no clock. The service says why others are refused."""
        field = self.fields["pace"]
        assert isinstance(field, forms.ChoiceField)
        offered = [(pace, label) for pace, label in PACE_LABELS.items() if pace in paces]
        offered += [("none", PACE_LABELS["none"])] if "" in paces else []
        field.choices = [("", _("Choose a pace")), *offered]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        needed = ["purpose"] if cleaned.get("do") == "start" else ["vote"]
        if cleaned.get("purpose") == Vote.Purpose.PACE:
            needed.append("pace")
        elif cleaned.get("purpose") == Vote.Purpose.TAKE_BACK:
            needed.append("number")
        if not self.errors and not all(cleaned.get(field) for field in needed):
            raise forms.ValidationError(MALFORMED)
        return cleaned

    @property
    def chosen_pace(self) -> str:
        """The pace on which to vote; empty for none, and for other votes."""
        pace: str = self.cleaned_data["pace"]
        return "" if pace == "none" else pace

"""What a page may send."""

import uuid
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.board import Choice
from games.engine import Cell
from games.words import BOT_CHARACTERS, BOT_MANNERS

MALFORMED = _("Part of that request was missing or unreadable. Please choose again on the board below.")


def who_sits_there() -> list[tuple[object, object]]:
    """Return what a seat may be at first: open, or a bot's."""
    return [("", _("Open seat")), (_("A bot"), list(BOT_CHARACTERS.items()))]


def seat_described_by(name: str) -> forms.Select:
    """Return a seat's widget, which names what stands below it as its description."""
    return forms.Select(attrs={"aria-describedby": f"id_{name}_helptext"})


class NewSoloForm(forms.Form):
    """A solo game to deal."""

    # Rendered anew with each page, so that a form sent twice deals one game.
    request_id = forms.UUIDField(initial=uuid.uuid4, widget=forms.HiddenInput)


class NewTableForm(NewSoloForm):
    """A table to open: how many seats, who sits on them, how long the game is, and who may find it."""

    seat_count = forms.TypedChoiceField(
        label=_("Players"),
        choices=[(2, "2"), (3, "3"), (4, "4")],
        coerce=int,
        initial=2,
        widget=forms.RadioSelect,
    )
    seat_2 = forms.ChoiceField(
        label=_("Second seat"), choices=who_sits_there, required=False, widget=seat_described_by("seat_2")
    )
    seat_3 = forms.ChoiceField(
        label=_("Third seat"), choices=who_sits_there, required=False, widget=seat_described_by("seat_3")
    )
    seat_4 = forms.ChoiceField(
        label=_("Fourth seat"), choices=who_sits_there, required=False, widget=seat_described_by("seat_4")
    )
    beginner = forms.BooleanField(
        label=_("Beginner's length"),
        required=False,
        help_text=_("17 discs each with three players, 15 with four; with two it is always 20."),
    )
    is_public = forms.BooleanField(
        label=_("List it for everybody"),
        required=False,
        initial=True,
        help_text=_("Otherwise only people with the link find the table. Whoever has the link may watch."),
    )

    # What each bot is like, to be read under the seat for which it is chosen.
    manners = BOT_MANNERS

    @property
    def bots(self) -> list[str]:
        """The levels of the bots at the table; seats beyond `seat_count` don't count."""
        seats = [
            self.cleaned_data[f"seat_{number}"] for number in range(2, self.cleaned_data["seat_count"] + 1)
        ]
        return [level for level in seats if level]


class ActionForm(forms.Form):
    """An action as the board's forms post it: what to do, its number in the log, and the request's id."""

    do = forms.ChoiceField(choices=[(verb, verb) for verb in ("place", "refill", "resign")])
    number = forms.IntegerField(min_value=1, max_value=10_000)
    request_id = forms.UUIDField()
    tile = forms.CharField(required=False, max_length=8)
    x = forms.IntegerField(required=False, min_value=-1000, max_value=1000)
    y = forms.IntegerField(required=False, min_value=-1000, max_value=1000)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("do") == "place" and (
            not cleaned.get("tile") or cleaned.get("x") is None or cleaned.get("y") is None
        ):
            raise forms.ValidationError(MALFORMED)
        return cleaned

    @property
    def wish(self) -> Mapping[str, object]:
        """The action in the record format, without its seat."""
        keys = ("do", "tile", "x", "y") if self.cleaned_data["do"] == "place" else ("do",)
        return {key: self.cleaned_data[key] for key in keys}


class HintForm(forms.Form):
    """A wish for a hint: for which action of the log."""

    number = forms.IntegerField(min_value=1, max_value=10_000)


class ChoiceForm(forms.Form):
    """What the viewer has chosen so far, from the page's address; what is unreadable is not chosen."""

    tile = forms.CharField(required=False, max_length=8)
    x = forms.IntegerField(required=False, min_value=-1000, max_value=1000)
    y = forms.IntegerField(required=False, min_value=-1000, max_value=1000)
    at = forms.IntegerField(required=False, min_value=0, max_value=10_000)

    @property
    def choice(self) -> Choice:
        """The tile and the cell, as far as they could be read."""
        x, y = self.cleaned_data.get("x"), self.cleaned_data.get("y")
        cell = None if x is None or y is None else Cell(x, y)
        return Choice(tile=self.cleaned_data.get("tile") or None, cell=cell)

"""The forms of the pages of games and tables."""

import uuid
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.board.choice import Choice
from games.board.words import BOT_DESCRIPTIONS, BOT_LABELS
from games.engine import Cell, Place, Refill, Resign

ANY_SEAT = -1
MALFORMED = _("Part of your request was missing or unreadable. Please choose again on the board below.")


def seat_choices() -> list[tuple[object, object]]:
    """Return the choices for a seat: open, or one of the bots."""
    return [("", _("Free seat")), (_("A bot"), list(BOT_LABELS.items()))]


def seat_widget(name: str) -> forms.Select:
    """Return the widget of a seat. Screen readers describe it with the text below it."""
    return forms.Select(attrs={"aria-describedby": f"id_{name}_helptext"})


class OnceForm(forms.Form):
    """A request that counts once: to start a game, or to play as a guest."""

    # Each page has a new id, so a form that is sent twice makes one game and one guest.
    request_id = forms.UUIDField(initial=uuid.uuid4, widget=forms.HiddenInput)


class NewTableForm(OnceForm):
    """A request to open a table: the seats, the bots, the length of the game, and whether it is listed."""

    seat_count = forms.TypedChoiceField(
        label=_("Players"),
        choices=[(2, "2"), (3, "3"), (4, "4")],
        coerce=int,
        initial=2,
        widget=forms.RadioSelect,
    )
    seat_2 = forms.ChoiceField(
        label=_("Second seat"), choices=seat_choices, required=False, widget=seat_widget("seat_2")
    )
    seat_3 = forms.ChoiceField(
        label=_("Third seat"), choices=seat_choices, required=False, widget=seat_widget("seat_3")
    )
    seat_4 = forms.ChoiceField(
        label=_("Fourth seat"), choices=seat_choices, required=False, widget=seat_widget("seat_4")
    )
    beginner = forms.BooleanField(
        label=_("Beginner's length"),
        required=False,
        help_text=_("17 discs each with three players, 15 with four. With two, it is always 20."),
    )
    is_public = forms.BooleanField(
        label=_("List this table on the home page"),
        required=False,
        initial=True,
        help_text=_(
            "If it is not listed, only people with the link can find it. Anybody with the link can watch."
        ),
    )

    # The template shows the description of the chosen bot under its seat.
    bot_descriptions = BOT_DESCRIPTIONS

    @property
    def bots(self) -> list[str]:
        """The levels of the chosen bots, in seat order. Seats beyond `seat_count` are ignored."""
        seats = [
            self.cleaned_data[f"seat_{number}"] for number in range(2, self.cleaned_data["seat_count"] + 1)
        ]
        return [level for level in seats if level]


class TileAndCellForm(forms.Form):
    """A tile and a cell, from a form of the board or from the address of its page."""

    tile = forms.CharField(required=False, max_length=8)
    x = forms.IntegerField(required=False, min_value=-1000, max_value=1000)
    y = forms.IntegerField(required=False, min_value=-1000, max_value=1000)

    @property
    def choice(self) -> Choice:
        """The tile and the cell; None for each that is missing or unreadable."""
        x, y = self.cleaned_data.get("x"), self.cleaned_data.get("y")
        cell = None if x is None or y is None else Cell(x, y)
        return Choice(tile=self.cleaned_data.get("tile") or None, cell=cell)


class ChoiceForm(TileAndCellForm):
    """The query of a page: the choice so far, and the number of the action to show.

    Unreadable parts are empty.
    """

    at = forms.IntegerField(required=False, min_value=0, max_value=10_000)

    @classmethod
    def read(cls, request: HttpRequest) -> "ChoiceForm":
        """Return the form with the query of this request."""
        form = cls(request.GET)
        form.full_clean()
        return form

    @property
    def action_number(self) -> int | None:
        """The number of the action to show; None for the newest."""
        return self.cleaned_data.get("at")


class ActionForm(TileAndCellForm):
    """An action that a form of the board posts, with its number in the log and a request id."""

    do = forms.ChoiceField(choices=[(verb, verb) for verb in ("place", "refill", "resign")])
    number = forms.IntegerField(min_value=1, max_value=10_000)
    request_id = forms.UUIDField()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("do") == "place" and (self.choice.tile is None or self.choice.cell is None):
            raise forms.ValidationError(MALFORMED)
        return cleaned

    @property
    def request(self) -> tuple[Place | Refill | Resign, int, uuid.UUID]:
        """The arguments of `services.play`: the action, its number in the log, and the request id."""
        return self.action, self.cleaned_data["number"], self.cleaned_data["request_id"]

    @property
    def action(self) -> Place | Refill | Resign:
        """The action. Its seat is a placeholder, because `services.play` sets the seat of the user."""
        match self.cleaned_data["do"]:
            case "place":
                choice = self.choice
                assert choice.tile is not None
                assert choice.cell is not None
                return Place(ANY_SEAT, choice.tile, *choice.cell)
            case "refill":
                return Refill(ANY_SEAT)
        return Resign(ANY_SEAT)


class HintForm(forms.Form):
    """A request for a hint for action `number`."""

    number = forms.IntegerField(min_value=1, max_value=10_000)

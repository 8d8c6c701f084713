"""The forms of the board: choices, actions, plans, lines and hints."""

import uuid
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.models import LONGEST_LINE_NAME, LONGEST_LINE_TEXT
from games.novaluna.board.choice import Choice
from games.novaluna.board.plan import ANY_SEAT, read_wishes
from games.novaluna.engine import Cell, Place, Refill
from games.titles.actions import Resign

MALFORMED = _("Part of your request was missing or unreadable. Please choose again on the board below.")


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
    """The query of a page: the choice so far, the number of the action to show, and how much of the log.

    Unreadable parts are empty.
    """

    at = forms.IntegerField(required=False, min_value=0, max_value=10_000)
    plan = forms.BooleanField(required=False)
    older = forms.BooleanField(required=False)

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

    @property
    def is_planning(self) -> bool:
        """Whether the page shows what the viewer can plan."""
        return bool(self.cleaned_data.get("plan"))

    @property
    def shows_older(self) -> bool:
        """Whether the page shows the whole log."""
        return bool(self.cleaned_data.get("older"))


class ActionForm(TileAndCellForm):
    """An action that a form of the board posts, with its number in the log and a request id.

    `changes` is the number of changes of seats that the page knows.
    """

    do = forms.ChoiceField(choices=[(verb, verb) for verb in ("place", "refill", "resign")])
    number = forms.IntegerField(min_value=1, max_value=10_000)
    request_id = forms.UUIDField()
    changes = forms.IntegerField(required=False)

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


class PlanForm(TileAndCellForm):
    """A plan that a form of the page posts: its wishes, and one more if the player has chosen a tile.

    `number` is the number of the next action on the page that the player has seen.
    """

    wishes = forms.CharField(required=False, max_length=200)
    outlasts_refill = forms.BooleanField(required=False)
    number = forms.IntegerField(min_value=1, max_value=10_000)

    def clean_wishes(self) -> list[Place | Refill]:
        try:
            return read_wishes(self.cleaned_data["wishes"])
        except ValueError:
            raise forms.ValidationError(MALFORMED) from None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        tile, cell = self.choice.tile, self.choice.cell
        if tile is not None and cell is None:
            raise forms.ValidationError(MALFORMED)
        if tile is not None and cell is not None and "wishes" in cleaned:
            cleaned["wishes"].append(Place(ANY_SEAT, tile, *cell))
        return cleaned

    @property
    def plan(self) -> tuple[list[Place | Refill], int, bool]:
        """The wishes, the number of the next action, and whether the plan outlasts a refill."""
        cleaned = self.cleaned_data
        return cleaned["wishes"], cleaned["number"], cleaned["outlasts_refill"]


class HintForm(forms.Form):
    """A request for a hint for action `number`."""

    number = forms.IntegerField(min_value=1, max_value=10_000)


class LineForm(forms.Form):
    """A line that a player keeps: the action after which it begins, its actions, and a name for it."""

    start = forms.IntegerField(min_value=0, max_value=10_000)
    line = forms.CharField(max_length=LONGEST_LINE_TEXT)
    name = forms.CharField(
        label=_("Name or note"),
        required=False,
        max_length=LONGEST_LINE_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}),
    )

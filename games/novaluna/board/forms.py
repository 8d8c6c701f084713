"""What the forms of the board and the addresses of its page send."""

from collections.abc import Mapping
from typing import Any

from django import forms

from games.novaluna.board.choice import Choice
from games.novaluna.board.game_view import Wish
from games.novaluna.board.plan import read_wishes
from games.novaluna.engine import Cell, Place, Refill
from games.titles.actions import ANY_SEAT
from games.titles.boards import Unreadable


class ChoiceForm(forms.Form):
    """A tile and a cell, and for a plan the wishes before them."""

    tile = forms.CharField(required=False, max_length=8)
    x = forms.IntegerField(required=False, min_value=-1000, max_value=1000)
    y = forms.IntegerField(required=False, min_value=-1000, max_value=1000)
    wishes = forms.CharField(required=False, max_length=200)

    @property
    def choice(self) -> Choice:
        """The tile and the cell; None for each that is missing or unreadable."""
        x, y = self.cleaned_data.get("x"), self.cleaned_data.get("y")
        cell = None if x is None or y is None else Cell(x, y)
        return Choice(tile=self.cleaned_data.get("tile") or None, cell=cell)


def read_choice(asked: Mapping[str, Any]) -> Choice:
    """Return the choice in the query of a page."""
    return _form(asked).choice


def read_action(data: Mapping[str, Any]) -> Place | Refill:
    """Return the action that a form posts. Raises Unreadable."""
    form = _form(data)
    if not form.is_valid():
        raise Unreadable
    choice = form.choice
    match data.get("do"):
        case "place" if choice.tile is not None and choice.cell is not None:
            return Place(ANY_SEAT, choice.tile, *choice.cell)
        case "refill":
            return Refill(ANY_SEAT)
    raise Unreadable


def read_plan(data: Mapping[str, Any]) -> list[Wish]:
    """Return the wishes that a form posts, and one for a chosen tile. Raises Unreadable."""
    form = _form(data)
    if not form.is_valid():
        raise Unreadable
    try:
        wishes = read_wishes(form.cleaned_data["wishes"])
    except ValueError:
        raise Unreadable from None
    choice = form.choice
    if choice.tile is None:
        return wishes
    if choice.cell is None:
        raise Unreadable
    return [*wishes, Place(ANY_SEAT, choice.tile, *choice.cell)]


def _form(data: Mapping[str, Any]) -> ChoiceForm:
    form = ChoiceForm(data)
    form.full_clean()
    return form

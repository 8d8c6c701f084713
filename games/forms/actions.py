"""The forms of the page of a game: actions, plans, lines and hints. The title reads what is its own."""

import uuid
from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.written_text import has_visible, tidy
from games.models import LONGEST_LINE_NAME, LONGEST_LINE_TEXT
from games.titles.actions import ANY_SEAT, Resign
from games.titles.boards import Unreadable
from games.titles.pages import AnyPages

MALFORMED = _("Part of your request was missing or unreadable. Please choose again on the board below.")


# How the ids of an action begin in its review: on the chart, among the key actions, in the table.
REVIEW_PARTS = ("point", "key", "action")


class PageForm(forms.Form):
    """The query of a page: the number of the action to show, whether to plan, and how much of the log.

    `review` is the part of the review from which its reader came. Unreadable parts are empty. The title reads
    the rest, which is the viewer's choice.
    """

    at = forms.IntegerField(required=False, min_value=0, max_value=10_000)
    plan = forms.BooleanField(required=False)
    older = forms.BooleanField(required=False)
    review = forms.ChoiceField(required=False, choices=[(part, part) for part in REVIEW_PARTS])

    @classmethod
    def read(cls, request: HttpRequest) -> "PageForm":
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
    def review_part(self) -> str:
        """The part of the review from which the viewer came, or empty."""
        return self.cleaned_data.get("review", "")

    @property
    def shows_older(self) -> bool:
        """Whether the page shows the whole log."""
        return bool(self.cleaned_data.get("older"))


class ActionForm(forms.Form):
    """An action that a form of the page posts, with its number in the log and a request id.

    `changes` is the number of changes of seats that the page knows.
    """

    do = forms.CharField(max_length=20)
    number = forms.IntegerField(min_value=1, max_value=10_000)
    request_id = forms.UUIDField()
    changes = forms.IntegerField(required=False)

    def __init__(self, pages: AnyPages, data: Mapping[str, Any]) -> None:
        """Take the pages of the title, which read the action."""
        super().__init__(data)
        self.pages = pages

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        cleaned["action"] = self._action(cleaned.get("do"))
        return cleaned

    def _action(self, name: str | None) -> object:
        if name == "resign":
            return Resign(ANY_SEAT)
        try:
            return self.pages.action_of(self.data)
        except Unreadable:
            raise forms.ValidationError(MALFORMED) from None

    @property
    def request(self) -> tuple[Any, int, uuid.UUID]:
        """The arguments of `services.play`: the action, its number in the log, and the request id.

        Its seat is a placeholder, because `services.play` sets the seat of the user.
        """
        cleaned = self.cleaned_data
        return cleaned["action"], cleaned["number"], cleaned["request_id"]


class TakeBackForm(forms.Form):
    """The action that a player takes back, and a request id."""

    number = forms.IntegerField(min_value=1, max_value=10_000)
    request_id = forms.UUIDField()


class PlanForm(forms.Form):
    """A plan that a form of the page posts.

    `number` is the number of the next action on the page that the player has seen.
    """

    # Whether it outlasts what is revealed. Open pages of the release before send it by this name.
    outlasts_refill = forms.BooleanField(required=False)
    number = forms.IntegerField(min_value=1, max_value=10_000)

    def __init__(self, pages: AnyPages, data: Mapping[str, Any]) -> None:
        """Take the pages of the title, which read the wishes."""
        super().__init__(data)
        self.pages = pages

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        try:
            cleaned["wishes"] = self.pages.wishes_of(self.data)
        except Unreadable:
            raise forms.ValidationError(MALFORMED) from None
        return cleaned

    @property
    def plan(self) -> tuple[list[Any], int, bool]:
        """The wishes, the number of the next action, and whether the plan outlasts what is revealed."""
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

    def clean_name(self) -> str:
        name = tidy(self.cleaned_data["name"])[:LONGEST_LINE_NAME]
        return name if has_visible(name) else ""

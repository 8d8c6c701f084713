"""A request that counts once."""

import uuid
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from games.models import Game
from games.shown.clocks import BRIEF_PACES
from games.shown.lists import name_of
from games.titles.registry import TITLES, first_title


class OnceForm(forms.Form):
    """A request that counts once: to start a game, or to play as a guest."""

    # Each page has a new id, so a form that is sent twice makes one game and one guest. A page can have
    # several of these forms, so their elements have no id.
    request_id = forms.UUIDField(initial=uuid.uuid4, widget=forms.HiddenInput({"id": False}))

    def renew(self) -> None:
        """Give the form another id, so that it counts when it is sent once more after a refusal."""
        data = cast(QueryDict, self.data).copy()
        data["request_id"] = str(uuid.uuid4())
        self.data = data


class SeekForm(OnceForm):
    """What to play with a person who looks for somebody too. What is missing or unreadable is as usual."""

    title = forms.ChoiceField(label=_("Game"), required=False, widget=forms.RadioSelect)
    pace = forms.ChoiceField(
        label=_("Time for each player"),
        required=False,
        choices=[*BRIEF_PACES.items()],
        initial=Game.Pace.LIVE_5,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Offer the titles of the site."""
        super().__init__(*args, **kwargs)
        self.fields["title"].choices = [(key, name_of(key)) for key in TITLES]  # type: ignore[attr-defined]
        self.fields["title"].initial = first_title().key

    @property
    def title_and_pace(self) -> tuple[str, str]:
        """The title and the pace to look for."""
        title, pace = (self.cleaned_data.get(name) for name in ("title", "pace"))
        return title or first_title().key, pace or Game.Pace.LIVE_5

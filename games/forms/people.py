"""The forms about people: mute, follow, and what a profile shows."""

from django import forms
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

from accounts.kept_form import KeptForm
from games.models import ProfilePart
from games.queries.browsing.watching import Order
from games.titles.registry import TITLES


class NameInput(forms.TextInput):
    """A field for the name of a player. With scripts, it offers names while somebody types.

    The page has the list `names`, which is `games/_names.html`.
    """

    def __init__(self, **attributes: str) -> None:
        super().__init__(
            {
                "autocomplete": "off",
                "autocapitalize": "none",
                "spellcheck": "false",
                "dir": "auto",
                "list": "names",
                "hx-get": reverse_lazy("games:names"),
                "hx-trigger": "input changed delay:200ms",
                "hx-target": "#names",
                "hx-swap": "innerHTML",
                "hx-sync": "this:replace",
                **attributes,
            }
        )


class MuteForm(forms.Form):
    """Whether to mute a person, and the page to which the answer leads: of a game, or the person's own."""

    is_muted = forms.TypedChoiceField(choices=[("True", "True"), ("False", "False")], coerce="True".__eq__)
    game = forms.RegexField("^[0-9A-Za-z]{12}$", required=False)


class BlockForm(forms.Form):
    """Whether to block a person, and whether the answer leads to the list of all blocked people."""

    is_blocked = forms.TypedChoiceField(choices=[("True", "True"), ("False", "False")], coerce="True".__eq__)
    to_list = forms.BooleanField(required=False)


class FindForm(forms.Form):
    """A name, or a part of it, to find players by."""

    name = forms.CharField(
        label=_("Find a player"),
        max_length=150,
        widget=NameInput(type="search"),
    )


class _FollowForm(forms.Form):
    """Whether to follow, and whether the answer leads to the list of all that the viewer follows."""

    is_following = forms.TypedChoiceField(
        choices=[("True", "True"), ("False", "False")], coerce="True".__eq__
    )
    to_list = forms.BooleanField(required=False)


class FollowForm(_FollowForm):
    """Whether to follow a person.

    With the key of a game, the answer leads back to its page; with what somebody `sought`, to the players
    found.
    """

    game = forms.RegexField("^[0-9A-Za-z]{12}$", required=False)
    sought = forms.CharField(max_length=150, required=False)


class FollowGameForm(_FollowForm):
    """Whether to follow a game. The answer leads to its page, or back to the list in which the button was."""

    watched_by = forms.ChoiceField(choices=Order.choices, required=False)
    watched_title = forms.ChoiceField(choices=lambda: [(key, key) for key in TITLES], required=False)


class ProfileForm(KeptForm, forms.Form):
    """Which parts of their profile a person shows to others."""

    # A browser sends nothing for boxes that are not ticked, so a damaged request would hide everything.
    is_whole = forms.BooleanField(initial=True, widget=forms.HiddenInput)
    shown = forms.MultipleChoiceField(
        label=_("Others see"),
        choices=ProfilePart.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    @property
    def hidden(self) -> list[str]:
        """The parts that are not shown, with those that the person has left hidden."""
        toggled = {*self.shown_on_page("shown")} ^ {*self.cleaned_data["shown"]}
        shown = {*self.initial["shown"]} ^ toggled
        return [part for part in ProfilePart.values if part not in shown]

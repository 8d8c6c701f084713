"""What the account pages may send."""

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def yes_or_no(label: "_StrPromise", help_text: "_StrPromise") -> forms.TypedChoiceField:
    """Return a question whose both answers are sent.

    Of a box that is not ticked nothing is sent, and a damaged post would look like one.
    """
    return forms.TypedChoiceField(
        label=label,
        help_text=help_text,
        choices=[(True, _("Yes")), (False, _("No"))],
        coerce=lambda answer: answer == "True",
        widget=forms.RadioSelect,
        error_messages={"required": _("Please choose Yes or No.")},
    )


class SettingsForm(forms.ModelForm):
    """What a person decides about their account."""

    turn_mails = yes_or_no(
        _("Mail me when it is my turn"), _("One mail a turn, and none while you have the game open.")
    )
    confirm_moves = yes_or_no(
        _("Confirm each move"),
        _("Without it, a move counts as soon as you choose the cell, and can't be taken back."),
    )
    shortcuts = yes_or_no(
        _("Single keys as shortcuts"),
        _("On the board, 1 to 3 choose a tile, C confirms, and ? lists all of them."),
    )

    class Meta:
        model = User
        fields = ("turn_mails", "confirm_moves", "shortcuts")

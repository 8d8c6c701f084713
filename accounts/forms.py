"""What the account pages may send."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User


class SettingsForm(forms.ModelForm):
    """What a person decides about their account."""

    # Both answers are sent: of a box that is not ticked nothing is, and a damaged post would look like one.
    turn_mails = forms.TypedChoiceField(
        label=_("Mail me when it is my turn"),
        help_text=_("One mail a turn, and none while you have the game open."),
        choices=[(True, _("Yes")), (False, _("No"))],
        coerce=lambda answer: answer == "True",
        widget=forms.RadioSelect,
    )

    class Meta:
        model = User
        fields = ("turn_mails",)

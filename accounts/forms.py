"""What the account pages may send."""

from django import forms

from accounts.models import User


class SettingsForm(forms.ModelForm):
    """What a person decides about their account."""

    class Meta:
        model = User
        fields = ("turn_mails",)

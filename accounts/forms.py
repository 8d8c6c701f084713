"""Forms of the account pages."""

from typing import TYPE_CHECKING, Any

from allauth.account import forms as account_forms
from allauth.account.adapter import get_adapter
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.models import EmailAddress
from django import forms
from django.db.models import Q
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts import guests
from accounts.addresses import add_main_address, owner_of
from accounts.kept_form import KeptForm
from accounts.models import User, nobody
from accounts.passwords import ResetTokens
from accounts.usernames import LONGEST

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def yes_or_no(label: "_StrPromise", help_text: "_StrPromise") -> forms.TypedChoiceField:
    """Return a field with a radio button for each answer, so that browsers send "No" as well.

    A browser sends nothing for a checkbox that is not ticked, so a damaged request would look like "No".
    """
    return forms.TypedChoiceField(
        label=label,
        help_text=help_text,
        choices=[(True, _("Yes")), (False, _("No"))],
        coerce=lambda answer: answer == "True",
        widget=forms.RadioSelect,
        error_messages={"required": _("Please choose Yes or No.")},
    )


class SettingsForm(KeptForm, forms.ModelForm):
    """The preferences of a user. A guest can change the name, and who has to choose another one."""

    username = forms.CharField(label=_("Name"), max_length=LONGEST)
    confirm_moves = yes_or_no(
        _("Confirm each move"),
        _(
            "If you choose No, a move counts as soon as it is complete, and you can't undo it. "
            "Resigning always asks first."
        ),
    )
    plays_forced = yes_or_no(
        _("Play my only move"),
        _(
            "If only one move is possible, such as the last card that you may play, it is played for you "
            "immediately. You still make the moves that reveal something new."
        ),
    )
    shortcuts = yes_or_no(
        _("Keyboard shortcuts"),
        _("On the board, press C to confirm, and ? to see all shortcuts."),
    )

    tips = yes_or_no(_("Tips"), _("Short tips above the board, in your first games."))
    sound = yes_or_no(
        _("Sound at my turn"),
        _(
            "Two soft tones when your turn in a live game begins or somebody asks you something, also while "
            "you look at another tab."
        ),
    )

    class Meta:
        model = User
        fields = ("username", "confirm_moves", "plays_forced", "shortcuts", "tips", "sound")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not (self.instance.is_guest or self.instance.chooses_name):
            del self.fields["username"]

    def save_changes(self) -> None:
        """Store the fields that the person has changed."""
        changed = list(self.changes)
        if "username" in changed:
            self.instance.chooses_name = False
            changed.append("chooses_name")
        self.instance.save(update_fields=changed)

    def clean_username(self) -> str:
        name: str = get_adapter().clean_username(self.cleaned_data["username"])
        person = self.instance
        if name != person.username and not person.chooses_name and (why := guests.why_no_new_name(person)):
            raise forms.ValidationError(why)
        return name


class DeleteAccountForm(forms.Form):
    """Confirms the deletion of an account by its name, so that no press deletes it by accident."""

    username = forms.CharField(
        label=_("Your name here"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        if username.casefold() != self.user.username.casefold():
            raise forms.ValidationError(
                _("That is not your name. Please enter “%(name)s”."), params={"name": self.user.username}
            )
        return username


class AddEmailForm(account_forms.AddEmailForm):
    """An address for one's own account. The answer is the same if another account has it, as at sign-up."""

    def clean_email(self) -> str:
        email: str = get_adapter().validate_unique_email(super().clean_email())
        return email


class SignUpForm(account_forms.SignupForm):
    """A new account, or one for a guest, with a free name. Another account may have its address."""

    def save(self, request: HttpRequest) -> User:
        """Store the user and the address, which it has to confirm."""
        adapter = get_adapter()
        user: User = adapter.save_user(request, adapter.new_user(request), self)
        add_main_address(user, self.cleaned_data["email"])
        return user


class AskForCodeForm(account_forms.RequestLoginCodeForm):
    """A confirmed address, which gets a code to log in. Others get none: they may be those of strangers."""

    def clean_email(self) -> str:
        self.cleaned_data["email"] = get_adapter().clean_email(self.cleaned_data["email"].lower())
        email: str = super().clean_email()
        self._user = owner_of(email)
        return email


class AskForResetForm(account_forms.ResetPasswordForm):
    """An address whose account gets a link to choose a new password.

    It does the same work for every address, so that its time does not show which ones have accounts. If there
    is none, it writes the email to `nobody`.
    """

    def clean_email(self) -> str:
        email: str = get_adapter().clean_email(self.cleaned_data["email"].lower())
        users = filter_users_by_email(email, is_active=True, for_login=True)
        # One statement, the same for every address.
        by_address = Q(user__emailaddress__email=email) | Q(user__email=email)
        rows = list(EmailAddress.objects.filter(by_address).distinct())
        owners = {row.user_id for row in rows if row.verified and row.email == email}
        main = {row.user_id for row in rows if row.primary and row.email == email}
        # Who has confirmed another address may have added this one with a typing error. A main address is not
        # confirmed any more if emails to it came back.
        beside = {row.user_id for row in rows if row.verified}
        others = [
            user
            for user in sorted(users, key=lambda user: (user.email != email, user.pk))
            if (user.pk in main or user.email == email)
            and (user.pk not in beside or user.proved_address == email)
        ]
        # Of several who have not confirmed it, one: its page frees the address for the next.
        self.users = [user for user in users if user.pk in owners] or others[:1] or [nobody(email)]
        return email

    def save(self, request: HttpRequest, **options: Any) -> str:
        email: str = super().save(request, token_generator=ResetTokens(), **options)
        return email

"""What can happen to the safety of an account."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class SecurityKind(models.TextChoices):
    """The kinds of events in the log of an account."""

    SIGNED_UP = "signed_up", _("You signed up")
    LOGGED_IN = "logged_in", _("You logged in")
    PASSWORD_CHANGED = "password_changed", _("The password was changed")
    PASSWORD_RESET = "password_reset", _("A new password was set by a link in an email")
    ADDRESS_ADDED = "address_added", _("An email address was added")
    ADDRESS_CONFIRMED = "address_confirmed", _("An email address was confirmed")
    MAIN_ADDRESS_CHANGED = "main_address_changed", _("The main email address was changed")
    ADDRESS_REMOVED = "address_removed", _("An email address was removed")
    PASSKEY_ADDED = "passkey_added", _("A passkey was added")
    PASSKEY_REMOVED = "passkey_removed", _("A passkey was removed")
    APP_ADDED = "app_added", _("An authenticator app was added")
    APP_REMOVED = "app_removed", _("An authenticator app was removed")
    CODES_RENEWED = "codes_renewed", _("New recovery codes were made")
    TAKEN_BACK = "taken_back", _("The account was taken back by a link in an email")
    DELETION_ASKED = "deletion_asked", _("The deletion of the account was asked for")
    DELETION_STOPPED = "deletion_stopped", _("The account was kept, and is not deleted")
    WEBHOOK_SET = "webhook_set", _("A webhook was set, which gets the notifications of the account")
    SESSION_ENDED = "session_ended", _("A session was ended from another browser")
    FEEDS_MADE = "feeds_made", _("Secret addresses of feeds were made")
    FEEDS_RENEWED = "feeds_renewed", _("The secret addresses of feeds were renewed")
    BROWSER_ADDED = "browser_added", _("A browser was added, which gets push messages of the account")
    EXPORT_ASKED = "export_asked", _("A file with everything that is stored was asked for")
    STAFF_CHANGED = (
        "staff_changed",
        _("Somebody who runs the site changed an address or the password"),
    )

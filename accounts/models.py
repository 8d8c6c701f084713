"""Users, and the emails about their accounts."""

import secrets
from datetime import timedelta
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.db import models, transaction
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.managers import People
from accounts.security_kinds import SecurityKind
from accounts.staff import rights

MARK_LENGTH = 16


def new_mark() -> str:
    """Return a random mark, which tells a row from one that gets its id after a backup was restored."""
    return secrets.token_hex(MARK_LENGTH // 2)


class User(AbstractUser):
    """A person with an account, or a guest; others see only the username."""

    # Setting a field of an abstract class to None removes it; the type stubs do not support this.
    first_name = None  # type: ignore[assignment]  # removes the field
    last_name = None  # type: ignore[assignment]  # removes the field
    confirm_moves = models.BooleanField(
        _("ask me to confirm each move"),
        default=True,
        help_text=_("Without it, a move counts as soon as it is complete."),
    )
    plays_forced = models.BooleanField(
        _("play my only move"),
        default=True,
        db_default=True,
        help_text=_("If only one is possible, in titles whose rules allow it."),
    )
    shortcuts = models.BooleanField(
        _("single keys as shortcuts"),
        default=True,
        help_text=_("On the board, such as C to confirm."),
    )
    sound = models.BooleanField(
        _("sound at my turn"),
        default=False,
        db_default=False,
        help_text=_("In live games, while their page is open."),
    )
    tips = models.BooleanField(
        _("tips in the first game"),
        default=True,
        db_default=True,
        help_text=_("Until the person hides them."),
    )
    language = models.CharField(
        _("language"),
        max_length=16,
        blank=True,
        help_text=_("Of the pages and mails; empty for what the browser asks for."),
    )
    is_guest = models.BooleanField(
        _("guest"),
        default=False,
        db_default=False,
        help_text=_("Plays without an email address and a password, until they sign up."),
    )
    # The request that made the guest; a form that is sent twice makes one guest.
    guest_request = models.UUIDField(_("request of the guest"), null=True, unique=True, editable=False)
    time_zone = models.CharField(
        _("time zone"),
        max_length=40,
        blank=True,
        db_default="",
        help_text=_("Such as Europe/Berlin; empty for the site's."),
    )
    automatic_vacation = models.BooleanField(
        _("vacation starts by itself"),
        default=False,
        db_default=False,
        help_text=_("Instead of losing on time in a game with a clock."),
    )
    plays_by_reply = models.BooleanField(
        _("plays by reply"),
        default=True,
        db_default=True,
        help_text=_("Moves that the person writes in reply to turn emails count."),
    )
    digest_hour = models.PositiveSmallIntegerField(
        _("hour of the daily email"), default=18, db_default=18, help_text=_("In the person's time zone.")
    )

    # The person must confirm the address once more before it gets emails about games again.
    refused_address = models.EmailField(
        _("refused address"),
        blank=True,
        default="",
        db_default="",
        help_text=_("It refused emails for a day, or emails to it came back."),
    )

    # Emails to it came back since, so it is not confirmed any more.
    proved_address = models.EmailField(
        _("proved address"), blank=True, default="", db_default="", help_text=_("It was confirmed before.")
    )

    is_moderator = models.BooleanField(
        _("moderator"),
        default=False,
        db_default=False,
        help_text=_("Decides about reports, with a second factor, and without the admin."),
    )
    # Until when measures of moderators apply, which the games store; None without any.
    muted_until = models.DateTimeField(_("muted until"), null=True, editable=False)
    private_until = models.DateTimeField(_("no public tables until"), null=True, editable=False)
    suspended_until = models.DateTimeField(_("suspended until"), null=True, editable=False)
    chooses_name = models.BooleanField(
        _("chooses another name"),
        default=False,
        db_default=False,
        editable=False,
        help_text=_("Once, because moderators have refused the former one. Guests can always."),
    )
    has_unread_decision = models.BooleanField(
        _("unread decision"),
        default=False,
        db_default=False,
        editable=False,
        help_text=_("Of moderators, about the person or about a report of theirs."),
    )

    removal_due_at = models.DateTimeField(
        _("removal"),
        null=True,
        editable=False,
        help_text=_("When the site removes the account. Until then, its owner can keep it if it is active."),
    )

    feed_number = models.PositiveIntegerField(
        _("number of the feeds"),
        default=0,
        db_default=0,
        help_text=_("Random for each address of the person's feeds; only the newest works. 0 without feeds."),
    )

    mark = models.CharField(
        _("mark"), max_length=MARK_LENGTH, default=new_mark, db_default="", editable=False
    )

    objects: ClassVar[People] = People()

    # Who changes the rights of this user, before it is stored; None for a command or a shell.
    changed_by: "User | None" = None

    class Meta(AbstractUser.Meta):
        indexes = [
            models.Index(
                fields=["removal_due_at"],
                name="user_removal_due",
                condition=models.Q(removal_due_at__isnull=False),
            )
        ]
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="user_name_unique_in_any_case",
                violation_error_message=_("Somebody has that name already. Please choose another one."),
            ),
            models.UniqueConstraint(
                Lower("email"),
                name="user_email_unique_in_any_case",
                condition=~models.Q(email=""),
                violation_error_message=_(
                    "An account with this email address already exists. If it is yours, please log in."
                ),
            ),
        ]

    def save(self, *args: Any, **options: Any) -> None:
        """Store the user; the address in lower case, because log-ins and password resets look it up so."""
        self.email = self.email.lower()
        fields = options.get("update_fields")
        if fields is not None and not {*fields} & {*rights.RIGHTS}:
            super().save(*args, **options)
            return
        with transaction.atomic():
            stored = User.objects.filter(pk=self.pk).first() if self.pk else None
            super().save(*args, **options)
            self.send_rights(stored.rights if stored else frozenset())

    @property
    def rights(self) -> frozenset[str]:
        """The names of the rights that the user has."""
        return frozenset(name for name in rights.RIGHTS if getattr(self, name))

    def send_rights(self, before: frozenset[str]) -> None:
        """Send the signal if the rights differ from those before."""
        if self.rights != before:
            rights.changed.send(User, user=self, by=self.changed_by, before=before, now=self.rights)

    @property
    def moderates(self) -> bool:
        """Whether they decide about reports. Superusers can, so that every site has somebody who does."""
        return self.is_active and not self.is_suspended and (self.is_moderator or self.is_superuser)

    @property
    def is_muted(self) -> bool:
        return self.muted_until is not None and self.muted_until > timezone.now()

    @property
    def is_suspended(self) -> bool:
        return self.suspended_until is not None and self.suspended_until > timezone.now()

    @property
    def plays_in_public(self) -> bool:
        """Whether tables that they open are listed, and they may sit down at listed tables of others."""
        return self.private_until is None or self.private_until <= timezone.now()

    def hide_tips(self) -> None:
        """Show this person no tips any more."""
        self.tips = False
        self.save(update_fields=["tips"])

    def renew_feeds(self) -> None:
        """Give this person's feeds new addresses; the old ones stop working, also after a restored backup."""
        User.objects.filter(pk=self.pk).update(feed_number=secrets.randbelow(2**31 - 1) + 1)

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username


def nobody(email: str) -> User:
    """Return a user who does not exist, for an address without an account."""
    return User(pk=0, email=email)


class AccountMail(models.Model):
    """An email to an address that is not sent yet. `accounts.outbox` writes and deletes it."""

    address = models.EmailField(_("email address"), max_length=254)
    subject = models.TextField(_("subject"))
    text = models.TextField(_("text"))
    html = models.TextField(_("HTML"), blank=True, default="", db_default="")
    stop_url = models.TextField(_("link that stops such emails"), blank=True, default="", db_default="")
    reply_to = models.EmailField(_("address for replies"), blank=True, default="", db_default="")
    in_reply_to = models.TextField(
        _("id of the email that it answers"), blank=True, default="", db_default=""
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    due_at = models.DateTimeField(_("due"), db_index=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)

    class Meta:
        verbose_name = _("account mail")
        verbose_name_plural = _("account mails")

    def __str__(self) -> str:
        return f"{self.pk}"


class PastMail(models.Model):
    """What became of an account mail, without its text: that contains secret links."""

    address = models.EmailField(_("email address"), max_length=254)
    subject = models.TextField(_("subject"))
    created_at = models.DateTimeField(_("created"))
    ended_at = models.DateTimeField(_("sent or given up"), db_index=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"))
    is_sent = models.BooleanField(_("sent"))
    error = models.TextField(_("last error"), blank=True)

    class Meta:
        verbose_name = _("past account mail")
        verbose_name_plural = _("past account mails")

    def __str__(self) -> str:
        return f"{self.pk}"


class ReturnedMail(models.Model):
    """A report of a mail server that it could not deliver an email. `accounts.returned_mails` counts them."""

    address = models.EmailField(_("email address"), max_length=254, db_index=True)
    error = models.TextField(_("error"), blank=True)
    received_at = models.DateTimeField(_("received"), db_index=True)
    has_stopped_emails = models.BooleanField(
        _("has stopped emails"),
        default=False,
        help_text=_("about games, until the address is confirmed again"),
    )

    class Meta:
        verbose_name = _("returned mail")
        verbose_name_plural = _("returned mails")

    def __str__(self) -> str:
        return f"{self.pk}"


class RetiredName(models.Model):
    """A name that nobody gets, as a hash. `accounts.taken_names` writes it."""

    KEPT = timedelta(days=365)

    mark = models.CharField(_("mark"), max_length=64, unique=True)
    retired_at = models.DateTimeField(_("removed"), db_index=True)

    class Meta:
        verbose_name = _("retired name")
        verbose_name_plural = _("retired names")

    def __str__(self) -> str:
        return f"{self.pk}"


class BarredAddress(models.Model):
    """The address of a removed suspended account, as a hash. `accounts.barred_addresses` writes it."""

    mark = models.CharField(_("mark"), max_length=64, unique=True)
    ends_at = models.DateTimeField(_("end"), db_index=True)

    class Meta:
        verbose_name = _("barred address")
        verbose_name_plural = _("barred addresses")

    def __str__(self) -> str:
        return f"{self.pk}"


class GuestCode(models.Model):
    """The code of a guest for another browser, as a hash. `accounts.guest_codes` writes it."""

    LIVES = timedelta(minutes=15)

    guest = models.OneToOneField(User, models.CASCADE, related_name="+", verbose_name=_("guest"))
    mark = models.CharField(_("mark"), max_length=64, unique=True)
    made_at = models.DateTimeField(_("made"), db_index=True)

    class Meta:
        verbose_name = _("code of a guest")
        verbose_name_plural = _("codes of guests")

    def __str__(self) -> str:
        return f"{self.guest_id}"


class SecurityEvent(models.Model):
    """What happened to the safety of an account, for its person. `accounts.security_log` writes it."""

    Kind = SecurityKind

    user = models.ForeignKey(User, models.CASCADE, related_name="security_events", verbose_name=_("user"))
    kind = models.CharField(_("kind"), max_length=30, choices=SecurityKind.choices)
    detail = models.TextField(_("detail"), blank=True, help_text=_("Such as the address or the passkey."))
    user_agent = models.TextField(_("browser"), blank=True)
    network = models.GenericIPAddressField(_("network"), help_text=_("Without the last part."))
    at = models.DateTimeField(_("time"), db_index=True)
    undone_at = models.DateTimeField(_("undone"), null=True)
    undone_by = models.EmailField(
        _("undone by"), blank=True, default="", db_default="", help_text=_("The address with the link.")
    )

    class Meta:
        verbose_name = _("security event")
        verbose_name_plural = _("security events")

    def __str__(self) -> str:
        return f"{self.pk}"


# The person who requests a page, logged in or not.
Viewer = User | AnonymousUser

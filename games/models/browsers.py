"""Browsers to which the site sends push messages."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Browser(models.Model):
    """A browser of a person that asked for push messages. Its endpoint is the address of its push server.

    It gets them while its person is logged in there, or has chosen to get them after they logged out.
    """

    class WhyOff(models.TextChoices):
        REFUSED = "", _("its push server takes no messages")
        LOGGED_OUT = "logged out", _("its person is not logged in there")
        OLD_KEY = "old key", _("the site has another key")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="browsers", verbose_name=_("player")
    )
    name = models.CharField(_("name"), max_length=60)
    endpoint = models.CharField(_("endpoint"), max_length=1000, unique=True)
    public_key = models.CharField(_("public key"), max_length=100)
    auth = models.CharField(_("shared secret"), max_length=40)
    # Empty if it asked before these were stored. The key of the site binds an endpoint.
    site_key = models.CharField(_("key of the site"), max_length=100, default="", db_default="", blank=True)
    session_key = models.CharField(_("session"), max_length=40, default="", db_default="", blank=True)
    kept_for = models.CharField(
        _("password"),
        max_length=128,
        default="",
        db_default="",
        blank=True,
        help_text=_("as a hash, if it gets messages after the log-out until the password changes"),
    )
    added_at = models.DateTimeField(_("added"), auto_now_add=True)
    refused_at = models.DateTimeField(_("refused"), null=True, help_text=_("since when"))
    failing_since = models.DateTimeField(_("failing since"), null=True)
    failed_at = models.DateTimeField(_("last failure"), null=True)
    off_at = models.DateTimeField(_("switched off"), null=True)
    why_off = models.CharField(
        _("why off"), max_length=12, choices=WhyOff, default="", db_default="", blank=True
    )
    # Not used any more: rows of `BrowserDelivery` say which messages a browser has got.
    last_message = models.CharField(
        _("last message"), max_length=80, blank=True, default="", db_default="", editable=False
    )

    class Meta:
        verbose_name = _("browser with push messages")
        verbose_name_plural = _("browsers with push messages")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.name}"


class BrowserDelivery(models.Model):
    """A browser has got a push message, so it does not get it again while others still wait for it.

    Rows go with their notification.
    """

    browser = models.ForeignKey(
        Browser, models.CASCADE, related_name="deliveries", verbose_name=_("browser"), db_index=False
    )
    notification = models.ForeignKey(
        "games.Notification", models.CASCADE, related_name="+", verbose_name=_("notification")
    )

    class Meta:
        verbose_name = _("delivery to a browser")
        verbose_name_plural = _("deliveries to browsers")
        constraints = [
            models.UniqueConstraint(fields=["browser", "notification"], name="browser_delivery_once")
        ]

    def __str__(self) -> str:
        return f"{self.browser_id}: {self.notification_id}"

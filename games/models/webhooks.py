"""Webhooks: addresses of people to which the site posts their notifications."""

import base64
import secrets

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.games import Game


def new_secret() -> str:
    """Return a random secret in the form of Standard Webhooks."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


class Webhook(models.Model):
    """The webhook of a person, and what came of the last message to it."""

    class Format(models.TextChoices):
        DISCORD = "discord", _("Discord")
        SLACK = "slack", _("Slack")
        JSON = "json", _("JSON, for a program of yours")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="webhook", verbose_name=_("player")
    )
    url = models.CharField(_("address"), max_length=1000)
    format = models.CharField(_("format"), max_length=8, choices=Format)
    secret = models.CharField(_("secret"), max_length=64, default=new_secret)
    error = models.CharField(_("last error"), max_length=300, blank=True)
    arrived_at = models.DateTimeField(_("last message that arrived"), null=True)
    failing_since = models.DateTimeField(_("failing since"), null=True)
    failed_at = models.DateTimeField(_("last failure"), null=True)
    off_at = models.DateTimeField(_("switched off"), null=True)
    test_asked_at = models.DateTimeField(_("test was asked for"), null=True)
    tested_at = models.DateTimeField(_("test was sent"), null=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.format}"

    @property
    def is_test_under_way(self) -> bool:
        """Whether somebody asked for a test that was not sent yet."""
        return self.test_asked_at is not None and self.tested_at is None


class WebhookPost(models.Model):
    """The newest post in Discord that says whose turn it is in a game. The next one replaces it."""

    webhook = models.ForeignKey(
        Webhook, models.CASCADE, related_name="posts", verbose_name=_("webhook"), db_index=False
    )
    game = models.ForeignKey(Game, models.CASCADE, related_name="webhook_posts", verbose_name=_("game"))
    message_id = models.CharField(
        _("message"), max_length=32, blank=True, help_text=_("Empty until Discord has accepted the post.")
    )
    kind = models.CharField(
        _("kind"),
        max_length=8,
        blank=True,
        default="",
        db_default="",
        help_text=_("of the message that it shows"),
    )
    claimed_until = models.DateTimeField(
        _("claimed until"), null=True, help_text=_("A worker posts or edits it until then.")
    )

    class Meta:
        verbose_name = _("post of a webhook")
        verbose_name_plural = _("posts of webhooks")
        constraints = [models.UniqueConstraint(fields=["webhook", "game"], name="webhook_post_once")]

    def __str__(self) -> str:
        return f"{self.webhook_id}: {self.game_id}"

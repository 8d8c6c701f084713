"""Browsers to which the site sends push messages."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Browser(models.Model):
    """A browser of a person that asked for push messages. Its endpoint is the address of its push server."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="browsers", verbose_name=_("player")
    )
    name = models.CharField(_("name"), max_length=60)
    endpoint = models.CharField(_("endpoint"), max_length=1000, unique=True)
    public_key = models.CharField(_("public key"), max_length=100)
    auth = models.CharField(_("shared secret"), max_length=40)
    added_at = models.DateTimeField(_("added"), auto_now_add=True)
    refused_at = models.DateTimeField(_("refused"), null=True, help_text=_("since when"))
    off_at = models.DateTimeField(_("switched off"), null=True)
    last_message = models.CharField(_("last message"), max_length=80, blank=True)

    class Meta:
        verbose_name = _("browser with push messages")
        verbose_name_plural = _("browsers with push messages")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.name}"

"""Exports: files with everything that the site stores about one person, made when they ask for one."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


def export_key() -> str:
    """Return a random key for the address of a file, so that no older link leads to another file."""
    return secrets.token_urlsafe(24)


class Export(models.Model):
    """The file of a person. They have one, the latest: another request replaces it."""

    KEPT = timedelta(days=7)  # after it was made
    MOST_ATTEMPTS = 3

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="export", verbose_name=_("person")
    )
    key = models.CharField(_("key"), max_length=40, unique=True, default=export_key)
    asked_at = models.DateTimeField(_("asked for"), db_index=True)
    due_at = models.DateTimeField(_("due"))
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    made_at = models.DateTimeField(_("made"), null=True)
    # In the database, because web processes and workers may be on machines that share nothing else.
    file = models.BinaryField(_("file"), null=True)
    size = models.PositiveIntegerField(_("bytes"), default=0)

    class Meta:
        verbose_name = _("export")
        verbose_name_plural = _("exports")

    def __str__(self) -> str:
        return f"{self.user_id}"

    @property
    def has_failed(self) -> bool:
        """Whether the file could not be made, and no worker makes it now."""
        is_out = self.attempts >= self.MOST_ATTEMPTS and self.due_at <= timezone.now()
        return self.made_at is None and is_out

    @property
    def ends_at(self) -> datetime | None:
        """When the file is deleted; None before it is made."""
        return self.made_at and self.made_at + self.KEPT

    @property
    def is_old(self) -> bool:
        """Whether its week is over; a daily task then deletes it."""
        return self.ends_at is not None and self.ends_at <= timezone.now()

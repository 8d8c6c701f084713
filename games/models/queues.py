"""When a worker last served each queue of tasks."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class ServedQueue(models.Model):
    """A queue of tasks. A small task that waits in it like all others renews its row every few seconds."""

    name = models.CharField(_("name"), max_length=20, primary_key=True)
    served_at = models.DateTimeField(_("last served"))

    class Meta:
        verbose_name = _("queue of tasks")
        verbose_name_plural = _("queues of tasks")

    def __str__(self) -> str:
        return self.name

"""Whom a person has blocked. The two meet nowhere any more, except in games that they play already."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.conf import settings
from django.db import models
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _


class Block(models.Model):
    """A person who wants nothing to do with another, who is not notified, but may notice refusals."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="blocks",
        db_index=False,  # The constraint below serves as well.
        verbose_name=_("person"),
    )
    blocked = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("blocked person")
    )
    since = models.DateTimeField(_("since"), auto_now_add=True)

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints = [
            models.UniqueConstraint(fields=["user", "blocked"], name="block_once"),
            models.CheckConstraint(condition=~Q(user=F("blocked")), name="block_somebody_else"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.blocked_id}"


def apart_from(user_id: int | None) -> QuerySet[Block, int]:
    """Return the ids of the people whom this person has blocked, or who have blocked them, for a query."""
    blocks = Block.objects.filter(Q(user=user_id) | Q(blocked=user_id))
    other = models.Case(models.When(user=user_id, then="blocked"), default="user")
    return blocks.values_list(other, flat=True)


def pairs_apart(people: Collection[int]) -> set[frozenset[int]]:
    """Return the pairs of these people of whom one has blocked the other, with one query."""
    blocks = Block.objects.filter(user__in=people, blocked__in=people)
    return {frozenset(pair) for pair in blocks.values_list("user", "blocked")}


def are_apart(user_id: int, others: Iterable[int]) -> bool:
    """Return whether one of these people has blocked this person, or is blocked by them."""
    ids = list(others)
    return Block.objects.filter(Q(user=user_id, blocked__in=ids) | Q(user__in=ids, blocked=user_id)).exists()

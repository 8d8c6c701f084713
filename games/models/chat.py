"""The chat of a game, and whom a person has muted."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from games.models.blocks import apart_from
from games.models.games import Game

if TYPE_CHECKING:
    from accounts.models import User

LONGEST_LINE = 500  # characters


class ChatLineQuerySet(models.QuerySet["ChatLine"]):
    def shown_to(self, user: User) -> ChatLineQuerySet:
        """Return the lines but those that moderators hide, and of people whom `user` has muted or blocked."""
        muted = Mute.objects.filter(user=user).values("muted")
        hidden = models.Q(author__in=muted) | models.Q(author__in=apart_from(user.pk))
        # The lines of deleted accounts have no author, and "not in" is never true for them.
        return self.filter(models.Q(author=None) | ~hidden, is_hidden=False)

    def unread_by(self, user: User) -> ChatLineQuerySet:
        """Return the lines that others have written in games of `user`, and that `user` has not read."""
        after = self.filter(game__seats__user=user, pk__gt=F("game__seats__chat_read_to"))
        return after.shown_to(user).exclude(author=user)

    def kept_from(self, user_id: int) -> ChatLineQuerySet:
        """Return what spectators write about running games in which this person has a seat."""
        return self.filter(watched__status=Game.Status.RUNNING, watched__seats__user=user_id)


class ChatLine(models.Model):
    """One line in the chat of the players of a game, or of those who watch it.

    A spectator's line has no `game`, only what its author `watched`. So no query for the chat of a game finds
    it, not even one of a process of the release before.
    Its text is never changed. Moderators hide a line, and the admin removes one.
    """

    game = models.ForeignKey(
        Game, models.CASCADE, null=True, related_name="chat_lines", verbose_name=_("game")
    )
    watched = models.ForeignKey(
        Game, models.CASCADE, null=True, related_name="spectators_lines", verbose_name=_("watched game")
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="chat_lines",
        verbose_name=_("author"),
    )
    text = models.CharField(_("text"), max_length=LONGEST_LINE)
    written_at = models.DateTimeField(_("written"), auto_now_add=True)
    request_id = models.UUIDField(_("request"), default=uuid.uuid4, editable=False)
    is_hidden = models.BooleanField(_("hidden"), default=False, db_default=False)

    objects = ChatLineQuerySet.as_manager()

    class Meta:
        verbose_name = _("chat line")
        verbose_name_plural = _("chat lines")
        constraints = [
            models.UniqueConstraint(fields=["author", "request_id"], name="chat_line_once_a_request"),
            models.CheckConstraint(
                condition=models.Q(game__isnull=True, watched__isnull=False)
                | models.Q(game__isnull=False, watched__isnull=True),
                name="chat_line_in_one_chat",
            ),
        ]
        indexes = [models.Index(fields=["author", "written_at"], name="chat_line_author")]

    def __str__(self) -> str:
        return f"{self.written_in.pk}: {self.text}"

    @property
    def written_in(self) -> Game:
        """The game in whose chat it is, of players or spectators."""
        game = self.watched if self.game is None else self.game
        assert game is not None, "the constraint needs one"
        return game


class Mute(models.Model):
    """A person who does not want to read the chat lines of another, in any game."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="mutes", verbose_name=_("player")
    )
    muted = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("muted player")
    )

    class Meta:
        verbose_name = _("muted player")
        verbose_name_plural = _("muted players")
        constraints = [models.UniqueConstraint(fields=["user", "muted"], name="mute_once")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.muted_id}"

"""Ratings: what each player has now, and how each rated game has changed it."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.games import FIRST_TITLE, Game
from games.ratings import START, START_DEVIATION, Rating


class PlayerRatingQuerySet(models.QuerySet["PlayerRating"]):
    def listed(self, title: str) -> PlayerRatingQuerySet:
        """Return the ratings that the leaderboard of a title shows."""
        return self.filter(title=title, is_listed=True)

    def best_first(self) -> PlayerRatingQuerySet:
        return self.order_by("-mean", "user")

    def better_than(self, rating: PlayerRating) -> PlayerRatingQuerySet:
        """Return the ratings that `best_first` has before this one."""
        return self.filter(
            Q(mean__gt=rating.mean) | Q(mean=rating.mean, user__lt=rating.user_id),
            # Implied by the rest, but so the database reads a range of the index only.
            mean__gte=rating.mean,
        )


class PlayerRating(models.Model):
    """The rating of a player in one title now. A projection of the rated games."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="ratings",
        db_index=False,  # The constraint below serves as well.
        verbose_name=_("player"),
    )
    # Processes of the release before, which know one title only, leave it to the database.
    title = models.CharField(_("title"), max_length=24, default=FIRST_TITLE, db_default=FIRST_TITLE)
    mean = models.FloatField(_("rating"), default=START)
    deviation = models.FloatField(_("standard deviation"), default=START_DEVIATION)
    games = models.PositiveIntegerField(_("rated games"), default=0)
    is_listed = models.BooleanField(
        _("listed"), default=False, help_text=_("an active account with enough rated games")
    )

    objects = PlayerRatingQuerySet.as_manager()

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [models.UniqueConstraint(fields=["user", "title"], name="rating_once_a_title")]
        indexes = [
            models.Index(fields=["title", "-mean", "user"], name="rating_rank", condition=Q(is_listed=True))
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.title}: {self.mean:g}"

    @property
    def value(self) -> Rating:
        return Rating(self.mean, self.deviation, self.games)


class RatingChange(models.Model):
    """How a rated game has changed the rating of one player. A projection of the logs of all rated games.

    The games of a player count in the order in which they ended. Rows are added, and never changed; only
    `manage.py rebuild_ratings` corrects them.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="rating_changes", verbose_name=_("game"))
    # A player whose account is gone keeps no name, but the others have played against this rating.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="rating_changes",
        db_index=False,  # The index below serves as well.
        verbose_name=_("player"),
    )
    seat = models.PositiveSmallIntegerField(_("seat"))
    place = models.PositiveSmallIntegerField(_("place"))
    has_left = models.BooleanField(_("has left"), help_text=_("and counts as last"))
    ended_at = models.DateTimeField(_("end of the game"))
    mean_before = models.FloatField(_("rating before"))
    deviation_before = models.FloatField(_("standard deviation before"))
    mean = models.FloatField(_("rating after"))
    deviation = models.FloatField(_("standard deviation after"))
    games = models.PositiveIntegerField(_("rated games"), help_text=_("of the player, with this one"))
    model = models.CharField(_("model"), max_length=40, help_text=_("the library and its major version"))

    class Meta:
        verbose_name = _("change of a rating")
        verbose_name_plural = _("changes of ratings")
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="rating_change_once_a_game")]
        indexes = [models.Index(fields=["user", "ended_at", "game"], name="rating_changes_of_player")]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat}: {self.mean_before:g} to {self.mean:g}"

    @property
    def before(self) -> Rating:
        return Rating(self.mean_before, self.deviation_before, self.games - 1)

    @property
    def after(self) -> Rating:
        return Rating(self.mean, self.deviation, self.games)


def ratings_of(
    user_ids: Iterable[int | None], title: str, *, are_stored: bool = True
) -> dict[int | None, Rating]:
    """Return the rating of each of these people in a title; the first one before any rated game of it.

    If none of theirs `are_stored`, as the caller knows, there is no query.
    """
    ids = set(user_ids) - {None}
    # A person has a row for each title. To read them takes less time than to ask for one title.
    rows = PlayerRating.objects.filter(user__in=ids) if are_stored else ()
    found = {row.user_id: row.value for row in rows if row.title == title}
    return {pk: found.get(pk or 0, Rating()) for pk in ids}

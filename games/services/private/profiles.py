"""What a person hides on their profile, and whom and which games they follow."""

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Follow, FollowedGame, Game, HiddenPart, ProfilePart, are_apart
from games.services.errors import Conflict
from games.services.tables import lock_person

MOST_FOLLOWED = 500
MOST_FOLLOWED_GAMES = 100


@transaction.atomic
def hide_parts(user: User, parts: Collection[str]) -> None:
    """Hide these parts of a person's profile from others, and show all others that the site knows."""
    shown = [part for part in ProfilePart.values if part not in parts]
    HiddenPart.objects.filter(user=user, part__in=shown).delete()
    HiddenPart.objects.bulk_create(
        [HiddenPart(user=user, part=part) for part in parts], ignore_conflicts=True
    )


@transaction.atomic
def follow(user: User, person: User, *, is_following: bool) -> None:
    """Let `user` follow a person, or no longer.

    Raises Conflict if they follow too many, keep apart, or are the same person.
    """
    follows = Follow.objects.filter(user=user)
    if not is_following:
        follows.filter(followed=person).delete()
        return
    if user == person:
        raise Conflict(_("You can't follow yourself."))
    if are_apart(user.pk, [person.pk]):
        raise Conflict(_("You can't follow %(name)s.") % {"name": person.username})
    lock_person(user)  # so that their requests stay within the limit together
    if follows.count() >= MOST_FOLLOWED:
        raise Conflict(
            _("You already follow %(most)d people. Please stop following somebody first.")
            % {"most": MOST_FOLLOWED}
        )
    Follow.objects.get_or_create(user=user, followed=person)


@transaction.atomic
def follow_game(user: User, game: Game, *, is_following: bool) -> None:
    """Let `user` follow a game without a seat in it, or no longer.

    Raises Conflict if the game is not a running public one of others, or `user` follows too many.
    """
    follows = FollowedGame.objects.filter(user=user)
    if not is_following:
        follows.filter(game=game).delete()
        return
    if not Game.objects.running().watchable_by(user).filter(pk=game.pk).exists():
        raise Conflict(_("You can only follow running public games of others."))
    lock_person(user)  # so that their requests stay within the limit together
    if follows.filter(game__status=Game.Status.RUNNING).count() >= MOST_FOLLOWED_GAMES:
        raise Conflict(
            _("You already follow %(most)d games. Please stop following one of them first.")
            % {"most": MOST_FOLLOWED_GAMES}
        )
    FollowedGame.objects.get_or_create(user=user, game=game)

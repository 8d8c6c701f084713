"""Who does not sit down with whom: people of whom one has blocked the other, and who must stay private."""

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Game, are_apart
from games.services.errors import Conflict, Suspended


def check_company(user: User, others: Iterable[int | None]) -> None:
    """Raise Conflict if `user` and one of these people keep apart. It does not say who wants it."""
    if are_apart(user.pk, filter(None, others)):
        raise Conflict(_("You and somebody there don't play together. Please choose another game."))


def check_measures(user: User, *, is_public: bool) -> None:
    """Raise Suspended, or Conflict if a table is for everybody and `user` may not play at such tables."""
    if user.is_suspended:
        raise Suspended
    if is_public and not user.plays_in_public:
        raise Conflict(_("You can't play at public tables now. The page Reports in your settings says why."))


def people_at(game: Game) -> list[int | None]:
    """Return the ids of the opener of a table and of the people on its seats."""
    return [game.opened_by_id, *game.seats.filter(user__isnull=False).values_list("user", flat=True)]

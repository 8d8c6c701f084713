"""Who may get a seat among whom. Each way to a seat asks `check_may_sit`, with the person's row locked.

The row is locked before games. Who blocks or suspends a person locks it too. So what comes second sees what
came first: a refusal, or a seat to leave.
"""

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Game, are_apart
from games.services.errors import Conflict, Suspended

NO_ACCOUNT = _("This account was deleted or deactivated, so it can't play.")


def lock_people(ids: Iterable[int | None]) -> dict[int, User]:
    """Lock the rows of people until the transaction ends, in one order, and return those who exist by id."""
    people = User.objects.select_for_update(no_key=True).filter(pk__in=[*filter(None, ids)])
    return {person.pk: person for person in people.order_by("pk")}


def lock_person(user: User) -> User:
    """Return a person as they are stored now, with their row locked. Raises Conflict if they are removed."""
    person = lock_people([user.pk]).get(user.pk)
    if person is None:
        raise Conflict(NO_ACCOUNT)
    return person


def check_may_sit(user: User, others: Iterable[int | None], *, is_public: bool) -> None:
    """Raise Suspended or Conflict if `user` may not get a seat among these people.

    `is_public` is set if the game is for everybody, and nobody has invited them. A refusal does not say who
    of the people wants to keep apart.
    """
    check_may_play(user, is_public=is_public)
    if are_apart(user.pk, filter(None, others)):
        raise Conflict(_("You and somebody there don't play together. Please choose another game."))


def check_may_play(user: User, *, is_public: bool) -> None:
    """Raise Suspended or Conflict if `user` may begin nothing that others wait for."""
    if not user.is_active:
        raise Conflict(NO_ACCOUNT)
    if user.removal_due_at is not None:
        raise Conflict(
            _("Your account will be deleted, so you can't start a new game. Please keep it first.")
        )
    check_measures(user, is_public=is_public)


def check_measures(user: User, *, is_public: bool) -> None:
    """Raise Suspended, or Conflict if a table is for everybody and `user` may not play at such tables."""
    if user.is_suspended:
        raise Suspended
    if is_public and not user.plays_in_public:
        raise Conflict(_("You can't play at public tables now. The page Reports in your settings says why."))


def may_invite(opener: User, person: User) -> bool:
    """Return whether `opener` may invite a person, whose row need not be locked: they ask for no seat yet."""
    return person.is_active and not person.is_suspended and not are_apart(opener.pk, [person.pk])


def people_at(game: Game) -> list[int | None]:
    """Return the ids of the opener of a table and of the people on its seats."""
    return [game.opened_by_id, *game.seats.filter(user__isnull=False).values_list("user", flat=True)]

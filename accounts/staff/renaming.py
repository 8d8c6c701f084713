"""Another name for a person whose name breaks the house rules."""

from django.db import IntegrityError, transaction

from accounts import taken_names
from accounts.guests import free_name
from accounts.models import User

MOST_TRIES = 5


def give_another_name(user: User) -> str:
    """Give a user a name that the site makes, and keep theirs from everybody; return theirs."""
    before = user.username
    taken_names.keep_from_others(before)
    # Somebody else may take the name that was free just now.
    if not any(_rename(user, free_name(), chooses=True) for _try in range(MOST_TRIES)):
        raise RuntimeError("Every name that the site made was taken.")
    return before


def give_back(user: User, name: str) -> None:
    """Let a user have an earlier name again; if somebody else has it, let them choose another one."""
    taken_names.release(name)
    if not _rename(user, name, chooses=False):
        user.chooses_name = True
        user.save(update_fields=["chooses_name"])


def _rename(user: User, name: str, *, chooses: bool) -> bool:
    """Store a name, and whether the user may choose another one; return whether nobody else has it."""
    before = user.username, user.chooses_name
    user.username, user.chooses_name = name, chooses
    try:
        with transaction.atomic():
            user.save(update_fields=["username", "chooses_name"])
    except IntegrityError:
        user.username, user.chooses_name = before
        return False
    return True

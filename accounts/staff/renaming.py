"""Another name for a person whose name breaks the house rules."""

from accounts import taken_names
from accounts.guests import free_name
from accounts.models import User


def give_another_name(user: User) -> str:
    """Give a user a name that the site makes, and keep theirs from everybody; return theirs."""
    before = user.username
    taken_names.keep_from_others(before)
    user.username, user.chooses_name = free_name(), True
    user.save(update_fields=["username", "chooses_name"])
    return before


def give_back(user: User, name: str) -> bool:
    """Let a user have an earlier name again; return whether nobody else has it."""
    taken_names.release(name)
    if User.objects.filter(username__iexact=name).exclude(pk=user.pk).exists():
        return False
    user.username, user.chooses_name = name, False
    user.save(update_fields=["username", "chooses_name"])
    return True

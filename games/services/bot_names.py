"""The names of bots. Each level has its own astronomers, and each person meets the same ones again."""

from collections.abc import Iterable, Iterator
from hashlib import sha256

from django.db.models.functions import Lower

from accounts.models import User
from accounts.usernames import BOT_NAMES
from games.models import Game, Seat


def bot_names(owner: User, levels: Iterable[str], taken: Iterable[str] = ()) -> Iterator[str]:
    """Yield a name for each bot that joins a table of `owner`: other names than those `taken` there.

    The same owner gets the same names for the same levels again. A name that a user has is skipped, and so
    is one in another unfinished game of the owner, as long as the level has more.
    """
    reserved = [name.lower() for names in BOT_NAMES.values() for name in names]
    users = User.objects.annotate(lower=Lower("username")).filter(lower__in=reserved)
    # Older users may have names that were reserved later.
    unavailable = {*users.values_list("lower", flat=True), *(name.lower() for name in taken)}
    unfinished = Seat.objects.filter(game__opened_by=owner).exclude(game__status=Game.Status.OVER)
    elsewhere = set(unfinished.exclude(bot_name="").values_list("bot_name", flat=True))
    for level in levels:
        names = _in_order_of(owner, level)
        # The same name twice is better than no bot, if users have all names of the level.
        available = [name for name in names if name.lower() not in unavailable] or names
        name = next((name for name in available if name not in elsewhere), available[0])
        unavailable.add(name.lower())
        yield name


def _in_order_of(owner: User, level: str) -> list[str]:
    """Return the names of a level in an order that differs between people and never changes for one."""
    return sorted(BOT_NAMES[level], key=lambda name: sha256(f"{owner.pk} {name}".encode()).digest())

"""Players whom a search by name has found, as one viewer may see them."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.avatars import Avatar, avatar_of
from accounts.models import User, Viewer
from games.models import Follow, Game, HiddenPart, PlayerRating, ProfilePart, Seat, apart_from
from games.queries.people.last_seen import last_seen_of
from games.shown.lists import name_of
from games.shown.ratings import brief_rating
from games.titles.registry import TITLES


@dataclass(frozen=True)
class FoundPerson:
    """A player in the list of a search. What their profile hides from the viewer is empty."""

    name: str
    avatar: Avatar
    is_you: bool
    is_followed: bool
    can_follow: bool
    facts: str  # their ratings, when they were seen, and how many games of theirs the viewer may find
    live_game: str  # the address of one that is live; empty if there is none


def found_people(names: Sequence[str], viewer: Viewer) -> list[FoundPerson]:
    """Return the people with these names, in their order."""
    people = {user.username: user for user in User.objects.filter(username__in=names)}
    hidden = set(HiddenPart.objects.filter(user__in=people.values()).values_list("user", "part"))
    shown = {
        part: {one.pk for one in people.values() if one.pk == viewer.pk or (one.pk, part) not in hidden}
        for part in (ProfilePart.RATING, ProfilePart.RUNNING, ProfilePart.RELIABILITY)
    }
    ratings = _ratings(shown[ProfilePart.RATING])
    games = Game.objects.multiplayer().findable_by(viewer).running()
    seats = Seat.objects.filter(user__in=shown[ProfilePart.RUNNING], game__in=games, has_left=False)
    seats = seats.select_related("game")
    playing = Counter(seat.user_id for seat in seats)
    live = {seat.user_id: seat.game.get_absolute_url() for seat in seats if seat.game.is_live}
    seen = last_seen_of(shown[ProfilePart.RELIABILITY], viewer)
    followed, apart = set[int](), set[int]()
    if viewer.pk is not None:
        followed = set(Follow.objects.filter(user=viewer.pk).values_list("followed", flat=True))
        apart = set(apart_from(viewer.pk))
    return [
        FoundPerson(
            name=name,
            avatar=avatar_of(user.pk),
            is_you=user.pk == viewer.pk,
            is_followed=user.pk in followed,
            can_follow=viewer.is_authenticated and user.pk != viewer.pk and user.pk not in apart,
            facts=" · ".join(
                filter(None, [*ratings.get(user.pk, ()), seen[user.pk], _in_progress(playing[user.pk])])
            ),
            live_game=live.get(user.pk, ""),
        )
        for name in names
        if (user := people.get(name))
    ]


def _in_progress(games: int) -> str:
    if not games:
        return ""
    return ngettext("%(n)d game in progress", "%(n)d games in progress", games) % {"n": games}


def _ratings(people: Collection[int]) -> dict[int, list[str]]:
    """Return the ratings of people in words, by their id, in the order of the titles of the site."""
    found: dict[int, list[str]] = {}
    rows = [row for row in PlayerRating.objects.filter(user__in=people, games__gt=0) if row.title in TITLES]
    for row in sorted(rows, key=lambda row: list(TITLES).index(row.title)):
        rating = brief_rating(row.value)
        words = (
            f"{name_of(row.title)} {rating}"
            if name_of(row.title)
            else _("Rating %(rating)s") % {"rating": rating}
        )
        found.setdefault(row.user_id, []).append(words)
    return found

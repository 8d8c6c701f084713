"""People look for others to play a live game with immediately, for up to a minute."""

import uuid
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from games.models import SEEK_PRESENCE, SEEK_TIME, Game, Seek, pairs_apart
from games.services.after_commit import update_home_pages_of_searches
from games.services.errors import Refused
from games.services.tables.company import check_may_play, lock_people, lock_person
from games.services.tables.joining import join
from games.services.tables.limits import check_games_a_day
from games.services.tables.opening import open_table
from games.services.tables.options import TableOptions
from games.titles.registry import title_named


def start_looking(
    user: User, title: str, request_id: uuid.UUID, nonce: str = "", *, pace: str = Game.Pace.LIVE_5
) -> Seek | None:
    """Look for people to play a live game of a title with, and return what `look_again` returns.

    Only those meet who look for the same title and pace. The same request counts once, and who asks for the
    same once more waits on. While the game that was found goes on, there is no other search. `nonce` is what
    the browser of `user` adds to the deal; empty without one.
    Raises TooOften, and Conflict if `user` can have no such game.
    """
    check_may_play(user, is_public=True)
    check_games_a_day(user)
    with transaction.atomic():
        lock_person(user)  # so that nobody is seated with them meanwhile
        own = Seek.objects.filter(user=user).select_related("game").first()
        has_found = own is not None and own.game is not None and own.game.is_running
        if not has_found and (own is None or own.request_id != request_id):
            now, request = timezone.now(), {"request_id": request_id, "nonce": nonce}
            same = Seek.objects.waiting(now).filter(user=user, title=title, pace=pace)
            if not same.update(**request):
                values = {"title": title, "pace": pace, "game": None, "at": now, "seen_at": now}
                Seek.objects.update_or_create(user=user, defaults=request | values)
                update_home_pages_of_searches()
    return look_again(user)


def look_again(user: User) -> Seek | None:
    """Note that a person still waits, and seat them if enough others wait too; return their seek.

    It has the game that was found. It is None if the person looks for nobody. Only those are seated whose
    pages have asked lately, so nobody plays against a person who has closed the page. Raises Conflict if
    `user` can have no such game.
    """
    with transaction.atomic():
        now = timezone.now()
        own = Seek.objects.filter(user=user).first()
        if own is None or not own.waits(now):
            # It ended in vain. Only the first poll since then updates the pages that list it.
            if (
                own is not None
                and own.was_in_vain(now)
                and own.seen_at < own.at + SEEK_TIME
                and Seek.objects.filter(pk=own.pk, seen_at=own.seen_at).update(seen_at=now)
            ):
                update_home_pages_of_searches()
            return own
        present = Q(seen_at__gt=now - SEEK_PRESENCE) | Q(user=user)
        waiting = Seek.objects.filter(
            present, title=own.title, pace=own.pace, game=None, at__gt=now - SEEK_TIME
        )
        # People first, because a deletion locks a person before their seek. All lock in the same order. Who
        # comes second does not get those whom the first has seated.
        people = lock_people(waiting.values_list("user", flat=True))
        seeks = list(waiting.filter(user__in=people).select_for_update(no_key=True).order_by("pk"))
        own = next((seek for seek in seeks if seek.user_id == user.pk), None)
        if own is None:
            return Seek.objects.filter(user=user).first()
        if own.seen_at <= now - SEEK_PRESENCE:
            update_home_pages_of_searches()  # A page asks again.
        own.seen_at = now
        own.save(update_fields=["seen_at"])
        others = _company_of(own, seeks, title_named(own.title).table_sizes[0] - 1)
        if others:
            _seat(sorted([*others, own], key=lambda seek: seek.at), own)
            update_home_pages_of_searches()
        return own


def _company_of(own: Seek, seeks: Sequence[Seek], size: int) -> list[Seek]:
    """Return so many others who don't keep apart, the first to wait first; empty if too few."""
    pairs = pairs_apart([seek.user_id for seek in seeks]) if len(seeks) > size else set()
    group = [own]
    for seek in sorted(seeks, key=lambda seek: seek.at):
        if seek != own and not any(frozenset((seek.user_id, one.user_id)) in pairs for one in group):
            group.append(seek)
        if len(group) > size:
            return group[1:]
    return []


def stop_looking(user: User) -> Game | None:
    """End the search of a person, if it still goes on; return the game that was found before."""
    with transaction.atomic():
        seek = Seek.objects.select_for_update(no_key=True).filter(user=user).first()
        if seek is not None and seek.game is None:
            seek.delete()
            update_home_pages_of_searches()
        return seek.game if seek else None


def leave_search(user: User) -> None:
    """Seat nobody with this person until a page of theirs asks again."""
    now = timezone.now()
    if Seek.objects.waiting(now).filter(user=user).update(seen_at=now - SEEK_PRESENCE):
        update_home_pages_of_searches()


def _seat(group: list[Seek], own: Seek) -> None:
    """Start a live game of these people, the one who has waited longest first.

    If one of the others can have no game, their search ends, and the group waits on. Raises Refused if it is
    the person of `own`.
    """
    seek = first = group[0]
    try:
        with transaction.atomic():
            options = TableOptions(len(group), title=first.title, pace=first.pace)
            game = open_table(first.user, options, request_id=first.request_id, nonce=first.nonce)
            for seek in group[1:]:
                game = join(game.key, seek.user, nonce=seek.nonce)
            # The tables of guests are not listed, because nobody may sit there any more. Here all have come.
            game.is_public = True
            game.save(update_fields=["is_public"])
    except Refused:
        if seek == own:
            raise
        seek.delete()
        return
    for seek in group:
        seek.game = game
        seek.save(update_fields=["game"])

"""Duplicate matches: open, enter, leave, start and close them.

All tables of a match start at the same time, on one deal that everybody's nonce is mixed into. In a match of
teams, each table has one side of either team.
"""

import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import (
    TEAMS,
    Channel,
    DuplicateEntry,
    DuplicateMatch,
    Game,
    Kind,
    Seat,
    seating_of_match,
    wanted_channels,
)
from games.services.after_commit import update_lists_of_matches
from games.services.bot_names import bot_names
from games.services.deals import commit_deal, mix, own_or_new_nonce
from games.services.errors import Conflict, Gone, NotSeated, Refused
from games.services.tables.company import check_may_play, check_may_sit, lock_person, may_invite
from games.services.tables.joining import check_rating
from games.services.tables.limits import check_games_a_day, check_games_with_bots
from games.services.tables.options import new_game
from games.services.tables.starting import seat_players
from games.titles.registry import has_talent, title_named, title_with
from games.titles.talents import Talent

# Owes the email to a person who is invited to a match.
OweMail = Callable[[DuplicateMatch], None]

# One person may have opened this many matches that have not started.
MOST_WAITING_MATCHES = 3

REUSED = _("You have already opened another match from this page. Press again to open this one too.")


def open_match(
    user: User,
    table_count: int,
    seat_count: int,
    *,
    title: str = "",
    pace: str,
    is_public: bool,
    changes_ratings: bool = False,
    request_id: uuid.UUID | None = None,
    nonce: str = "",
) -> DuplicateMatch:
    """Open a duplicate match in which `user` plays, or return the one that the same request has opened.

    It is of the first title that has such matches, if none is named, and two teams play it in some titles.
    It has a clock, because all results wait for the last game. The match of a guest is neither listed nor
    rated. Raises Conflict if `user` has too many matches that have not started, or if the same request has
    opened another match, and UnknownTitle if the site has none.
    """
    title = title or title_with(Talent.DUPLICATE).key
    has_teams = has_talent(title, Talent.TEAMS)
    with transaction.atomic():
        # So that simultaneous requests of one person are counted one after the other.
        user = lock_person(user)
        request_id = request_id or uuid.uuid4()
        choices = {
            "table_count": TEAMS if has_teams else table_count,
            "seat_count": seat_count,
            "pace": pace,
            "is_public": is_public and not user.is_guest and user.plays_in_public,
            "changes_ratings": changes_ratings and not user.is_guest,
        }
        opened = DuplicateMatch.objects.filter(opened_by=user)
        if opened.filter(request_id=request_id).exists():
            earlier = opened.filter(request_id=request_id, deal__title=title, **choices).first()
            if earlier is None:
                raise Conflict(REUSED)
            return earlier
        check_may_play(user, is_public=False)  # Who may not play in public lists no match.
        if opened.waiting().count() >= MOST_WAITING_MATCHES:
            raise Conflict(
                _("You already have three duplicate matches that wait for players. Please close one first.")
            )
        match = DuplicateMatch.objects.create(
            **choices,
            has_teams=has_teams,
            deal=commit_deal(title, str(request_id)),
            opened_by=user,
            request_id=request_id,
        )
        _enter(match, user, nonce, None)
        return match


def enter(key: str, user: User, nonce: str = "", *, team: int | None = None) -> DuplicateMatch:
    """Enter `user` for the match `key`; do nothing if they have entered. The last person starts it.

    In a match of teams, they get a place in `team`, by default in the smaller one. A person who has entered
    can change the team. Raises Gone, TooOften, and Conflict if the match or the team is full, if the match
    has started, or if `user` may not play for ratings.
    """
    with transaction.atomic():
        user = lock_person(user)
        match = _lock_match(key)
        entry = match.entries.filter(user=user).first()
        team = team if match.has_teams else None
        if entry is not None and (match.started_at is not None or team in (None, entry.team)):
            return match
        if match.started_at is not None:
            raise Conflict(_("This match has started without you. You can open your own."))
        if entry is not None:
            _change_team(match, entry, team)
            return match
        is_invited = match.invitations.filter(user=user).exists()
        others = [match.opened_by_id, *match.entries.values_list("user", flat=True)]
        check_may_sit(user, others, is_public=match.is_public and not is_invited)
        check_games_a_day(user)
        check_rating(_table_of(match), user)
        _enter(match, user, nonce, team)
        if match.entries.count() == match.places:
            _start(match)
        return match


def invite(key: str, opener: User, person: User, owe_mail: OweMail) -> DuplicateMatch:
    """Invite a person to a match that has not started; do nothing if they are invited already.

    `owe_mail` is called if they want an email about each invitation. Raises Gone, NotSeated, and Conflict if
    the person plays in the match or may not, or if it has started.
    """
    with transaction.atomic():
        match = _lock_match(key)
        if opener.pk != match.opened_by_id:
            raise NotSeated(_("Only the person who opened this match can invite people."))
        if match.started_at is not None:
            raise Conflict(_("You can't invite anybody, because the match has started."))
        if match.entries.filter(user=person).exists():
            raise Conflict(_("%(name)s plays in this match already.") % {"name": person.username})
        if not may_invite(opener, person):
            raise Conflict(_("You can't invite %(name)s.") % {"name": person.username})
        check_rating(_table_of(match), person)
        _invitation, is_new = match.invitations.get_or_create(user=person)
        if is_new:
            _note_change(match)
            if Channel.MAIL in wanted_channels(person)[Kind.INVITATION]:
                owe_mail(match)
        return match


def leave(key: str, user: User) -> DuplicateMatch:
    """Take `user` out of a match that has not started. Raises Gone, NotSeated and Conflict."""
    with transaction.atomic():
        match = _lock_match(key)
        if match.started_at is not None:
            raise Conflict(_("This match has started. To leave it, resign on the page of your game."))
        if user.pk == match.opened_by_id:
            raise Conflict(_("You opened this match. If you don't want to play, close it."))
        deleted, _rows = match.entries.filter(user=user).delete()
        if not deleted:
            raise NotSeated(_("You don't play in this match."))
        _note_change(match)
        return match


def start(key: str, user: User, level: str) -> DuplicateMatch:
    """Start a match with bots of this level on the seats that nobody has; do nothing if it has started.

    Only the opener may do so. Raises Gone, NotSeated, and Conflict if they have too many games with bots.
    """
    with transaction.atomic():
        # As in `open_match`, so that the games of one person are counted correctly.
        lock_person(user)
        match = _lock_match(key)
        if user.pk != match.opened_by_id:
            raise NotSeated(_("Only the person who opened this match can start it."))
        if match.started_at is None:
            tables = seating_of_match(match, list(match.entries.all()))
            check_games_with_bots(_table_of(match), more=sum(None in table for table in tables))
            _start(match, level)
        return match


def close(key: str, user: User) -> None:
    """Delete a match that has not started; only its opener may do so. Raises Gone, NotSeated and Conflict."""
    with transaction.atomic():
        match = _lock_match(key)
        if user.pk != match.opened_by_id:
            raise NotSeated(_("Only the person who opened this match can close it."))
        if match.started_at is not None:
            raise Conflict(_("You can't close this match, because it has started."))
        _remove(match)


def close_late_matches() -> None:
    """Delete the matches that have waited for players for too long."""
    for pk in list(DuplicateMatch.objects.late().values_list("pk", flat=True)):
        with transaction.atomic():
            # It may have started or been closed in the meantime.
            match = DuplicateMatch.objects.select_for_update().late().filter(pk=pk).first()
            if match is not None:
                _remove(match)


def leave_waiting_matches(user: User, *, only_public: bool = False) -> None:
    """Close the matches of a person, and take them out of those of others, before they start.

    `only_public` leaves those that are not for everybody, and those to which somebody has invited them.
    """
    entries = DuplicateEntry.objects.filter(user=user, match__started_at=None).select_related("match")
    if only_public:
        entries = entries.filter(match__is_public=True).exclude(match__invitations__user=user)
    for entry in entries:
        change = close if entry.match.opened_by_id == user.pk else leave
        with suppress(Refused):  # It may have started in the meantime.
            change(entry.match.key, user)


def _lock_match(key: str) -> DuplicateMatch:
    """Return a match with its row locked until the transaction ends. Raises Gone if it does not exist."""
    try:
        return DuplicateMatch.objects.select_for_update().get(key=key)
    except DuplicateMatch.DoesNotExist:
        raise Gone from None


def _enter(match: DuplicateMatch, user: User, nonce: str, team: int | None) -> None:
    own_nonce, is_own = own_or_new_nonce(nonce)
    DuplicateEntry.objects.create(
        match=match, user=user, team=_free_team(match, team), nonce=own_nonce, has_own_nonce=is_own
    )
    _note_change(match)


def _change_team(match: DuplicateMatch, entry: DuplicateEntry, team: int | None) -> None:
    """Move a person to another team. They are its last one then, so that the others keep their seats."""
    entry.team = _free_team(match, team)
    entry.delete()
    entry.save(force_insert=True)
    _note_change(match)


def _free_team(match: DuplicateMatch, team: int | None) -> int | None:
    """Return the team, or the smaller one for None; None without teams. Raises Conflict if it is full."""
    if not match.has_teams:
        return None
    sizes = Counter(match.entries.values_list("team", flat=True))
    chosen = min(range(TEAMS), key=lambda one: sizes[one]) if team is None else team
    if sizes[chosen] >= match.team_size:
        raise Conflict(_("This team is full. You can join the other one."))
    return chosen


def _note_change(match: DuplicateMatch) -> None:
    match.changes += 1
    match.save(update_fields=["changes"])
    update_lists_of_matches(match)


def _remove(match: DuplicateMatch) -> None:
    update_lists_of_matches(match)
    deal = match.deal
    match.delete()
    deal.delete()


def _start(match: DuplicateMatch, level: str = "") -> None:
    """Deal, and start the games, with bots of this level on the seats that nobody has."""
    entries = list(match.entries.select_related("user"))
    tables = [
        [None if person is None else entries[person] for person in table]
        for table in seating_of_match(match, entries)
    ]
    # The nonce of a seat is that of everybody on it, so that all tables have one deal.
    mix(
        _table_of(match),
        ["".join(entry.nonce for entry in seat if entry) for seat in zip(*tables, strict=True)],
    )
    for table in tables:
        seat_players(_table_of(match), _seats_of(match, table, level))
    match.started_at = timezone.now()
    match.save(update_fields=["started_at"])
    _note_change(match)


def _table_of(match: DuplicateMatch) -> Game:
    """Return a new table of a match, unsaved."""
    return new_game(
        match.deal.title,
        match.seat_count,
        {},
        is_public=match.is_public,
        changes_ratings=match.changes_ratings,
        pace=match.pace,
        # A bot plays a seat whose time is up, so that every game of a match ends with results.
        caretaker=title_named(match.deal.title).usual_level,
        deal=match.deal,
        opened_by=match.opened_by,
    )


def _seats_of(match: DuplicateMatch, table: Sequence[DuplicateEntry | None], level: str) -> list[Seat]:
    """Return the seats of a table, unsaved: with these people, and bots of this level on the others."""
    missing = sum(entry is None for entry in table)
    names = bot_names(match.opened_by, [level] * missing) if match.opened_by else iter(())
    return [
        Seat(user=entry.user, nonce=entry.nonce, has_own_nonce=entry.has_own_nonce)
        if entry
        else Seat(bot=level, bot_name=next(names))
        for entry in table
    ]

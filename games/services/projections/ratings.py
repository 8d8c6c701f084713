"""Ratings: each rated game changes the ratings of its players, in the transaction that ends it.

- A game is rated if its table has chosen so and it has a result; a cancelled game changes nothing. Rated
  games have no guests and no hints.
- Places are those of the result. Only the winner of several players with the same number of discs is told
  apart, by the turn order; the others tie, because the rules know no further places.
- Who has left counts as last: they resigned, are out because of time or of the others' vote, a bot plays
  their seat at the end, or they have handed it over. Several who have left tie.
- Who takes over a seat is rated with its result. For who has handed it over, a second calculation puts the
  former player on the same seat in the last place; it changes nobody else's rating.

A rating depends on all earlier games of all players, so the order matters: by the end of the game, then by
its id. `lock_ratings` comes before the last action gets its time, so that games of one player that end at the
same time have times in the order in which they count.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max, Q
from django.db.models.signals import post_save
from django.dispatch import receiver

from accounts.models import User
from games.log.replay import secret_log
from games.models import Action, Game, PlayerRating, RatingChange, SeatChange, ratings_of
from games.novaluna.engine import MultiplayerPosition, Position
from games.ratings import MODEL, Entrant, Rating, rate
from games.services.projections.difference import Difference, compare

CHANGE_FIELDS = (
    "seat",
    "place",
    "has_left",
    "ended_at",
    "mean_before",
    "deviation_before",
    "mean",
    "deviation",
    "games",
    "model",
)
GAMES_AT_ONCE = 500
RATING_FIELDS = ("mean", "deviation", "games", "is_listed")


@dataclass(frozen=True)
class Rebuilt:
    """What a rebuild has found: how many games it compared, what differed, and logs that do not replay."""

    games: int
    differences: list[Difference] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)


class Outcome(NamedTuple):
    """How a game ended: when, the discs of each seat, the winning seat, and the seats that had left."""

    ended_at: datetime
    discs: tuple[int, ...]
    winner: int
    left: frozenset[int]

    @classmethod
    def of(cls, position: Position, ended_at: datetime) -> "Outcome | None":
        """Return the outcome of a game in its last position; None without a result."""
        if not isinstance(position, MultiplayerPosition) or position.winner is None:
            return None
        return cls(ended_at, position.discs, position.winner, frozenset(position.resigned_seats))


def lock_ratings(game: Game, position: Position) -> None:
    """Lock the ratings of the players of a game that this position ends, before its last action is stored."""
    if not (game.changes_ratings and position.over):
        return
    # In the order of the users, so that two games of the same players never wait for each other.
    people = sorted(_people(game))
    PlayerRating.objects.bulk_create([PlayerRating(user_id=pk) for pk in people], ignore_conflicts=True)
    list(PlayerRating.objects.select_for_update().filter(user__in=people).order_by("user"))


def store_ratings(game: Game, position: Position, ended_at: datetime) -> None:
    """Store how a game that is over changes the ratings of its players, in the caller's transaction.

    The caller has called `lock_ratings`.
    """
    outcome = Outcome.of(position, ended_at)
    if not game.changes_ratings or outcome is None:
        return
    changes = list(_derive(game, outcome, ratings_of(_people(game))))
    RatingChange.objects.bulk_create(changes)
    people = User.objects.in_bulk(_people(game))
    rows = [_row(people[change.user_id], change.after) for change in changes if change.user_id]
    PlayerRating.objects.bulk_update(rows, RATING_FIELDS)


def rebuild_ratings(*, check_only: bool = False) -> Rebuilt:
    """Rebuild all ratings from the logs of the rated games; return what was wrong.

    With `check_only`, nothing is stored.
    """
    # Read before anything is locked, because it takes long. The logs of games that are over never change.
    outcomes = {pk: _read_outcome(pk) for pk in _games_with_ratings()}
    with transaction.atomic():
        return _rebuild(outcomes, check_only=check_only)


def _rebuild(outcomes: Mapping[int, "Outcome | str | None"], *, check_only: bool) -> Rebuilt:
    """Rebuild all ratings; rated games that end meanwhile wait. `outcomes` has what is known of the logs."""
    stored = {row.user_id: row for row in PlayerRating.objects.select_for_update().order_by("user")}
    games = _games_with_ratings()
    rebuilt, ratings = Rebuilt(len(games)), dict[int | None, Rating]()
    for start in range(0, len(games), GAMES_AT_ONCE):
        some = games[start : start + GAMES_AT_ONCE]
        loaded = Game.objects.prefetch_related("seats", "seat_changes", "rating_changes").in_bulk(some)
        for pk in some:
            outcome = outcomes[pk] if pk in outcomes else _read_outcome(pk)
            _rebuild_game(loaded[pk], outcome, ratings, rebuilt, check_only=check_only)
    for pk, person in sorted(User.objects.in_bulk({*ratings, *stored}).items()):
        derived = _row(person, ratings.get(pk, Rating()))
        found = compare(f"rating of {person.username}", stored.get(pk), derived, RATING_FIELDS)
        rebuilt.differences.extend(found)
        if found and not check_only:
            derived.save()
    return rebuilt


@receiver(post_save, sender=User)
def list_rating(sender: object, instance: User, created: bool, **_options: object) -> None:
    """List the rating of an account that is activated again, and no longer that of a deactivated one.

    Staff store users, and the accounts know nothing of games.
    """
    row = None if created else PlayerRating.objects.filter(user=instance).first()
    if row is not None and row.is_listed != _row(instance, row.value).is_listed:
        PlayerRating.objects.filter(user=instance).update(is_listed=not row.is_listed)


def _people(game: Game) -> set[int]:
    """Return the ids of the people who have a seat in a game or have handed it over."""
    return {seat.user_id for seat in game.seats.all() if seat.user_id} | {*_former_players(game)}


def _former_players(game: Game) -> dict[int, int]:
    """Return the seat of each person who has handed it over and has no other seat in the game."""
    seated = {seat.user_id for seat in game.seats.all()}
    rows = sorted(game.seat_changes.all(), key=attrgetter("pk"))
    return {row.former_id: row.seat for row in rows if row.former_id and row.former_id not in seated}


def _derive(
    game: Game,
    outcome: Outcome,
    ratings: Mapping[int | None, Rating],
    gone: Sequence[RatingChange] = (),
) -> Iterator[RatingChange]:
    """Yield how a game changes ratings; they are not stored. First those of the people with seats.

    `ratings` has the ratings of people before the game. `gone` are the stored rows of removed people, whose
    ratings before the game nothing else knows; what is yielded for them has their keys.
    """
    seats = sorted(game.seats.all(), key=attrgetter("number"))
    holders, formers = _split(game, gone)
    left = outcome.left | {seat.number for seat in seats if seat.caretaker}
    before = [
        Rating.of_bot(seat.bot)
        if seat.bot
        else ratings.get(seat.user_id, Rating())
        if seat.user_id
        else holders[seat.number].before
        if seat.number in holders
        else Rating()
        for seat in seats
    ]
    players: list[tuple[int | None, int | None, int, Sequence[Rating], Set[int]]]
    players = [(seat.user_id, None, seat.number, before, left) for seat in seats if seat.user_id]
    players += [(None, row.pk, number, before, left) for number, row in holders.items()]
    handed_over = [
        (user, None, seat, ratings.get(user, Rating())) for user, seat in _former_players(game).items()
    ]
    for user, key, number, rating in [
        *handed_over,
        *((None, row.pk, row.seat, row.before) for row in formers),
    ]:
        own = [rating if seat == number else other for seat, other in enumerate(before)]
        players.append((user, key, number, own, left | {number}))
    for user, key, number, entrants, leavers in players:
        places = _places(outcome, leavers)
        after = rate([Entrant(*entrant) for entrant in zip(entrants, places, strict=True)])[number]
        yield RatingChange(
            pk=key,
            game=game,
            user_id=user,
            seat=number,
            place=places[number],
            has_left=number in leavers,
            ended_at=outcome.ended_at,
            mean_before=entrants[number].mean,
            deviation_before=entrants[number].deviation,
            mean=after.mean,
            deviation=after.deviation,
            games=after.games,
            model=MODEL,
        )


def _split(game: Game, gone: Sequence[RatingChange]) -> tuple[dict[int, RatingChange], list[RatingChange]]:
    """Return the rows of removed people: those of the last players of seats, and of former ones.

    A row that belongs to nobody is in neither.
    """
    empty = {seat.number for seat in game.seats.all() if not (seat.user_id or seat.bot)}
    given = Counter(
        row.seat
        for row in game.seat_changes.all()
        if row.reason == SeatChange.Reason.HAND and not row.former_id
    )
    holders, formers = dict[int, RatingChange](), list[RatingChange]()
    for row in gone:
        if row.seat in empty and row.seat not in holders:
            holders[row.seat] = row
        elif given[row.seat]:
            given[row.seat] -= 1
            formers.append(row)
    return holders, formers


def _places(outcome: Outcome, left: Set[int]) -> list[int]:
    """Return the place of each seat, from 1, in a game that is over. Who is in `left` shares the last one."""

    def key(seat: int) -> tuple[bool, bool, int]:
        return (True, True, 0) if seat in left else (False, seat != outcome.winner, outcome.discs[seat])

    keys = [key(seat) for seat in range(len(outcome.discs))]
    return [1 + sum(other < own for other in keys) for own in keys]


def _row(person: User, rating: Rating) -> PlayerRating:
    """Return the row with the rating of a person, which is not stored."""
    is_listed = person.is_active and not person.is_guest and not rating.is_provisional
    return PlayerRating(
        user=person,
        mean=rating.mean,
        deviation=rating.deviation,
        games=rating.games,
        is_listed=is_listed,
    )


def _games_with_ratings() -> list[int]:
    """Return the ids of the games that change ratings or should, in the order in which they count."""
    rated = Q(changes_ratings=True, status=Game.Status.OVER) | Q(pk__in=RatingChange.objects.values("game"))
    games = Game.objects.filter(rated).annotate(ended_at=Max("actions__at"))
    return list(games.order_by("ended_at", "pk").values_list("pk", flat=True))


def _read_outcome(game_id: int) -> Outcome | str | None:
    """Return the outcome in the log of a game; a sentence if it cannot be replayed, None without a result."""
    game = Game.objects.select_related("deal").get(pk=game_id)
    last = Action.objects.filter(game=game).order_by("number").last()
    try:
        return Outcome.of(secret_log(game).position, last.at) if last else None
    except ValueError as error:  # An error of the engine, or a missing deal.
        return f"game {game_id}: its log cannot be replayed: {error}"


def _rebuild_game(
    game: Game,
    outcome: Outcome | str | None,
    ratings: dict[int | None, Rating],
    rebuilt: Rebuilt,
    *,
    check_only: bool,
) -> None:
    """Compare how a game changes ratings with its log, and correct it; `ratings` becomes those after it."""
    rows = sorted(game.rating_changes.all(), key=attrgetter("pk"))
    if isinstance(outcome, str):
        rebuilt.broken.append(outcome)
        ratings.update({row.user_id: row.after for row in rows if row.user_id})
        return
    gone = [row for row in rows if not row.user_id]
    changes = [*_derive(game, outcome, ratings, gone)] if outcome and game.changes_ratings else []
    ratings.update({change.user_id: change.after for change in changes if change.user_id})
    stored, derived = ({_name(change): change for change in some} for some in (rows, changes))
    for name in sorted(stored.keys() | derived.keys()):
        found = compare(f"{name} in {game.key}", stored.get(name), derived.get(name), CHANGE_FIELDS)
        rebuilt.differences.extend(found)
        if found and not check_only:
            _replace(stored.get(name), derived.get(name))


def _name(change: RatingChange) -> str:
    """Return a name for a row, by which a stored row is compared with the one that the log gives."""
    return (
        f"rating of user {change.user_id}" if change.user_id else f"rating of a former player ({change.pk})"
    )


def _replace(stored: RatingChange | None, derived: RatingChange | None) -> None:
    if derived is None:
        assert stored is not None, "nothing to replace"
        stored.delete()
        return
    derived.pk = stored.pk if stored else None
    derived.save()

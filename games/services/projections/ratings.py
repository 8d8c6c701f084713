"""Ratings: each rated game changes the ratings of its players, in the transaction that ends it.

- A game is rated if its table has chosen so and it has a result; a cancelled game changes nothing. Rated
  games have no guests and no hints.
- Places are those that the title gives; several seats can share one.
- Who has left counts as last: they resigned, are out because of time or of the others' vote, a bot plays
  their seat at the end, or they have handed it over. Several who have left tie. For the partner of somebody
  who has left, the place counts that the title gives their side.
- Sides are rated: partners win or lose together.
- Who takes over a seat is rated with its result. For who has handed it over, a second calculation puts the
  former player on the same seat in the last place; it changes nobody else's rating.

Ratings of different titles have nothing to do with each other. A rating depends on all earlier games of all
players, so the order matters: by the end of the game, then by
its id. `lock_ratings` comes before the last action gets its time, so that games of one player that end at the
same time have times in the order in which they count.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max, Q
from django.db.models.signals import post_save
from django.dispatch import receiver

from accounts.models import User
from games.log.replay import secret_log
from games.models import Action, Game, PlayerRating, PlayerRatingQuerySet, RatingChange, Seat, SeatChange
from games.ratings import MODEL, Entrant, Rating, rate
from games.services.projections.difference import Difference, compare
from games.titles.registry import title_named
from games.titles.rules import AnyPosition

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


class Finish(NamedTuple):
    """How a game ended: when, the place of each seat, and the seats that had left."""

    ended_at: datetime
    places: tuple[int, ...]
    left: frozenset[int]

    @classmethod
    def of(cls, position: AnyPosition, ended_at: datetime) -> "Finish | None":
        """Return how a game ended, from its last position; None without places."""
        if not position.places:
            return None
        return cls(ended_at, position.places, frozenset(range(position.seats)).difference(position.in_play))


def lock_ratings(game: Game, position: AnyPosition) -> None:
    """Lock the ratings of the players of a game that this position ends, before its last action is stored."""
    if not game.changes_ratings or position.awaited:
        return
    # In the order of the users, so that two games of the same players never wait for each other.
    people = sorted(_people(game))
    PlayerRating.objects.bulk_create(
        [PlayerRating(user_id=pk, title=game.title) for pk in people], ignore_conflicts=True
    )
    list(_ratings_in(game, people).select_for_update().order_by("user"))


def store_ratings(game: Game, position: AnyPosition, ended_at: datetime) -> None:
    """Store how a game that is over changes the ratings of its players, in the caller's transaction.

    The caller has called `lock_ratings`.
    """
    finish = Finish.of(position, ended_at)
    if not game.changes_ratings or finish is None:
        return
    rows = {row.user_id: row for row in _ratings_in(game, _people(game)).select_related("user")}
    changes = list(_derive(game, finish, {pk: row.value for pk, row in rows.items()}))
    RatingChange.objects.bulk_create(changes)
    for change in changes:
        if change.user_id:
            _set(rows[change.user_id], change.after)
    PlayerRating.objects.bulk_update(rows.values(), RATING_FIELDS)


def rebuild_ratings(*, check_only: bool = False) -> Rebuilt:
    """Rebuild all ratings from the logs of the rated games; return what was wrong.

    With `check_only`, nothing is stored.
    """
    # Read before anything is locked, because it takes long. The logs of games that are over never change.
    finishes = {pk: _read_finish(pk) for pk in _games_with_ratings()}
    with transaction.atomic():
        return _rebuild(finishes, check_only=check_only)


def _rebuild(finishes: Mapping[int, "Finish | str | None"], *, check_only: bool) -> Rebuilt:
    """Rebuild all ratings; rated games that end meanwhile wait. `finishes` has what is known of the logs."""
    locked = PlayerRating.objects.select_for_update().order_by("user", "title")
    stored = {(row.user_id, row.title): row for row in locked}
    games = _games_with_ratings()
    rebuilt, ratings = Rebuilt(len(games)), defaultdict[str, dict[int | None, Rating]](dict)
    for start in range(0, len(games), GAMES_AT_ONCE):
        some = games[start : start + GAMES_AT_ONCE]
        loaded = Game.objects.prefetch_related("seats", "seat_changes", "rating_changes").in_bulk(some)
        for pk in some:
            finish, game = finishes[pk] if pk in finishes else _read_finish(pk), loaded[pk]
            _rebuild_game(game, finish, ratings[game.title], rebuilt, check_only=check_only)
    found = {(pk, title) for title, own in ratings.items() for pk in own if pk}
    people = User.objects.in_bulk({pk for pk, _title in found | stored.keys()})
    for pk, title in sorted(found | stored.keys()):
        row = stored.get((pk, title))
        derived = PlayerRating(pk=row.pk if row else None, user=people[pk], title=title)
        _set(derived, ratings[title].get(pk, Rating()))
        differences = compare(f"rating of {people[pk].username} in {title}", row, derived, RATING_FIELDS)
        rebuilt.differences.extend(differences)
        if differences and not check_only:
            derived.save()
    return rebuilt


@receiver(post_save, sender=User)
def list_ratings(sender: object, instance: User, created: bool, **_options: object) -> None:
    """List the ratings of an account that is activated again, and no longer those of a deactivated one.

    Staff store users, and the accounts know nothing of games.
    """
    if created:
        return
    for row in PlayerRating.objects.filter(user=instance):
        is_listed = _is_listed(instance, row.value)
        if row.is_listed != is_listed:
            PlayerRating.objects.filter(pk=row.pk).update(is_listed=is_listed)


def _ratings_in(game: Game, people: Collection[int]) -> PlayerRatingQuerySet:
    """Return the ratings of people in the title of a game."""
    return PlayerRating.objects.filter(user__in=people, title=game.title)


def _set(row: PlayerRating, rating: Rating) -> None:
    """Give a row this rating, without storing it."""
    row.mean, row.deviation, row.games = rating.mean, rating.deviation, rating.games
    row.is_listed = _is_listed(row.user, rating)


def _is_listed(person: User, rating: Rating) -> bool:
    """Return whether the leaderboard shows a rating."""
    return person.is_active and not person.is_guest and not rating.is_provisional


def _people(game: Game) -> set[int]:
    """Return the ids of the people who have a seat in a game or have handed it over."""
    return {seat.user_id for seat in game.seats.all() if seat.user_id} | {*_former_players(game)}


def _former_players(game: Game) -> dict[int, int]:
    """Return the seat of each person who has handed it over and has no other seat in the game."""
    seated = {seat.user_id for seat in game.seats.all()}
    rows = sorted(game.seat_changes.all(), key=attrgetter("pk"))
    return {row.former_id: row.seat for row in rows if row.former_id and row.former_id not in seated}


class _Player(NamedTuple):
    """Somebody whose rating a game changes, and their seat in it.

    `row` is the key of a stored row of a removed person, who has no `user` any more.
    """

    user: int | None
    row: int | None
    seat: int


@dataclass(frozen=True)
class _Result:
    """The result of a game as one calculation sees it: by seat, the sides and the ratings before the game."""

    finish: Finish
    sides: Sequence[int]
    before: Sequence[Rating]
    left: frozenset[int]

    def for_former(self, seat: int, rating: Rating) -> "_Result":
        """Return the result for a former player of a seat, who has left it and had this rating."""
        before = [*self.before[:seat], rating, *self.before[seat + 1 :]]
        return replace(self, before=before, left=self.left | {seat})

    def places(self, player: int) -> list[int]:
        """Return the place of each seat, from 1, for the rating of the player on this seat.

        Sides share a place. If all players of a side have left, or this player has, their side is in the last
        place; several of them tie.
        """
        playing = {side for seat, side in enumerate(self.sides) if seat not in self.left}
        if player in self.left:
            playing.discard(self.sides[player])
        keys = {
            side: (side not in playing, place if side in playing else 0)
            for side, place in zip(self.sides, self.finish.places, strict=True)
        }
        return [1 + sum(key < keys[side] for key in keys.values()) for side in self.sides]

    def change(self, game: Game, player: _Player) -> RatingChange:
        """Return how the game changes the rating of a player, which is not stored."""
        places = self.places(player.seat)
        entrants = [Entrant(*entrant) for entrant in zip(self.before, places, self.sides, strict=True)]
        before, after = self.before[player.seat], rate(entrants)[player.seat]
        return RatingChange(
            pk=player.row,
            game=game,
            user_id=player.user,
            seat=player.seat,
            place=places[player.seat],
            has_left=player.seat in self.left,
            ended_at=self.finish.ended_at,
            mean_before=before.mean,
            deviation_before=before.deviation,
            mean=after.mean,
            deviation=after.deviation,
            games=after.games,
            model=MODEL,
        )


def _derive(
    game: Game,
    finish: Finish,
    ratings: Mapping[int | None, Rating],
    gone: Sequence[RatingChange] = (),
) -> Iterator[RatingChange]:
    """Yield how a game changes ratings; they are not stored. First those of the people with seats.

    `ratings` has the ratings of people before the game. `gone` are the stored rows of removed people, whose
    ratings before the game nothing else knows; what is yielded for them has their keys.
    """
    seats = sorted(game.seats.all(), key=attrgetter("number"))
    holders, formers = _split(game, gone)
    result = _Result(
        finish,
        title_named(game.title).rules.sides(game.seat_count),
        [_rating_before(game, seat, ratings, holders) for seat in seats],
        finish.left | {seat.number for seat in seats if seat.caretaker},
    )
    for seat in seats:
        if seat.user_id:
            yield result.change(game, _Player(seat.user_id, None, seat.number))
    for number, row in holders.items():
        yield result.change(game, _Player(None, row.pk, number))
    for user, number in _former_players(game).items():
        own = result.for_former(number, ratings.get(user, Rating()))
        yield own.change(game, _Player(user, None, number))
    for row in formers:
        yield result.for_former(row.seat, row.before).change(game, _Player(None, row.pk, row.seat))


def _rating_before(
    game: Game, seat: Seat, ratings: Mapping[int | None, Rating], holders: Mapping[int, RatingChange]
) -> Rating:
    """Return the rating of who plays a seat, before the game."""
    if seat.bot:
        return Rating.of_bot(title_named(game.title).bots.levels[seat.bot].rating)
    if seat.user_id:
        return ratings.get(seat.user_id, Rating())
    return holders[seat.number].before if seat.number in holders else Rating()


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


def _games_with_ratings() -> list[int]:
    """Return the ids of the games that change ratings or should, in the order in which they count."""
    rated = Q(changes_ratings=True, status=Game.Status.OVER) | Q(pk__in=RatingChange.objects.values("game"))
    games = Game.objects.filter(rated).annotate(ended_at=Max("actions__at"))
    return list(games.order_by("ended_at", "pk").values_list("pk", flat=True))


def _read_finish(game_id: int) -> Finish | str | None:
    """Return the finish in the log of a game; a sentence if it cannot be replayed, None without a result."""
    game = Game.objects.select_related("deal").get(pk=game_id)
    last = Action.objects.filter(game=game).order_by("number").last()
    try:
        return Finish.of(secret_log(game).position, last.at) if last else None
    except ValueError as error:  # An error of the engine, or a missing deal.
        return f"game {game_id}: its log cannot be replayed: {error}"


def _rebuild_game(
    game: Game,
    finish: Finish | str | None,
    ratings: dict[int | None, Rating],
    rebuilt: Rebuilt,
    *,
    check_only: bool,
) -> None:
    """Compare how a game changes ratings with its log, and correct it; `ratings` becomes those after it."""
    rows = sorted(game.rating_changes.all(), key=attrgetter("pk"))
    if isinstance(finish, str):
        rebuilt.broken.append(finish)
        ratings.update({row.user_id: row.after for row in rows if row.user_id})
        return
    gone = [row for row in rows if not row.user_id]
    changes = [*_derive(game, finish, ratings, gone)] if finish and game.changes_ratings else []
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

"""Fills an empty site with people and finished games, to measure pages that list many of them.

The games have no logs, so their own pages cannot be shown.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import chain

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from games.models import (
    DailyDeal,
    Follow,
    Game,
    PlayerRating,
    RatingChange,
    ScoreCount,
    Seat,
    SoloResult,
    Standing,
)
from games.ratings import MODEL, START
from games.services.projections.standings import derive_standings
from games.services.solo.daily import publish
from games.services.tables.options import new_game
from games.titles.registry import first_title, title_named, title_with
from games.titles.rules import Setup
from games.titles.talents import Talent

BATCH = 5000
# One person in ten plays this many times as often as the others, so some have an average.
FREQUENT = 4
SPREAD = timedelta(days=400)
RATED_GAMES = 24  # of a person with changes of their rating
FOLLOWED = 10  # by each person
SEEDED = "seeded"  # how a game ended, in place of an ending of its title
NO_PASSWORD = UNUSABLE_PASSWORD_PREFIX


@transaction.atomic
def seed(players: int, results: int, games: int) -> None:
    """Store people, solo results with their standings, and games for two; always the same ones."""
    rng = random.Random(1)
    people = User.objects.bulk_create(
        (User(username=f"Player-{number}", password=NO_PASSWORD) for number in range(1, players + 1)),
        batch_size=BATCH,
    )
    weights = [FREQUENT if number % 10 == 0 else 1 for number in range(players)]
    attempts: set[tuple[int, date]] = set()
    for count in _batches(results):
        _add_results(rng.choices(people, weights, k=count), attempts, rng)
    for count in _batches(games):
        _add_games([rng.sample(people, 2) for _game in range(count)], rng)
    _add_standings(people)
    _add_ratings(people, rng)
    _add_follows(people, rng)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _batches(total: int) -> Iterator[int]:
    for start in range(0, total, BATCH):
        yield min(BATCH, total - start)


def _add_results(players: Sequence[User], attempts: set[tuple[int, date]], rng: random.Random) -> None:
    """Store a solo result for each of these players: three in ten are attempts at the deal of their day.

    `attempts` has who has played the deal of which day, and gets the new ones.
    """
    now, deals = timezone.now(), dict[date, DailyDeal]()
    games = [_solo_game(player, now, rng) for player in players]
    for game in games:
        assert game.opened_by_id, "a player has opened it"
        assert game.moved_at, "it is over"
        day = game.moved_at.astimezone(UTC).date()
        if rng.random() < 0.3 and (game.opened_by_id, day) not in attempts:
            attempts.add((game.opened_by_id, day))
            game.daily = deals.get(day) or deals.setdefault(day, publish(day))
            game.deal = game.daily.deal
    Game.objects.bulk_create(games)
    Seat.objects.bulk_create(
        Seat(
            game=game,
            number=0,
            user_id=game.opened_by_id,
            joined_at=game.moved_at,
            figures={**_figures_at_start(game.title, 1), "score": game.score},
        )
        for game in games
    )
    SoloResult.objects.bulk_create(
        SoloResult(
            game=game,
            user_id=game.opened_by_id,
            kind=SoloResult.Kind.DAILY if game.daily else SoloResult.Kind.FREE,
            score=game.score,
            tie_break=rng.randint(17, 26),
            ended_at=game.moved_at,
            is_without_hints=True,
        )
        for game in games
        if game.score is not None and game.moved_at is not None
    )


def _solo_game(player: User, now: datetime, rng: random.Random) -> Game:
    """Return a solo game that is over, unsaved. Three in ten are of the last day."""
    return new_game(
        title_with(Talent.SOLO).key,
        1,
        {},
        status=Game.Status.OVER,
        opened_by=player,
        score=max(60, round(rng.gauss(130, 25))),
        ending=SEEDED,
        moved_at=now - (timedelta(days=1) if rng.random() < 0.3 else SPREAD) * rng.random(),
    )


def _add_games(pairs: Sequence[Sequence[User]], rng: random.Random) -> None:
    now = timezone.now()
    games = Game.objects.bulk_create(
        new_game(
            first_title().key,
            2,
            {},
            status=Game.Status.OVER,
            opened_by=pair[0],
            winner=rng.randrange(2),
            ending=SEEDED,
            started_at=now - SPREAD,
            moved_at=now - SPREAD * rng.random(),
        )
        for pair in pairs
    )
    Seat.objects.bulk_create(
        Seat(
            game=game,
            number=number,
            user=player,
            joined_at=game.started_at,
            place=1 if number == game.winner else 2,
            figures=_figures_at_start(game.title, 2),
            rank=1 if number == game.winner else 2,
        )
        for game, pair in zip(games, pairs, strict=True)
        for number, player in enumerate(pair)
    )


@cache
def _figures_at_start(key: str, seats: int) -> Mapping[str, int]:
    """Return the figures of a seat before the first action of a game with default options."""
    rules = title_named(key).rules
    options = rules.checked_options({}, seats)
    setup = Setup(seats, options, rules.deal(bytes(32), seats, options))
    return rules.start(setup, max(rules.versions)).figures(0)


def _add_ratings(people: Sequence[User], rng: random.Random) -> None:
    """Rate all people, with two dozen changes for one in a hundred, in games that are there already."""
    ratings = [
        PlayerRating(
            user=person, mean=round(rng.gauss(START, 200), 2), deviation=60.0, games=24, is_listed=True
        )
        for person in people
    ]
    PlayerRating.objects.bulk_create(ratings, batch_size=BATCH)
    games = list(Game.objects.multiplayer().order_by("pk")[:RATED_GAMES])
    now = timezone.now()
    RatingChange.objects.bulk_create(
        (
            RatingChange(
                game=game,
                user=rating.user,
                seat=0,
                place=1,
                has_left=False,
                ended_at=now - timedelta(days=RATED_GAMES - number),
                mean_before=rating.mean - 24 + number,
                deviation_before=60.0,
                mean=rating.mean - 23 + number,
                deviation=60.0,
                games=number,
                model=MODEL,
            )
            for rating in ratings[::100]
            for number, game in enumerate(games, 1)
        ),
        batch_size=BATCH,
    )


def _add_standings(people: Sequence[User]) -> None:
    results: defaultdict[int | None, list[SoloResult]] = defaultdict(list)
    for result in SoloResult.objects.all().iterator():
        results[result.user_id].append(result)
    standings = chain.from_iterable(derive_standings(person, results[person.pk]) for person in people)
    Standing.objects.bulk_create(standings, batch_size=BATCH)
    counts = Counter((result.kind, result.score) for result in chain.from_iterable(results.values()))
    ScoreCount.objects.bulk_create(
        ScoreCount(kind=kind, score=score, number=number) for (kind, score), number in counts.items()
    )


def _add_follows(people: Sequence[User], rng: random.Random) -> None:
    """Make everybody follow a few people."""
    follows = (
        Follow(user=person, followed=followed)
        for person in people
        for followed in rng.sample(people, min(FOLLOWED, len(people)))
        if followed != person
    )
    Follow.objects.bulk_create(follows, batch_size=BATCH)

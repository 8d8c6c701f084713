"""Solo results, the standings of their players, and how often each score was reached.

Results are derived from logs, and all else from the results that count.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from statistics import fmean

from django.db import transaction
from django.db.models import F, Q
from django.db.models.signals import post_save
from django.dispatch import receiver

from accounts.models import User
from games.log.replay import secret_log
from games.models import (
    LEAST_FOR_AVERAGE,
    Action,
    Game,
    LeaderboardKey,
    ScoreCount,
    Seat,
    SoloResult,
    Standing,
)
from games.services.projections.difference import Difference, compare
from games.titles.registry import title_named
from games.titles.rules import AnyPosition
from games.titles.talents import Talent

RESULT_FIELDS = ("user_id", "kind", "score", "tie_break", "ended_at", "is_without_hints")
STANDING_FIELDS = ("score", "tie_break", "reached_at", "played", "game_id", "is_listed")


def store_result(game: Game, position: AnyPosition, ended_at: datetime) -> None:
    """Store the result of a game that is over and what follows from it, in the caller's transaction.

    Only solo games of people with a score have a result, in titles with solo games.
    """
    result = _result_of(game, position, ended_at)
    if result is None:
        return
    result.save(force_insert=True)
    if not result.counts:
        return
    if result.user is not None:
        _store_standings(result.user, result)
    # Last, because games with the same score wait for each other here.
    ScoreCount.objects.get_or_create(kind=result.kind, score=result.score)
    ScoreCount.objects.filter(kind=result.kind, score=result.score).update(number=F("number") + 1)


def derive_standings(player: User, results: Iterable[SoloResult]) -> Iterator[Standing]:
    """Yield the standings that follow from all results of a player that count. They are not stored."""
    is_listed = has_listed_standings(player)
    by_period: defaultdict[tuple[str, Standing.Period, date], list[SoloResult]] = defaultdict(list)
    for result in results:
        for period in Standing.Period:
            by_period[result.kind, period, period.start(result.ended_at)].append(result)
    for (kind, period, starts_on), own in by_period.items():
        best = min(own, key=lambda result: (result.score, result.tie_break, result.ended_at, result.game_id))
        yield Standing(
            user=player,
            kind=kind,
            measure=Standing.Measure.BEST,
            period=period,
            starts_on=starts_on,
            score=float(best.score),
            tie_break=float(best.tie_break),
            reached_at=best.ended_at,
            played=len(own),
            game_id=best.game_id,
            is_listed=is_listed,
        )
        if len(own) >= LEAST_FOR_AVERAGE:
            yield Standing(
                user=player,
                kind=kind,
                measure=Standing.Measure.AVERAGE,
                period=period,
                starts_on=starts_on,
                score=round(fmean(result.score for result in own), 2),
                tie_break=round(fmean(result.tie_break for result in own), 2),
                reached_at=max(result.ended_at for result in own),
                played=len(own),
                is_listed=is_listed,
            )


def has_listed_standings(user: User) -> bool:
    """Return whether everybody sees the standings of this person: they have an account."""
    return user.is_active and not user.is_guest


@receiver(post_save, sender=User)
def list_standings(sender: object, instance: User, created: bool, **_options: object) -> None:
    """List the standings of a guest who registers, and no longer those of a deactivated account.

    Staff and the sign-up store users, and the accounts know nothing of games.
    """
    if created:
        return
    is_listed = has_listed_standings(instance)
    others = Standing.objects.filter(user=instance).exclude(is_listed=is_listed)
    if others.exists():
        with transaction.atomic():
            _lock_standings(instance)
            others.update(is_listed=is_listed)


def rebuild_result(game: Game, *, check_only: bool = False) -> list[Difference]:
    """Rebuild the result of a game from its log; return each stored value that was wrong.

    With `check_only`, nothing is stored. The caller holds the lock on the game's row.
    """
    last = Action.objects.filter(game=game).order_by("number").last()
    derived = _result_of(game, secret_log(game).position, last.at) if last else None
    stored = SoloResult.objects.filter(game=game).first()
    differences = compare(f"result of {game.key}", stored, derived, RESULT_FIELDS)
    if differences and not check_only:
        if derived is None:
            SoloResult.objects.filter(game=game).delete()
        else:
            derived.save()
    return differences


def games_with_results() -> list[int]:
    """Return the ids of the games that have a result or should have one."""
    games = Game.objects.filter(Q(pk__in=Game.objects.solo().over()) | Q(result__isnull=False))
    return list(games.order_by("pk").values_list("pk", flat=True))


def rebuild_standings(user: User, *, check_only: bool = False) -> list[Difference]:
    """Rebuild the standings of a player from their results; return each stored value that was wrong."""
    with transaction.atomic():
        _lock_standings(user)
        derived = {standing.board: standing for standing in _derive(user)}
        stored = {standing.board: standing for standing in Standing.objects.filter(user=user)}
        differences = [
            difference
            for board in sorted(derived.keys() | stored.keys())
            for difference in compare(
                f"{user.username} on {board.kind}/{board.measure}/{board.period} of {board.starts_on}",
                stored.get(board),
                derived.get(board),
                STANDING_FIELDS,
            )
        ]
        if differences and not check_only:
            extra = [standing.pk for board, standing in stored.items() if board not in derived]
            Standing.objects.filter(pk__in=extra).delete()
            _upsert(list(derived.values()))
        return differences


def players_with_standings() -> list[User]:
    """Return the players who have a standing or should have one."""
    results, standings = SoloResult.objects.counted(), Standing.objects.all()
    players = Q(pk__in=results.values("user")) | Q(pk__in=standings.values("user"))
    return list(User.objects.filter(players).order_by("pk"))


@transaction.atomic
def rebuild_score_counts(*, check_only: bool = False) -> list[Difference]:
    """Count the results with each score again; return each stored number that was wrong."""
    rows = ScoreCount.objects.select_for_update().order_by("kind", "score")
    stored = {(row.kind, row.score): row.number for row in rows}
    derived = Counter(SoloResult.objects.counted().values_list("kind", "score"))
    differences = []
    for kind, score in sorted(derived.keys() | stored.keys()):
        before, number = stored.get((kind, score), 0), derived[kind, score]
        if before != number:
            differences.append(Difference(f"games with the score {score}, {kind}", "number", before, number))
            if not check_only:
                ScoreCount.objects.update_or_create(kind=kind, score=score, defaults={"number": number})
    return differences


def _result_of(game: Game, position: AnyPosition, ended_at: datetime) -> SoloResult | None:
    """Return the result of a game, which is not stored; None without a score, and for a bot."""
    figures, title = position.figures(0), title_named(game.title)
    if not game.is_solo or Talent.SOLO not in title.talents or "score" not in figures:
        return None
    seat = Seat.objects.select_related("user").get(game=game)
    if seat.bot:
        return None
    return SoloResult(
        game=game,
        user=seat.user,
        kind=_kind_of(game, ended_at),
        score=figures["score"],
        tie_break=figures.get(title.solo_pages.tie_break, 0),
        ended_at=ended_at,
        is_without_hints=game.is_without_hints,
    )


def _kind_of(game: Game, ended_at: datetime) -> SoloResult.Kind:
    """Return the kind of a result; an attempt at a daily deal that was over too late is practice."""
    if game.daily is None:
        return SoloResult.Kind.FREE
    counts = not game.is_practice and ended_at < game.daily.ends_at
    return SoloResult.Kind.DAILY if counts else SoloResult.Kind.PRACTICE


def _store_standings(user: User, newest: SoloResult) -> None:
    """Store the standings of a player on the boards of their newest result."""
    # Two results of one player at the same time must see each other, also the first two.
    first = [row for row in derive_standings(user, [newest]) if row.period == Standing.Period.ALL]
    Standing.objects.bulk_create(first, ignore_conflicts=True)
    _lock_standings(user)
    boards = {(newest.kind, period, period.start(newest.ended_at)) for period in Standing.Period}
    _upsert([row for row in _derive(user) if (row.kind, row.period, row.starts_on) in boards])


def _derive(user: User) -> Iterator[Standing]:
    return derive_standings(user, SoloResult.objects.counted().filter(user=user))


def _lock_standings(user: User) -> None:
    """Lock the standings of a player by the row of all time, which is always there.

    The row of the user is no lock for this: other services lock it before a game, and here a game is locked.
    """
    all_time = Standing.objects.filter(user=user, period=Standing.Period.ALL).order_by("pk")
    list(all_time.select_for_update().values_list("pk"))


def _upsert(standings: Sequence[Standing]) -> None:
    Standing.objects.bulk_create(
        standings,
        update_conflicts=True,
        unique_fields=["user", *LeaderboardKey._fields],
        update_fields=["score", "tie_break", "reached_at", "played", "game", "is_listed"],
    )

"""What measures do, and how it is undone."""

from contextlib import suppress

from django.db.models import F

from accounts.models import User
from accounts.staff import renaming
from games.models import NEVER, ChatLine, Game, Measure, Plan, ScoreCount, Seek, SoloResult
from games.services import after_commit, hand_overs, tables
from games.services.errors import Refused
from games.services.projections.standings import rebuild_standings
from games.services.tables import duplicates

Kind = Measure.Kind
# The column of a user in which the end of the measures of a kind is.
COLUMNS = {
    Kind.MUTE: "muted_until",
    Kind.NO_PUBLIC_TABLES: "private_until",
    Kind.SUSPEND: "suspended_until",
}


def carry_out(measure: Measure) -> None:
    """Do what a new measure says, in the caller's transaction."""
    match measure.kind:
        case Kind.HIDE_LINE:
            _hide_line(measure.line, is_hidden=True)
        case Kind.RENAME:
            measure.quote = renaming.give_another_name(measure.user)
            measure.save(update_fields=["quote"])
        case Kind.UNLIST_RESULT:
            _unlist(measure.game, is_unlisted=True)
        case Kind.MUTE | Kind.NO_PUBLIC_TABLES | Kind.SUSPEND:
            store_ends(measure.user)
            _leave_what_waits(measure)


def undo(measure: Measure) -> None:
    """Undo what a measure did that was lifted, as far as no other one says the same."""
    others = Measure.objects.in_force().filter(kind=measure.kind)
    match measure.kind:
        case Kind.HIDE_LINE if not others.filter(line=measure.line).exists():
            _hide_line(measure.line, is_hidden=False)
        case Kind.RENAME:
            renaming.give_back(measure.user, measure.quote)
        case Kind.UNLIST_RESULT if not others.filter(game=measure.game).exists():
            _unlist(measure.game, is_unlisted=False)
        case Kind.MUTE | Kind.NO_PUBLIC_TABLES | Kind.SUSPEND:
            store_ends(measure.user)


def _leave_what_waits(measure: Measure) -> None:
    """Let a person leave what has not started and what they may not play any more.

    The row of the person is locked, so that they get no other seat meanwhile. Running games go on, and their
    clocks run: the others wait no longer than for anybody who stays away.
    """
    if measure.kind not in (Kind.NO_PUBLIC_TABLES, Kind.SUSPEND):
        return
    user = measure.user
    if measure.kind == Kind.SUSPEND:
        Plan.objects.filter(user=user).delete()
        tables.leave_what_waits(user)
        tables.decline_all(user)
        return
    Seek.objects.filter(user=user).delete()
    duplicates.leave_waiting_matches(user, only_public=True)
    hand_overs.leave_public_offers(user)
    for game in list(Game.objects.open().listed().with_seat_of(user).order_by("pk")):
        with suppress(Refused):
            (tables.close if game.opened_by_id == user.pk else tables.leave)(game.key, user)


def store_ends(user: User) -> None:
    """Store until when the measures in force last, in the row of the user that each request reads."""
    # Locked before the measures are read, so that no other transaction stores ends without a new measure.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    ends: dict[str, object] = {}
    for kind, column in COLUMNS.items():
        times = [
            measure.ends_at or NEVER for measure in Measure.objects.in_force().filter(user=user, kind=kind)
        ]
        ends[column] = max(times, default=None)
    User.objects.filter(pk=user.pk).update(**ends)
    user.refresh_from_db(fields=list(ends))


def _hide_line(line: ChatLine | None, *, is_hidden: bool) -> None:
    if line is not None:
        ChatLine.objects.filter(pk=line.pk).update(is_hidden=is_hidden)
    if line is not None and line.game is not None:
        after_commit.update_open_pages(line.game)


def _unlist(game: Game | None, *, is_unlisted: bool) -> None:
    """Keep the result of a game from public lists and leaderboards, or list it again. Ratings stay."""
    if game is None or not Game.objects.filter(pk=game.pk).exclude(is_unlisted=is_unlisted).exists():
        return
    result = SoloResult.objects.select_related("user").filter(game=game).first()
    counted_before = result is not None and result.counts
    Game.objects.filter(pk=game.pk).update(is_unlisted=is_unlisted)
    if result is None or result.user is None:
        return
    result.game.is_unlisted = is_unlisted
    if result.counts != counted_before:
        change = 1 if result.counts else -1
        counts = ScoreCount.objects.filter(kind=result.kind, score=result.score)
        counts.update(number=F("number") + change)
    rebuild_standings(result.user)

"""The calendars of people: sleeping hours, a day off and vacations. Deadlines follow each change."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from functools import partial

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.clock import zone_of
from accounts.models import User
from games.clocks import BadVacation, Calendar, Hours, NotEnoughVacation, start_of_change
from games.models import Game, HoursChange, Seat, Vacation, Vote, calendars_of, turns_in_progress
from games.services import notifications
from games.services.clocks import deadlines_of, run_clocks
from games.services.errors import Conflict
from games.services.private.digests import move_digest
from games.services.projections.games import rebuild
from games.services.tables import count_change


def choose_hours(user: User, hours: Hours, *, automatic_vacation: bool = False) -> None:
    """Store the hours of a person and their time zone, and whether vacations start by themselves.

    The hours apply as `Calendar.with_hours` and `start_of_change` say.
    """
    with _change_calendar(user) as (calendar, now):
        _store_zone(user, hours)
        if user.automatic_vacation != automatic_vacation:
            user.automatic_vacation = automatic_vacation
            user.save(update_fields=["automatic_vacation"])
        if calendar.hours_at(now) == hours and (not calendar.changes or calendar.changes[-1].hours == hours):
            return

        def change(start: datetime) -> Calendar:
            return calendar.with_hours(hours, now, start)

        start = change(start_of_change(change, calendar, turns_in_progress(user.pk), now)).changes[-1].start
        HoursChange.objects.filter(user=user, starts_at__gt=now).delete()
        HoursChange.objects.create(
            user=user,
            starts_at=start,
            time_zone=hours.zone.key,
            sleep_start=hours.sleep.start if hours.sleep else None,
            sleep_end=hours.sleep.end if hours.sleep else None,
            day_off=hours.day_off,
        )


def choose_zone(user: User, name: str) -> None:
    """Store the time zone of a person; their hours follow, as `choose_hours` says."""
    calendar = calendars_of([user.pk])[user.pk]
    newest = calendar.changes[-1].hours if calendar.changes else calendar.hours
    hours = Hours(zone_of(name), newest.sleep, newest.day_off)
    choose_hours(user, hours, automatic_vacation=user.automatic_vacation)


def _store_zone(user: User, hours: Hours) -> None:
    """Store the time zone of a person with their hours. The daily email that waits follows."""
    if not user.time_zone or zone_of(user.time_zone) != hours.zone:
        user.time_zone = hours.zone.key
        user.save(update_fields=["time_zone"])
        move_digest(user)


def plan_vacation(user: User, first: date, last: date) -> None:
    """Store a vacation of a person from one local day to another, both included.

    Raises Conflict if it is over already, or if the person has too few vacation days left.
    """
    with _change_calendar(user) as (calendar, now):
        try:
            span = calendar.plan_vacation(first, last, now)
        except BadVacation:
            raise Conflict(_("The last day must not be before the first day or before today.")) from None
        except NotEnoughVacation:
            raise Conflict(_("You have 20 vacation days a year, and not enough of them are left.")) from None
        zone = span.zone.key
        Vacation.objects.create(user=user, starts_at=span.start, ends_at=span.end, time_zone=zone)


def end_vacation(user: User, pk: int) -> datetime | None:
    """End a vacation of a person, or cancel it if it has not started, as `start_of_change` says.

    Return when it ends now; its start if it is cancelled, and None if it is over already.
    """
    with _change_calendar(user) as (calendar, now):
        vacation = Vacation.objects.filter(user=user, pk=pk, ends_at__gt=now).first()
        if vacation is None:
            return None
        end = partial(calendar.with_vacation_ended, vacation.span)
        ended = vacation.span.ended(start_of_change(end, calendar, turns_in_progress(user.pk), now))
        if ended.end == ended.start:
            vacation.delete()
        else:
            vacation.ends_at = ended.end
            vacation.save(update_fields=["ends_at"])
        return ended.end


def start_vacation(user: User, game_id: int, until: datetime) -> bool:
    """Start a vacation of a person at their deadline in a game, if it is not after `until`, and not lose.

    Returns False if the deadline is later, or the person does not want that or has no day left.
    """
    with _change_calendar(user) as (calendar, _now):
        late = Seat.objects.late(until).filter(game=game_id, user=user, game__status=Game.Status.RUNNING)
        seat = late.select_related("game").first()
        deadline = None if seat is None or seat.game.is_live else seat.time_is_up_at
        span = calendar.vacation_instead_of_losing(deadline) if deadline and deadline <= until else None
        if span is None:
            return False
        zone = span.zone.key
        Vacation.objects.create(user=user, starts_at=span.start, ends_at=span.end, time_zone=zone)
        _count_again(user, span.start)
        return True


def _count_again(user: User, since: datetime) -> None:
    """Store again what the games of a person with an action since this moment derive from their calendar.

    A vacation that starts by itself begins at the deadline, which a late sweep finds when the person may have
    moved elsewhere.
    """
    own = Q(seats__user=user) | Q(attendances__user=user)
    ids = Game.objects.under_known_rules().filter(own, moved_at__gt=since).values("pk")
    games = Game.objects.exclude(status=Game.Status.OPEN).filter(pk__in=ids)
    for game in games.order_by("pk").select_for_update():
        rebuild(game)


@contextmanager
def _change_calendar(user: User) -> Iterator[tuple[Calendar, datetime]]:
    """Give the caller the calendar of a person to change, and then store the new deadlines of their games.

    Calls of the person lapse if they are not absent any more. Open pages of games that change update.

    It locks the person, and then their games with a clock that are not over, each also at other people's
    turns: an action that starts the person's clock meanwhile waits, and then reads the new calendar.
    """
    with transaction.atomic():
        locked = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        calls = Vote.objects.calls().filter(game__seats__user=locked, game__seats__number=F("seat"))
        concerned = ~Q(pace="") | Q(pk__in=calls.values("game"))
        games = Game.objects.filter(concerned).exclude(status=Game.Status.OVER).with_seat_of(locked)
        games_by_id = list(games.order_by("pk").select_for_update())
        calendar = calendars_of([user.pk])[user.pk]
        if not calendar.changes:
            calendar = Calendar(Hours(zone_of(locked.time_zone)), vacations=calendar.vacations)
        now = timezone.now()
        yield (
            Calendar(calendar.hours, calendar.changes, calendar.vacations, locked.automatic_vacation),
            now,
        )
        for game in games_by_id:
            if game.is_running:
                deadlines = deadlines_of(game)
                run_clocks(game, game.seats.all(), now)
                call = game.votes.calls().first()
                has_lapsed = call is not None and not call.has_reason
                if has_lapsed:
                    game.votes.lapse()
                has_moved = deadlines_of(game) != deadlines
                if has_moved:
                    notifications.replace_reminder(game)
                if has_lapsed or has_moved:
                    count_change(game)

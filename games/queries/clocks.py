"""When it is probably a player's turn."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from accounts.clock import zone_of
from accounts.database.statements import Statement
from accounts.models import User
from games.clocks import LIVE_PACES, MOST_ANSWERS, Calendar, Estimate, Habits, Kind, Turn, estimate
from games.models import Action, Game, calendars_of, seats_of

# Habits change, so older answers do not count.
RECENT = timedelta(days=180)


def estimated_turn(game: Game, seats: Sequence[int]) -> Estimate | None:
    """Return when the people on these seats have probably answered, one after the other.

    None if there are none, or if the history of one of them does not support an estimate. It knows nothing of
    days off and vacations, so it is None too if one of them is away before its end. Runs one query, and one
    more for each person, and two for their calendars.
    """
    users = {seat.number: seat.user for seat in seats_of(game)} if seats else {}
    people = [user for seat in seats if (user := users[seat]) is not None]
    if not people or game.moved_at is None:
        return None
    now = timezone.now()
    found = estimate(map(_habits_of, people), game.moved_at, now)
    if found is None:
        return None
    calendars = calendars_of(user.pk for user in people)
    is_away = any(_is_away(calendar, now, found.end) for calendar in calendars.values())
    return None if is_away else found


def _is_away(calendar: Calendar, start: datetime, end: datetime) -> bool:
    """Return whether a day off or a vacation of this calendar is between two instants."""
    return any({*pause.kinds} - {Kind.SLEEP} for pause in calendar.pauses(start, end))


def _habits_of(user: User) -> Habits | None:
    """Return the habits of a person, from turns that another person's action began, except in live games."""
    spans = _latest_answers.rows(user.pk, timezone.now() - RECENT)
    return Habits.of((Turn(*span) for span in spans), zone_of(user.time_zone))


def _answers_since(user: int, start: datetime) -> QuerySet[Any, Any]:
    """Return when a person was asked and has answered since then, the latest answers first."""
    earlier = Action.objects.filter(game=OuterRef("game"), number=OuterRef("number") - 1)
    # The pace is in the subquery: PostgreSQL would join all games first on a site whose games have few paces.
    of_others = earlier.filter(made_by__isnull=False).exclude(made_by=user).exclude(game__pace__in=LIVE_PACES)
    own = Action.objects.filter(made_by=user, at__gt=start)
    answers = own.annotate(asked_at=Subquery(of_others.values("at"))).filter(asked_at__isnull=False)
    return answers.order_by("-at").values_list("asked_at", "at")[:MOST_ANSWERS]


_latest_answers = Statement(_answers_since)

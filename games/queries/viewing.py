"""A game as one viewer sees it: the log replayed without its secrets, with the players' names."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Viewer
from games import marked, models
from games.log.deals import revealed_deal
from games.log.replay import Log, action_to_take_back, open_positions, public_log
from games.models import Game, Seat, allows_take_backs, facts_of, seats_of
from games.queries.habits import NO_HABITS, habits_by_seat
from games.queries.outages import outages_of
from games.queries.past_clocks import past_clocks
from games.shown.clocks import describe_time_left
from games.shown.past_clocks import with_clock_after
from games.shown.ratings import describe_change
from games.shown.seat_changes import describe_former_players
from games.titles.experts import Judgement
from games.titles.people import Person, SeatChange, SeatClock
from games.titles.registry import has_talent, title_named
from games.titles.talents import Talent
from games.titles.view import AnyView, Hint, Plan, Reviewed

# After this time the page says that the hint takes longer than expected.
LATE = timedelta(seconds=8)
A_SECOND = timedelta(seconds=1)


def view_game(
    game: Game,
    viewer: Viewer,
    at: int | None = None,
    review_part: str = "",
    *,
    until: int | None = None,
    with_clocks: bool = True,
) -> Any:
    """Return the view of its title in which `viewer` sees a started game, now or after action `at`.

    An `at` beyond the log means now. With `review_part`, the view has the judgement of the action, if there
    is one. With `until`, the game is as it was after so many actions. Without `with_clocks`, the view does
    not say what clocks showed at earlier actions. Runs two queries in addition to those of the log, three
    more in a game with a clock, one after a rated game, and after one with hands, and one for each of the
    facts that are true. Raises UnknownRules as `public_log` does.
    """
    facts = facts_of(game, viewer.pk)
    changes = _seat_changes(game) if "seat_changes" in facts else ()
    people = tuple(
        replace(person, earlier=describe_former_players(person.seat, changes))
        for person in people_at(game, viewer)
    )
    title = title_named(game.title)
    is_open = title.rules.has_hands and game.is_over and revealed_deal(game) is not None
    log = public_log(game, seat=next((person.seat for person in people if person.is_you), None))
    log = replace(log, steps=log.steps[:until])
    at = at if at is not None and at < len(log.steps) else None
    reviewed = _reviewed(game, at, review_part) if review_part and game.is_over else None
    if reviewed and at is None:
        at = len(log.steps)
    clocks = past_clocks(game, log) if with_clocks else None
    if clocks and (at is not None or game.is_over):
        shown = len(log.steps) if at is None else at
        people = tuple(with_clock_after(one, shown, clocks, is_over=at is None) for one in people)
    view = title.pages.view_class(
        log.start,
        log.steps,
        people,
        at,
        game.moved_at,
        reviewed=reviewed,
        seat_changes=changes,
        outages=outages_of(game, viewer),
        allows_hints=not game.changes_ratings and not game.duplicate,
        allows_plans=has_talent(game.title, Talent.PLANS),
        plays_forced=title.rules.plays_forced and getattr(viewer, "plays_forced", False),
        opened=open_positions(game) if is_open else (),
        clocks=clocks,
    )
    if view.is_past:
        return view
    return replace(
        view,
        hint=_hint(game, view) if "hint" in facts else None,
        plan=_plan(game, view, viewer) if "plans" in facts else None,
        action_to_take_back=_action_to_take_back(game, log, view),
    )


def _action_to_take_back(game: Game, log: Log, view: AnyView) -> int | None:
    """Return the number of the action that the viewer can take back; None if there is none."""
    if view.viewer is None or view.is_viewer_away or not game.is_running:
        return None
    return action_to_take_back(game, log, view.viewer) if allows_take_backs(game, seats_of(game)) else None


def _seat_changes(game: Game) -> tuple[SeatChange, ...]:
    rows = models.SeatChange.objects.filter(game=game)
    columns = ("seat", "number", "bot", "reason", "user__username", "former__username")
    return tuple(
        SeatChange(seat, number, bot, reason, _name(player), _name(former))
        for seat, number, bot, reason, player, former in rows.values_list(*columns)
    )


def _name(username: str | None) -> str:
    """Return the name of a player, who may have no account any more."""
    return marked.name(username) if username else _("a former player")


def people_at(game: Game, viewer: Viewer) -> list[Person]:
    """Return the players of a game by seat, as `viewer` sees them."""
    seats = seats_of(game)
    habits = habits_by_seat({game: seats}, viewer, facts_of(game, viewer.pk))
    changes = _rating_changes(game)
    now = timezone.now()
    return [
        Person(
            seat.number,
            seat.name,
            seat.bot,
            is_you=seat.is_of(viewer),
            is_guest=seat.is_of_guest,
            has_profile=seat.user_id is not None,
            caretaker=seat.caretaker if game.is_running else "",
            finished_by=seat.caretaker if game.is_over and not seat.has_left else "",
            **habits.get(seat.pk, NO_HABITS)._asdict(),
            planned_number=seat.planned_number if seat.is_of(viewer) else None,
            unplanned_number=seat.unplanned_number if seat.is_of(viewer) else None,
            rating_change=changes.get(seat.user_id, ""),
            **_clock(game, seat, now),
            is_here=game.is_running and not seat.is_of(viewer) and seat.is_here(now),
        )
        for seat in seats
    ]


def _time_left(game: Game, seat: Seat, now: datetime) -> timedelta | None:
    """Return how much time a seat has; None for bots, for players who have left, and without a clock."""
    if not game.is_running or seat.bank is None or seat.user_id is None or seat.has_left:
        return None
    starts_at, ends_at = seat.clock_started_at, seat.time_is_up_at
    if starts_at is None or ends_at is None:
        return seat.bank
    return max(ends_at - max(now, starts_at), timedelta(0))


def _clock(game: Game, seat: Seat, now: datetime) -> dict[str, Any]:
    """Return the clock of a seat where people play live, and elsewhere its time in words."""
    left = _time_left(game, seat, now)
    if left is None:
        return {}
    if game.is_live:
        starts_at = seat.clock_started_at if seat.clock_started_at and seat.clock_started_at > now else None
        return {"clock": SeatClock(timedelta(seconds=left // A_SECOND), seat.time_is_up_at, starts_at)}
    return {} if seat.caretaker else {"time_left": describe_time_left(left)}


def _rating_changes(game: Game) -> dict[int | None, str]:
    """Return in words how a rated game that is over has changed the ratings of people, by their id.

    Nobody's have changed in other games.
    """
    if not (game.changes_ratings and game.is_over):
        return {}
    changes = game.rating_changes.exclude(user=None)
    return {change.user_id: describe_change(change.before, change.after) for change in changes}


def wants_tips(viewer: Viewer, game: Game) -> bool:
    """Return whether this is the viewer's first game of its kind, and they have not hidden the tips."""
    if not (viewer.is_authenticated and viewer.tips):
        return False
    earlier = Seat.objects.filter(user=viewer.pk, game__started_at__lt=game.started_at)
    return not earlier.filter(game__title=game.title, game__mode=game.mode).exists()


def awaited_hint(game: Game, viewer: Viewer) -> models.Hint | None:
    """Return the viewer's hint for this turn while it has no action yet; None in every other case."""
    asked = models.Hint.objects.filter(game=game, number=game.version + 1, payload__isnull=True)
    return asked.filter(game__seats__user=viewer.pk, game__seats__number=F("seat")).first()


def is_late(asked_at: datetime) -> bool:
    """Whether a hint that has not arrived yet takes longer than expected."""
    return timezone.now() - asked_at > LATE


def _hint(game: Game, view: AnyView) -> Hint | None:
    """Return the viewer's hint for the next action; only the player who asked for it may see it."""
    if game.is_without_hints or view.viewer is None:
        return None
    stored = models.Hint.objects.filter(game=game, number=view.version + 1, seat=view.viewer).first()
    if stored is None:
        return None
    if stored.payload is None:
        return Hint(is_late=is_late(stored.asked_at))
    return Hint(title_named(game.title).rules.action_from_json(stored.payload), stored.value)


def _reviewed(game: Game, at: int | None, part: str) -> Reviewed | None:
    """Return the judgement of action `at`, of the last one for None; None before an action is judged."""
    stored = models.Review.objects.filter(game=game).first()
    if stored is None or not stored.turns or not has_talent(game.title, Talent.REVIEWS):
        return None
    turns, number = stored.turns, game.version if at is None else at
    if not 0 < number <= len(turns) or turns[number - 1]["best"] is None:
        return Reviewed(Judgement(), part, turns)
    turn, action_from_json = turns[number - 1], title_named(game.title).rules.action_from_json
    line = tuple(map(action_from_json, turn.get("line") or ()))  # judgements of earlier versions have none
    return Reviewed(Judgement(action_from_json(turn["best"]), turn["value"], turn["lost"], line), part, turns)


def _plan(game: Game, view: AnyView, viewer: Viewer) -> Plan | None:
    """Return the viewer's own plan; nobody else may see it."""
    if view.viewer is None or view.is_solo or not game.is_running:
        return None
    stored = game.plans.filter(user=viewer.pk).first()
    if stored is None:
        return None
    return Plan(
        tuple(stored.actions), stored.holds_in(view.newest), stored.outlasts_reveals, models.MOST_WISHES
    )

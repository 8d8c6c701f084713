"""The trainer of a player: the turns of today, and how many there are."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from django.db.models import Count, Min, Q
from django.http import Http404
from django.shortcuts import get_object_or_404

from accounts.models import User, Viewer
from games.models import MOST_A_DAY, Action, Review, TrainingPosition, costly_actions, today
from games.queries.viewing import view_game
from games.titles.registry import has_talent, title_named
from games.titles.talents import Talent
from games.titles.view import AnyView


class Turn(NamedTuple):
    """A turn that the player can train now."""

    pk: int
    number: int
    names: Sequence[str]  # of the others in the game; none in solo games
    loss: str  # in words
    is_new: bool


class Trainer(NamedTuple):
    """What a player trains: the turns of today, and the number of the others."""

    turns: Sequence[Turn]
    answered_today: int
    in_training: int
    unjudged: int
    learned: int
    next_on: date | None  # the day of the next turn after today


def trainer(user: User) -> Trainer:
    """Return the trainer of a player. Runs four queries at most."""
    own = TrainingPosition.objects.trainable().filter(user=user)
    counts = own.aggregate(
        answered=Count("pk", filter=Q(answered_on=today())),
        unjudged=Count("pk", filter=Q(judgement__isnull=True)),
        in_training=Count("pk", filter=Q(due_on__isnull=False)),
        learned=Count("pk", filter=Q(due_on=None)),
        next_on=Min("due_on", filter=Q(due_on__gt=today())),
    )
    due = own.due().select_related("game").prefetch_related("game__seats__user")
    turns = [_turn(stored, user) for stored in due[: max(0, MOST_A_DAY - counts["answered"])]]
    return Trainer(
        turns,
        counts["answered"],
        counts["in_training"],
        counts["unjudged"],
        counts["learned"],
        counts["next_on"],
    )


def count_due(viewer: Viewer) -> int:
    """Return how many turns the viewer can still train today, with one query."""
    if not viewer.is_authenticated:
        return 0
    counts = (
        TrainingPosition.objects.trainable()
        .filter(user=viewer.pk)
        .aggregate(
            due=Count("pk", filter=Q(due_on__lte=today(), judgement__isnull=False)),
            answered=Count("pk", filter=Q(answered_on=today())),
        )
    )
    return max(0, min(counts["due"], MOST_A_DAY - counts["answered"]))


def can_train(review: Review, viewer: Viewer) -> bool:
    """Return whether the viewer made an action in a reviewed game that is worth training."""
    trains = review.finished_at and viewer.is_authenticated and has_talent(review.game.title, Talent.TRAINER)
    costly = costly_actions(review) if trains else {}
    if not costly:
        return False
    return Action.objects.filter(game=review.game_id, number__in=costly, made_by=viewer.pk).exists()


def access_training(user: User, pk: int) -> TrainingPosition:
    """Return a position of the user's own trainer. Raises Http404 for those of others."""
    own = TrainingPosition.objects.filter(user=user).select_related("game__deal")
    stored = get_object_or_404(own, pk=pk)
    if not has_talent(stored.game.title, Talent.TRAINER):
        raise Http404
    return stored


def view_of(stored: TrainingPosition) -> AnyView:
    """Return the whole game of a position, as its player sees it."""
    return view_game(stored.game, stored.user, with_clocks=False)


def view_before(stored: TrainingPosition) -> AnyView:
    """Return the game as its player saw it before they acted, with nothing of what came after."""
    view = view_of(stored).as_played(stored.number)
    people = [
        replace(person, caretaker="", pauses="", reliability=None, rating=None, rating_change="")
        for person in view.people
    ]
    return replace(
        view,
        steps=view.steps[: stored.number - 1],
        people=tuple(
            replace(person, planned_number=None, unplanned_number=None, earlier="") for person in people
        ),
        seat_changes=tuple(change for change in view.seat_changes if change.number < stored.number),
        at=None,
        moved_at=None,
        hint=None,
        plan=None,
        allows_hints=False,
    )


def _turn(stored: TrainingPosition, user: User) -> Turn:
    seats = sorted(stored.game.seats.all(), key=lambda seat: seat.number)
    return Turn(
        stored.pk,
        stored.number,
        [seat.name for seat in seats if not seat.is_of(user)],
        title_named(stored.game.title).trainer_pages.describe_loss(stored.lost, stored.game.seat_count),
        is_new=stored.answered_on is None and stored.distance == 0,
    )

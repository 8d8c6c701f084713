"""The games that somebody played as a guest, and that they move to their account after they logged in."""

from collections.abc import Iterator

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from games.log.replay import secret_log
from games.models import (
    Action,
    Attendance,
    Block,
    Game,
    GameQuerySet,
    Measure,
    Mute,
    Plan,
    PrivateNote,
    Report,
    Seat,
    SeatChange,
    SeatOffer,
    SoloResult,
    TrainingPosition,
    TryLine,
    Vote,
    apart_from,
)
from games.services import notifications
from games.services.play import lock_game
from games.services.private import blocks
from games.services.projections.attendances import rebuild_attendances
from games.services.projections.games import rebuild
from games.services.projections.standings import rebuild_standings
from games.services.tables import count_change, lock_person
from games.services.talk.moderation import effects

# What belongs to the player of a seat, and by which field. The actions stay as they are, except for who made
# them: a repeated request of theirs must still be recognised.
OWN = (
    (Seat, "user"),
    (Action, "made_by"),
    (SeatChange, "user"),
    (SeatOffer, "offered_by"),
    (Vote, "started_by"),
    (Plan, "user"),
    (PrivateNote, "user"),
    (TryLine, "user"),
    (TrainingPosition, "user"),
    (SoloResult, "user"),
    (Attendance, "user"),
)


def movable_games(guest: User, user: User) -> GameQuerySet:
    """Return the games of a guest that can become those of an account.

    Left out are games in which the account has or had a seat, or is kept one, because one person has one
    seat, and games that go on with somebody from whom the account keeps apart, or where it may not play.
    Daily deals and duplicate matches count once for each person, so they stay with the guest. Nobody who is
    suspended plays on anywhere.
    """
    if guest.is_suspended or user.is_suspended:
        return Game.objects.none()
    theirs = Seat.objects.filter(game=OuterRef("pk")).filter(Q(user=user) | Q(invited=user))
    had = SeatChange.objects.filter(game=OuterRef("pk"), former__in=[guest, user])
    games = Game.objects.with_seat_of(guest).filter(daily=None, deal__duplicate=None)
    apart = apart_from(user.pk)
    others = Seat.objects.filter(game=OuterRef("pk")).filter(Q(user__in=apart) | Q(invited__in=apart))
    refused = Q(Exists(others)) | Q(opened_by__in=apart)
    if not user.plays_in_public:
        refused |= Q(is_public=True, mode=Game.Mode.MULTIPLAYER)
    if user.removal_due_at is not None:
        refused |= Q(pk__isnull=False)
    return games.exclude(Exists(theirs)).exclude(Exists(had)).exclude(~Q(status=Game.Status.OVER) & refused)


def move_games(guest: User, user: User) -> int:
    """Give the seats of a guest to an account, with all that belongs to them; return how many there were.

    Each game is moved by itself, so a repeated call moves the rest.
    """
    if not guest.is_guest or user.is_guest or not user.is_active:
        return 0
    moved = sum(
        _move(pk, guest, user) for pk in list(movable_games(guest, user).values_list("pk", flat=True))
    )
    if moved:
        _move_decisions(guest, user)
        _keep_from_the_same_people(guest, user)
    for player in (guest, user):
        rebuild_standings(player)
    return moved


@transaction.atomic
def _move_decisions(guest: User, user: User) -> None:
    """Let what moderators have decided about a guest hold for the account, and what waits be about it.

    The name of the guest is not the account's, so reports and decisions about it stay.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    measures = Measure.objects.filter(user=guest).exclude(kind=Measure.Kind.RENAME)
    if measures.update(user=user):
        effects.store_ends(user)
        User.objects.filter(pk=user.pk).update(has_unread_decision=True)
    about_play = Report.objects.filter(subject=guest).exclude(about=Report.About.NAME)
    about_play.exclude(reporter=user).update(subject=user)


def _keep_from_the_same_people(guest: User, user: User) -> None:
    """Let blocks and mutes by a guest and of them hold for the account too.

    They come after the games, because a running game with a blocked person goes on. They also stay with the
    guest, who may play on in another browser.
    """
    for one, other in _pairs(Block.objects.all(), "blocked", guest, user):
        blocks.keep_apart(one, other)
    for one, other in _pairs(Mute.objects.all(), "muted", guest, user):
        Mute.objects.get_or_create(user=one, muted=other)


def _pairs(
    rows: QuerySet[Block] | QuerySet[Mute], other: str, guest: User, user: User
) -> Iterator[tuple[User, User]]:
    """Yield the two people of each row by or about a guest, with the account in the guest's place."""
    for row in rows.filter(Q(user=guest) | Q(**{other: guest})).select_related("user", other):
        one, two = (user if person == guest else person for person in (row.user, getattr(row, other)))
        if one != two:
            yield one, two


@transaction.atomic
def _move(pk: int, guest: User, user: User) -> bool:
    """Move one game, unless it or the account has changed meanwhile so that it can't be moved."""
    user = lock_person(user)
    game = lock_game(pk=pk)
    if not movable_games(guest, user).filter(pk=pk).exists():
        return False
    for model, field in OWN:
        model._default_manager.filter(game=game, **{field: guest}).update(**{field: user})
    if game.opened_by_id == guest.pk:
        Game.objects.filter(pk=pk).update(opened_by=user)
        game.opened_by = user
    if not game.is_over:
        if game.is_running:
            # The account may have sleeping hours or vacations, which move the deadlines.
            rebuild(game)
            notifications.replace_reminder(game)
        count_change(game, guest.pk)
    elif Attendance.objects.filter(game__in=Game.objects.under_known_rules(), game=game, user=user).exists():
        # The account may have sleeping hours, in which the time of an answer does not count.
        rebuild_attendances(game, secret_log(game), check_only=False)
    return True

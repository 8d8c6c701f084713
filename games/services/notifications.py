"""Notifications that players are owed. They are stored here, and `games.notifications` sends them."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Q
from django.utils import timezone

from accounts.clock import next_at
from accounts.models import User
from games.models import (
    FACTS,
    Channel,
    ChatLine,
    Game,
    Kind,
    Mute,
    Notification,
    NotificationChoice,
    Nudge,
    Seat,
    SeatOffer,
    SeatQuerySet,
    Vote,
    apart_from,
    channels_of,
    facts_of,
    voters,
    wanted_channels,
)
from games.services import after_commit, uptime

# A player who looks at the game within this time gets no email about its chat.
CHAT_PAUSE = timedelta(minutes=10)

# Bots answer within seconds, so the turn begins while the player looks, and nobody else waits for them. They
# get an email when they seem to have forgotten the game, not when they open another page.
BOTS_PAUSE = timedelta(minutes=30)

# A later message about the same turn replaces what these channels show.
REPLACED_ON = (Channel.PUSH, Channel.WEBHOOK)

# Shorter than the increment, so that no turn begins with a reminder. Players of live games are here.
REMINDED_BEFORE = {Game.Pace.DAY: timedelta(hours=6), Game.Pace.SLOW: timedelta(hours=24)}


def choose_channels(user: User, chosen: Mapping[str, set[str]]) -> None:
    """Store on which channels `user` wants each of these kinds, among the channels that they have."""
    existing, wanted = channels_of(user), wanted_channels(user)
    # What stays as it is gets no row, so that it follows the defaults of the site and of new channels.
    rows = [
        NotificationChoice(user=user, kind=kind, channel=channel, is_wanted=channel in channels)
        for kind, channels in chosen.items()
        for channel in existing
        if (channel in channels) != (channel in wanted[kind])
    ]
    NotificationChoice.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["user", "kind", "channel"],
        update_fields=["is_wanted"],
    )


def stop(user: User, kind: str, channel: str) -> None:
    """Store that `user` does not want this kind, or any kind if it is empty, on this channel."""
    wanted = wanted_channels(user)
    choose_channels(user, {one: wanted[one] - {channel} for one in ([kind] if kind else Kind.values)})


def owe_turn(game: Game, user: User, *, waits: bool = True) -> None:
    """Store, in the caller's transaction, notifications for `user` about the turn that begins now.

    Without `waits`, an email is sent now: it answers one of `user`.
    """
    _owe(game, user, Kind.TURN, game.version, waits=waits, facts=facts_of(game))


def withdraw_turn(game: Game, user_id: int | None) -> None:
    """Queue, after the commit, the withdrawal of messages about the turn of a player, which is over.

    Push messages disappear, and posts that can be edited are corrected.
    """
    if "messages" not in facts_of(game):
        return
    turns = Notification.objects.filter(game=game, user=user_id, kind=Kind.TURN)
    for channel in (Channel.PUSH, Channel.WEBHOOK):
        newest = turns.filter(channel=channel).order_by("version", "repeat").last()
        if newest is not None and newest.sent_at is not None:
            after_commit.queue_withdrawal(newest)


def owe_start(game: Game) -> None:
    """Store, in the caller's transaction, notifications about the start of a game.

    Players who are to move get one about the turn instead, on the channels on which they want it.
    """
    for seat in game.seats.select_related("user"):
        if seat.user is not None:
            except_on = _channels_of_turns(seat.user) if seat.is_awaited else ()
            _owe(game, seat.user, Kind.STARTED, game.version, except_on=except_on)


def owe_turn_again(game: Game, user: User) -> None:
    """Store notifications as `owe_turn` does, even if `user` has been owed some about the same turn before.

    A player can hand their seat over and get it back within one turn.
    """
    _owe_again(game, user, Kind.TURN, game.version)


def owe_leave(game: Game, number: int, begun: Collection[int]) -> None:
    """Store, in the caller's transaction, notifications about the resignation with this number in the log.

    Everybody who plays on gets one. The players of the seats in `begun`, whose turn begins, get one about the
    turn instead, on the channels on which they want it.
    """
    for seat in game.seats.filter(has_left=False).select_related("user"):
        if seat.user is not None:
            is_turn = seat.number in begun and not seat.caretaker
            except_on = _channels_of_turns(seat.user) if is_turn else ()
            _owe(game, seat.user, Kind.LEFT, number, except_on=except_on)


def owe_out(game: Game, seat: Seat, number: int) -> None:
    """Store, in the caller's transaction, notifications for the player who is out, without their choice.

    `number` is that of their resignation in the log. If it has ended the game, they learn the result.
    """
    if seat.user is not None:
        kind, version = (Kind.OVER, game.version) if game.is_over else (Kind.LEFT, number)
        _owe(game, seat.user, kind, version)


def owe_end(game: Game) -> None:
    """Store, in the caller's transaction, notifications about the end of a game for all who have not left."""
    for seat in game.seats.filter(has_left=False).select_related("user"):
        if seat.user is not None:
            _owe(game, seat.user, Kind.OVER, game.version)


def owe_end_to_followers(game: Game) -> None:
    """Store, in the caller's transaction, notifications about the end of a game for those who follow it.

    Nobody gets one who has not chosen it, so an end costs one query more while nobody has.
    """
    chosen = {"notification_choices__kind": Kind.FOLLOWED, "notification_choices__is_wanted": True}
    for user in User.objects.filter(followed_games__game=game, **chosen).distinct():
        _owe(game, user, Kind.FOLLOWED, game.version)


def owe_match_end(game: Game) -> None:
    """Store, in the caller's transaction, notifications about the end of a duplicate match.

    `game` is the last that people have finished. Everybody at another table who has not left gets one; the
    players of `game` learn of it with their own result.
    """
    others = Seat.objects.filter(game__deal=game.deal_id, has_left=False).exclude(game=game)
    for seat in others.select_related("user", "game"):
        if seat.user is not None:
            _owe(seat.game, seat.user, Kind.MATCH, seat.game.version)


def owe_invitations(game: Game) -> None:
    """Store, in the caller's transaction, a notification for each person for whom a seat is kept."""
    for user in User.objects.filter(invitations__in=game.seats.free()):
        _owe(game, user, Kind.INVITATION, 0)


def owe_invitation(game: Game, user: User) -> None:
    """Store, in the caller's transaction, a notification for the person for whom a seat is kept now."""
    # The number of changes differs each time that a person is invited to the same table.
    _owe(game, user, Kind.INVITATION, game.changes)


def due_reminders() -> list[int]:
    """Return the ids of the games in which a player is to be reminded now, at most 1000."""
    games = _seats_to_remind().order_by("deadline").values_list("game", flat=True)
    return list(dict.fromkeys(games[:1000]))


def _seats_to_remind() -> SeatQuerySet:
    """Return the seats whose player is to be reminded now that their time runs out soon."""
    if not uptime.is_up():
        return Seat.objects.none()  # Their deadlines may move.
    now = timezone.now()
    soon = Q()
    for pace, before in REMINDED_BEFORE.items():
        # The deadline of the game is the earliest. It has an index.
        until = {"game__deadline__lte": now + before, "deadline__lte": now + before}
        soon |= Q(game__pace=pace, deadline__gt=now, **until)
    seats = Seat.objects.filter(soon, clock_started_at__isnull=False)
    reminded = Q(reminded_of=F("deadline")) | Q(reminded_of=None, game__reminded_of=F("deadline"))
    return seats.filter(game__in=Game.objects.running().under_known_rules()).exclude(reminded)


def remind(game_id: int) -> None:
    """Store reminders of the deadlines in a game, one for each deadline; do nothing if none is due."""
    with transaction.atomic():
        game = Game.objects.select_for_update().filter(pk=game_id).first()
        if game is None:
            return
        for seat in _seats_to_remind().filter(game=game).select_related("user"):
            seat.reminded_of = game.reminded_of = seat.deadline
            seat.save(update_fields=["reminded_of"])
            game.save(update_fields=["reminded_of"])
            if seat.user is not None:
                earlier = Notification.objects.filter(game=game, user=seat.user, kind=Kind.REMINDER)
                # Not the number of actions: a deadline can move without one.
                newest = earlier.aggregate(Max("version"))["version__max"] or 0
                _owe(game, seat.user, Kind.REMINDER, newest + 1)


def replace_reminder(game: Game) -> None:
    """Store, in the caller's transaction, what replaces reminders whose deadline has moved.

    It is a notification about the turn, which names no time, on the channels where it takes the reminder's
    place. The moved deadline gets a reminder of its own.
    """
    for seat in game.seats.filter(clock_started_at__isnull=False).select_related("user"):
        if seat.user is None or seat.deadline_reminded_of in (None, seat.time_is_up_at):
            continue
        reminders = Notification.objects.filter(
            game=game, user=seat.user, kind=Kind.REMINDER, created_at__gte=seat.clock_started_at
        )
        shown_on = {*reminders.exclude(sent_at=None).values_list("channel", flat=True)} & {*REPLACED_ON}
        if shown_on:
            _owe_again(game, seat.user, Kind.TURN, game.version, except_on={*Channel.values} - shown_on)


def owe_caretaker(game: Game, seat: Seat) -> None:
    """Store, in the caller's transaction, notifications for the player whose seat a bot plays from now on."""
    if seat.user is not None:
        _owe(game, seat.user, Kind.CARETAKER, game.live_version)


def owe_nudge(nudge: Nudge) -> None:
    """Store, in the caller's transaction, notifications for the player whom a nudge asks to move."""
    # A player may be nudged several times in one turn, so the version is no number of actions.
    _owe(nudge.game, nudge.user, Kind.NUDGE, nudge.pk)


def owe_vote(vote: Vote) -> None:
    """Store, in the caller's transaction, notifications for all players but those who have agreed.

    So the absent player gets one too.
    """
    for seat in voters(vote.game).exclude(number__in=vote.agreed).select_related("user"):
        if seat.user is not None:
            _owe(vote.game, seat.user, Kind.VOTE, vote.pk)


def owe_seat_offer(offer: SeatOffer) -> None:
    """Store, in the caller's transaction, notifications for the others about an offer of a seat.

    They are owed some when it is offered and when somebody takes it. Those that have not been sent by then
    are replaced.
    """
    for seat in offer.objectors.select_related("user"):
        if seat.user is not None:
            _owe_again(offer.game, seat.user, Kind.SEAT, offer.pk)


def owe_new_seat(offer: SeatOffer) -> None:
    """Store, in the caller's transaction, notifications for the person who has got an offered seat.

    They may have been owed some about the same offer before, while they played on another seat.
    """
    if offer.taker is not None:
        _owe_again(offer.game, offer.taker, Kind.SEAT, offer.pk)


def drop_all(game: Game, user: User) -> None:
    """Drop the notifications about a game that are owed to a person who has handed their seat over."""
    owed = Notification.objects.pending().filter(game=game, user=user)
    owed.update(dropped_at=timezone.now(), why_dropped="handed over")


def owe_chat(line: ChatLine) -> None:
    """Store, in the caller's transaction, notifications for the other players about a new chat line.

    A player who is owed one on a channel gets no second one there, until a worker has claimed the first: its
    message may have been written. So each line is in one message.
    """
    game, has_muted = line.written_in, Mute.objects.filter(muted=line.author).values("user")
    seats = game.seats.exclude(user=line.author).exclude(user__in=has_muted)
    seats = seats.exclude(user__in=apart_from(line.author_id))
    for seat in seats.filter(user__isnull=False).select_related("user"):
        if seat.user is not None:
            owed = Notification.objects.filter(game=game, user=seat.user, kind=Kind.CHAT)
            # Locked, so that no worker claims them before the line can be read.
            open_ones = owed.pending().newest().filter(claimed_at=None).select_for_update()
            except_on = set(open_ones.values_list("channel", flat=True))
            _owe(game, seat.user, Kind.CHAT, line.pk, except_on=except_on)


def owe_table_warning(game: Game) -> None:
    """Store, in the caller's transaction, a warning for the owner of a table that is closed soon."""
    assert game.opened_by is not None, "a table without an owner"
    # The version is not the number of actions, which is 0 at every table: after somebody has joined, another
    # warning may be needed.
    _owe_again(game, game.opened_by, Kind.TABLE, game.changes)


def silence(game: Game, user: User, *, is_silent: bool) -> None:
    """Store whether `user` gets notifications about this game."""
    Seat.objects.filter(game=game, user=user).update(is_silent=is_silent)


def _owe(
    game: Game,
    user: User,
    kind: str,
    version: int,
    *,
    waits: bool = True,
    except_on: Collection[str] = (),
    repeat: int = 0,
    facts: Collection[str] = FACTS,
) -> None:
    """Store a notification for each channel on which `user` wants this kind, except for some channels.

    Guests have no channel. If others want none, one is stored too. Its delivery drops it, and their list
    says why nothing was sent. `facts` are those of the game, if `user` has a seat in it.
    """
    if user.is_guest:
        return
    now = timezone.now()
    channels = sorted(wanted_channels(user, facts)[kind]) or [Channel.MAIL]
    for channel in (one for one in channels if one not in except_on):
        is_delayed = waits or channel == Channel.DIGEST
        notification = Notification.objects.create(
            game=game,
            user=user,
            kind=kind,
            channel=channel,
            version=version,
            repeat=repeat,
            due_at=_due_at(game, user, kind, channel, now, facts) if is_delayed else now,
        )
        after_commit.queue_delivery(notification)


def _owe_again(game: Game, user: User, kind: str, version: int, *, except_on: Collection[str] = ()) -> None:
    """Store a notification as `_owe` does, in place of an earlier one about the same that is pending."""
    earlier = Notification.objects.filter(game=game, user=user, kind=kind, version=version)
    earlier.pending().exclude(channel__in=except_on).delete()
    newest = earlier.aggregate(Max("repeat"))["repeat__max"]
    repeat = 0 if newest is None else newest + 1
    _owe(game, user, kind, version, repeat=repeat, except_on=except_on)


def _channels_of_turns(user: User) -> set[str]:
    """Return the channels on which `user` gets a notification about a turn that begins now."""
    return wanted_channels(user)[Kind.TURN]


def _due_at(
    game: Game, user: User, kind: str, channel: str, now: datetime, facts: Collection[str]
) -> datetime:
    """Return when to send a notification."""
    if channel == Channel.DIGEST:
        return next_at(user.digest_hour, user.time_zone, now)
    if kind == Kind.CHAT:
        return now + CHAT_PAUSE
    if kind != Kind.TURN or channel != Channel.MAIL:
        return now
    # Turns that begin within this time of each other share one email.
    wait = timedelta(seconds=settings.TURN_MAILS_WAIT)
    if wait and "bots" in facts and _plays_bots_alone(game, user):
        wait = max(wait, BOTS_PAUSE)
    shared = Notification.objects.pending().filter(
        user=user, kind=kind, channel=channel, attempts=0, due_at__range=(now, now + wait)
    )
    due_ats = shared.order_by("due_at").values_list("due_at", flat=True) if "mails" in facts else ()
    return next(iter(due_ats[:1]), now + wait)


def _plays_bots_alone(game: Game, user: User) -> bool:
    """Return whether only bots play with `user`, and no clock would run out before an email."""
    people = game.seats.played_by_people().filter(has_left=False).exclude(user=user)
    return not game.is_live and not people.exists()

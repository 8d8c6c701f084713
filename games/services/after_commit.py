"""Work that waits for a commit: updates of open pages, and queued tasks.

No function here fails the request, because the work of the request is stored already. `games.sweep` finds
lost tasks.
"""

from collections.abc import Collection, Iterable

from django.db import transaction

from accounts.queueing import queue, try_redis
from games import live, topics
from games.models import Channel, DuplicateMatch, Game, Hint, Notification, Seat, Webhook

BOT_TURN = "games.bots.take_turn"
QUICK_TURN = "games.bots.take_quick_turn"
BOT_ACTION = "games.bots.play_chosen"
TIME_OUT = "games.time_out"
END_CALL = "games.end_silent_call"
FINISH_HAND_OVER = "games.finish_hand_over"
REMIND = "games.remind"
DELIVER = "games.deliver"
DELIVER_OUTSIDE = "games.deliver_outside"
HINT = "games.bots.hint"
JUDGE = "games.bots.judge"
TRAIN = "games.bots.train"
TEST_WEBHOOK = "games.test_webhook"
WITHDRAW = "games.withdraw"

# Their messages go to servers that users have chosen, which may be slow. So they have a queue of their own.
OUTSIDE = (Channel.PUSH, Channel.WEBHOOK)


def update_open_pages(
    game: Game, *more_users: int, seats: Iterable[Seat] | None = None, answered: int | None = None
) -> None:
    """After the commit, send the open pages of a game its new version, and update the lists that show it.

    The lists of its players change, those of people for whom a seat is kept, and those of `more_users`, who
    have no seat in it any more or not yet. The caller may know the `seats`, of which nobody has one or is
    invited to one since then, and the user `answered`, who gets the board as the answer to their request.
    """
    key = game.key
    people = {
        user for seat in seats or Seat.objects.filter(game=game) for user in (seat.user_id, seat.invited_id)
    }
    changed = {topics.of_person(user) for user in people.union(more_users) if user is not None}
    if game.is_public and not game.is_solo and game.version == 0:
        changed.add(topics.TABLES)  # It is an open table, or has just been one.

    def publish() -> None:
        # A table that was closed has no primary key any more.
        live.publish(key, None if game.pk is None else game.live_version, changed, answered)

    transaction.on_commit(lambda: try_redis(publish, f"Updates of game {key}"), robust=True)


def update_pages_of(user_id: int) -> None:
    """After the commit, update the open pages of a person; those whose log-in has ended close."""
    _update_followers_of(topics.of_person(user_id))


def update_pages_of_chat(game: Game) -> None:
    """After the commit, update the pages of the players and spectators of a game, because one has written.

    `newest_lines` says who of them gets the new line.
    """
    players = Seat.objects.filter(game=game, user__isnull=False).values_list("user", flat=True)
    _update_followers_of(topics.of_spectators(game.key), *map(topics.of_person, players))


def update_home_pages_of_searches() -> None:
    """After the commit, update all open home pages, because they list who looks for somebody to play with."""
    _update_followers_of(topics.TABLES)


def _update_followers_of(*changed: str) -> None:
    transaction.on_commit(
        lambda: try_redis(lambda: live.publish_topics(changed), f"Updates of {changed[0]}"), robust=True
    )


def update_home_pages(game: Game) -> None:
    """After the commit, update all open home pages, because a seat of this game is listed there or was."""
    key, version = game.key, game.live_version

    def publish() -> None:
        live.publish(key, version, {topics.TABLES})

    transaction.on_commit(lambda: try_redis(publish, f"Updates of game {key}"), robust=True)


def update_page_of_match(match: DuplicateMatch, changed: Collection[str] = ()) -> None:
    """After the commit, send the open pages of a duplicate match its new version, and update these topics."""
    key = match.key

    def publish() -> None:
        # A match that was closed has no primary key any more.
        live.publish(key, None if match.pk is None else match.changes, changed)

    transaction.on_commit(lambda: try_redis(publish, f"Updates of match {key}"), robust=True)


def update_lists_of_matches(match: DuplicateMatch) -> None:
    """After the commit, update its page and all open home pages, where it is listed or was."""
    update_page_of_match(match, {topics.TABLES})


def queue_hint(hint: Hint) -> None:
    """After the commit, queue the search for a hint."""
    hint_id = hint.pk
    transaction.on_commit(lambda: queue(HINT, hint_id), robust=True)


def queue_delivery(notification: Notification) -> None:
    """After the commit, queue the delivery of a notification."""
    notification_id = notification.pk
    task = DELIVER_OUTSIDE if notification.channel in OUTSIDE else DELIVER
    transaction.on_commit(lambda: queue(task, notification_id), robust=True)


def queue_withdrawal(notification: Notification) -> None:
    """After the commit, queue the withdrawal of a message. If it is lost, the next one is right."""
    notification_id = notification.pk
    transaction.on_commit(lambda: queue(WITHDRAW, notification_id), robust=True)


def queue_webhook_test(webhook: Webhook) -> None:
    """After the commit, queue the test of a webhook."""
    webhook_id = webhook.pk
    transaction.on_commit(lambda: queue(TEST_WEBHOOK, webhook_id), robust=True)

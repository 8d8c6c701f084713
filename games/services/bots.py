"""The turns of bots: thought out outside any transaction, played like anybody's."""

import random
from datetime import timedelta

from django.db.models import Exists, OuterRef
from django.utils import timezone

from games.bots import choose
from games.models import Game, Seat
from games.services.errors import Refused
from games.services.logs import public_log
from games.services.play import play_for_bot

# A turn that a worker holds is not queued a second time before this long.
OVERDUE = timedelta(seconds=5)


def take_turn(game_id: int, number: int) -> None:
    """Play the bot's action that is to be number `number` of the log; do nothing if the log is past it."""
    game = Game.objects.running().filter(pk=game_id, version=number - 1).select_related("deal").first()
    if game is None or game.to_move is None:
        return
    seat = game.seats.get(number=game.to_move)
    if not seat.bot:
        return
    log = public_log(game)
    if len(log.steps) != number - 1:
        return  # another worker was quicker
    action = choose(log.position, seat.number, seat.bot, random.Random())
    try:
        play_for_bot(game_id, action, number)
    except Refused:
        # Somebody resigned while the bot thought: the game has moved on, and its next turn is queued already.
        if Game.objects.filter(pk=game_id, version=number - 1).exists():
            raise


def overdue_turns() -> list[tuple[int, int]]:
    """Return (game, action number) of the bots' turns that nobody has played in due time."""
    bots = Seat.objects.filter(game=OuterRef("pk"), number=OuterRef("to_move")).exclude(bot="")
    overdue = Game.objects.running().filter(Exists(bots), moved_at__lt=timezone.now() - OVERDUE)
    return [
        (game_id, version + 1)
        for game_id, version in overdue.order_by("moved_at").values_list("pk", "version")[:1000]
    ]

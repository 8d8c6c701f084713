"""The expert's games: what the expert reaches on a solo deal that a person has finished.

The expert does not know what is still hidden, as in every game.
"""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.log.deals import deal_of
from games.models import Deal, Game, Seat
from games.services.bot_names import bot_names
from games.services.errors import Conflict
from games.services.play import seat_of
from games.services.tables import open_game
from games.services.tables.options import new_game
from games.titles.registry import title_named
from games.titles.talents import Talent

LEVEL = "expert"


def play_same_deal(key: str, user: User) -> Game:
    """Return the expert's game on the deal of a solo game that `user` has finished; the first call starts it.

    Raises NotSeated and Conflict.
    """
    game = seat_of(user, key).game
    if Talent.EXPERT_GAMES not in title_named(game.title).talents:
        raise Conflict(_("The expert can't play this game solo."))
    if not game.is_solo or game.score is None:
        raise Conflict(_("The expert can play this deal when you have finished a solo game on it."))
    with transaction.atomic():
        # Locked, so that the expert plays the daily deal once, however many people ask at the same time.
        deal = Deal.objects.select_for_update(no_key=True).get(pk=deal_of(game).pk)
        earlier = Game.objects.solo().with_bots().filter(deal=deal).first()
        return earlier or _start(user, deal, game)


def _start(user: User, deal: Deal, finished: Game) -> Game:
    """Start the expert's game on the deal of a finished game; it counts as opened by this user."""
    game = new_game(
        finished.title,
        1,
        finished.all_options,
        is_public=False,
        deal=deal,
        daily=finished.daily,
        is_practice=finished.daily is not None,
    )
    [name] = bot_names(user, [LEVEL])
    return open_game(user, game, [Seat(bot=LEVEL, bot_name=name)])

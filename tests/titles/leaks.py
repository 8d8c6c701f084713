"""What each leaks a secret of a game, to plant into the site."""

from games.log.replay import Log, public_log, secret_log
from games.models import Game
from games.models.games import GameQuerySet
from games.titles import view as views


def plan_of_anybody(game: Game, _view: views.AnyView, _viewer: object) -> views.Plan:
    stored = game.plans.earliest("pk")
    return views.Plan(tuple(stored.actions), holds=True, outlasts_reveals=True, most_wishes=1)


def log_of_first_seat(game: Game, *, seat: int | None) -> Log:
    return public_log(game, seat=0)


def whole_log(game: Game, *, seat: int | None) -> Log:
    return secret_log(game)


def no_games(games: GameQuerySet) -> GameQuerySet:
    return games.none()

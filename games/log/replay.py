"""The log of a game, replayed through the engine."""

from dataclasses import dataclass

from games.engine import Position, Step, rules
from games.log.deals import setup_of
from games.models import Action, Game


@dataclass(frozen=True)
class Log:
    """A game from its start to now: `steps[n - 1]` is action number n."""

    start: Position
    steps: tuple[Step, ...]

    @property
    def position(self) -> Position:
        return self.at(len(self.steps))

    def at(self, number: int) -> Position:
        """Return the position after action `number`; 0 is the start."""
        return self.steps[number - 1].position if number else self.start


def secret_log(game: Game) -> Log:
    """Replay the whole log on the real deck, for services alone: these positions know the draw pile.

    Raises UnknownRules for a log that was written under rules that this program does not have.
    """
    setup, of_game = setup_of(game), rules(game.rules_version)
    payloads = Action.objects.filter(game=game).order_by("number").values_list("payload", flat=True)
    return Log(of_game.start(setup), tuple(of_game.replay(setup, payloads)))


def public_log(game: Game) -> Log:
    """Replay the whole log into positions that hold no undrawn tile, for pages, mails and bots."""
    log = secret_log(game)
    return Log(
        log.start.public(), tuple(step._replace(position=step.position.public()) for step in log.steps)
    )

"""Replays the log of a game through the engine."""

from dataclasses import dataclass

from games.engine import Position, Step, rules
from games.log.deals import setup_of
from games.models import Action, Game


@dataclass(frozen=True)
class Log:
    """A game from its start to now: `steps[n - 1]` is the step of action number n."""

    start: Position
    steps: tuple[Step, ...]

    @property
    def position(self) -> Position:
        return self.at(len(self.steps))

    def at(self, number: int) -> Position:
        """Return the position after action `number`; 0 is the start."""
        return self.steps[number - 1].position if number else self.start


def secret_log(game: Game) -> Log:
    """Replay the whole log with the real deck. Only services may use these positions.

    They contain the draw pile, which is secret. Raises UnknownRules for a log that needs a version
    of the rules that this program does not have.
    """
    setup, game_rules = setup_of(game), rules(game.rules_version)
    payloads = Action.objects.filter(game=game).order_by("number").values_list("payload", flat=True)
    return Log(game_rules.start(setup), tuple(game_rules.replay(setup, payloads)))


def public_log(game: Game) -> Log:
    """Replay the whole log without undrawn tiles in its positions, for pages, mails and bots.

    Raises UnknownRules as `secret_log` does.
    """
    log = secret_log(game)
    return Log(
        log.start.public(), tuple(step._replace(position=step.position.public()) for step in log.steps)
    )

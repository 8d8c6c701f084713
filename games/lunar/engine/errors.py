"""The errors of the engine. `code` is the name of the error in the record format.

The illegal actions are in the order in which they are checked.
"""

from games.titles import records, rules


class BadRecord(records.BadRecord):
    """The data is not a readable record, or no game starts like that."""


class HiddenCards(ValueError):
    """A view does not have the cards that follow an action."""


class BadAction(rules.IllegalAction):
    """The value is not an action, or the game does not have its seat or its cards."""

    code = "bad_action"


class GameIsOver(rules.IllegalAction):
    """The game has ended."""

    code = "game_over"


class WrongSeat(rules.IllegalAction):
    """This seat is not awaited."""

    code = "wrong_seat"


class WrongStage(rules.IllegalAction):
    """The round is in a stage without such actions."""

    code = "wrong_stage"


class TileNotAvailable(rules.IllegalAction):
    """The trump tile is face down already."""

    code = "tile_not_available"


class CardNotAvailable(rules.IllegalAction):
    """The hand or the sky does not have the card, or not as many of them as are passed."""

    code = "card_not_available"


class WrongKind(rules.IllegalAction):
    """The side has played this kind, or no second card would fit this one."""

    code = "wrong_kind"


class MustFollow(rules.IllegalAction):
    """The hand or the sky that the suit comes from has the lead suit."""

    code = "must_follow"

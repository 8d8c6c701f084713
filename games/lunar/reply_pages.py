"""Emails and replies of LUNAR: actions and plans as lines, and some actions as links."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from games.lunar.board.choice import NOTHING, choice_of
from games.lunar.board.sections import rounds_of
from games.lunar.engine import Action, Card, Flip, Kind, Pass, Play, Position, Stage, Step, in_order
from games.lunar.engine.actions import PASSED_OF_EACH
from games.lunar.engine.cards import of_kind
from games.lunar.engine.setup import SIDES
from games.lunar.mails import mail_position
from games.lunar.notation import reading
from games.lunar.notation.plan_lines import plannable, read_plan
from games.lunar.notation.writing import write_action
from games.shown.plain.pages import PlainPages
from games.titles.mails import Offer
from games.titles.plans import PlanReply
from games.titles.rules import AnyPosition
from games.titles.view import GameView

MOST_OFFERS = 6

T = TypeVar("T")
View = GameView[Position, Step]


class ReplyPages(PlainPages):
    """Lines name cards as people do: `pass 2 7 owl wolf*`, `flip bat`, `play 7`, `sky owl`."""

    mail_templates = "lunar/mail"

    def write_action(self, action: Action, _position: AnyPosition) -> str:
        """Return an action as a line."""
        return write_action(action)

    def read_action(self, line: str, position: Any, seat: int) -> Action:
        """Return the action that a line names. Raises CannotPlay."""
        return reading.read_action(line, position, seat)

    def split_reply(self, lines: Sequence[str]) -> Sequence[Sequence[str]]:
        """Return a part for each action that the lines name."""
        return reading.split(lines)

    def find_action(self, lines: Sequence[str], view: View) -> Action:
        """Return the action that one of the lines names. Raises CannotPlay."""
        return reading.find_action(lines, view.position, view.first_seat)

    def read_plan(self, lines: Sequence[str], _seen: AnyPosition, view: View) -> PlanReply:
        """Return what these lines say about a plan. Raises CannotPlay."""
        return read_plan(lines, view.newest, view.first_seat)

    def offers(self, view: View) -> Sequence[Offer]:
        """Return up to six actions, from low to high cards."""
        if view.viewer is None or not view.is_my_turn:
            return []
        actions = _offered(view.newest, view.viewer)
        return [Offer(write_action(one), self.words.describe_action(one, view), "") for one in actions]

    def turn_values(self, view: View) -> Mapping[str, object]:
        """Return the position in words, what the viewer must do, and lines that they could write."""
        values = super().turn_values(view)
        position, seat, bar = view.newest, view.viewer, self.board(view, {}).bar
        if seat is None:
            return values
        is_mine = view.is_my_turn
        return {
            **values,
            "todo": " ".join(f"{text.rstrip('.')}." for text in bar if text) if is_mine else "",
            "has_more_offers": is_mine and len(position.legal(seat)) > MOST_OFFERS,
            "now": mail_position(view),
            "examples": _examples(position, seat) if is_mine else [],
        }

    def end_values(self, view: View) -> Mapping[str, object]:
        """Return what the rounds gave, as a section."""
        return {"sections": rounds_of(view)}

    def move_values(self, view: View, action: Any) -> Mapping[str, object]:
        """Return the board with an action of a link as the choice."""
        choice = NOTHING if action is None else choice_of(action)
        return {"board": self.board(view, choice.fields)}


def _offered(position: Position, seat: int) -> Sequence[Action]:
    if position.stage is Stage.PASSING:
        return _offered_passes(position, seat)
    legal = list(position.legal(seat))
    plays = [action for action in legal if isinstance(action, Play)]
    ranks, suits = ([play for play in plays if play.card.kind is kind] for kind in Kind)
    if len(legal) <= MOST_OFFERS or not (ranks and suits):
        return _spread(legal, MOST_OFFERS)
    half = MOST_OFFERS // 2
    return [*_spread(ranks, half), *_spread(suits, half)]


def _offered_passes(position: Position, seat: int) -> Sequence[Action]:
    """Return the passes of the lowest and of the highest ranks, with suits that are rare in the hand."""
    hand = position.hands[seat]
    ranks, suits = (of_kind(hand, kind) for kind in Kind)

    def count(card: Card) -> int:
        return sum(other.suit is card.suit for other in suits)

    rare = sorted(suits, key=lambda card: (count(card), card.has_star))[:PASSED_OF_EACH]
    chosen = [ranks[:PASSED_OF_EACH], ranks[-PASSED_OF_EACH:]]
    return [Pass(seat, in_order([*some, *rare])) for some in chosen]


def _spread(values: Sequence[T], most: int) -> Sequence[T]:
    """Return up to so many values, evenly spread, the first and the last among them.

    >>> _spread("abcdefgh", 3)
    ['a', 'd', 'h']
    """
    if len(values) <= most:
        return values
    return [values[place * (len(values) - 1) // (most - 1)] for place in range(most)]


def _examples(position: Position, seat: int) -> Sequence[str]:
    """Return a line that would be right and, before tricks are played, one for later."""
    first = next(iter(position.legal(seat)))
    # The start player of the game for two turns two tiles.
    turns_later = isinstance(first, Pass) or (position.seats == SIDES and not position.flips)
    wishes = [wish for wish in plannable(position, seat) if isinstance(wish, Flip) and wish != first]
    return [write_action(action) for action in (first, *(wishes[:1] if turns_later else ()))]

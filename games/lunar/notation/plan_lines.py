"""Plans: what a seat that waits can plan, and how replies write it: `plan play 7; else play wolf`."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.lunar.engine import Action, Card, Flip, Play, Position, Source, Stage
from games.lunar.engine.cards import MARK
from games.lunar.engine.later import check_later, plays_no_more, turns_tile
from games.lunar.notation.parsing import Said, parse
from games.lunar.notation.writing import FLIP, PASS, write_action
from games.shown.plain import plan_lines
from games.shown.reading import not_understood, quote
from games.titles.lines import CannotPlay
from games.titles.plans import PlanReply
from games.titles.rules import IllegalAction


def plannable(position: Position, seat: int) -> list[Flip | Play]:
    """Return what can still be legal on the next turn of a seat that waits: trump tiles, or cards.

    While all pass, the cards are those that it keeps. Nobody can plan a pass, because everybody passes at
    the same time, with cards that were just dealt.
    """
    if position.ending is not None or plays_no_more(position, seat):
        return []
    if turns_tile(position, seat):
        return [Flip(seat, suit) for suit in position.tiles]
    sources = [*Source] if position.sky else [None]
    plays = [
        Play(seat, card, source)
        for source in sources
        for card in dict.fromkeys(
            position.cards_in(seat, source) if source is Source.SKY else _kept(position, seat)
        )
    ]
    return [play for play in plays if _is_possible(play, position)]


def read_plan(lines: Sequence[str], position: Position, seat: int) -> PlanReply:
    """Return what the lines of a reply say about a plan. Raises CannotPlay."""
    possible = plannable(position, seat)
    example = next((f"plan {write_action(one)}" for one in possible), plan_lines.EXAMPLE)
    return plan_lines.read_wishes(
        lines, lambda part: _read_wish(part.strip(" ,"), possible, example), example
    )


def _is_possible(play: Play, position: Position) -> bool:
    try:
        check_later(play, position)
    except IllegalAction:
        return False
    return True


def _kept(position: Position, seat: int) -> tuple[Card, ...]:
    kept = list(position.hands[seat])
    if position.stage is Stage.PASSING:
        for card in position.passes[seat] or ():
            kept.remove(card)
    return tuple(kept)


def _read_wish(part: str, possible: Sequence[Flip | Play], example: str) -> Action:
    said = parse(part)
    if said.unknown or len(said.cards) != 1 or said.verb == PASS:
        raise not_understood(part, example)
    fitting = [wish for wish in possible if _fits(wish, said)]
    if not fitting:
        raise CannotPlay(_("%(wish)s can't be played later.") % {"wish": quote(part)})
    return fitting[0]


def _fits(wish: Flip | Play, said: Said) -> bool:
    """Whether a wish is what a part of a line says; an animal alone is a card, if the seat has one."""
    [card] = said.cards
    if isinstance(wish, Flip):
        return said.verb == FLIP and card == Card(wish.suit)
    if said.verb == FLIP or (said.source not in (None, wish.source) and wish.source is not None):
        return False
    return wish.card == card or (wish.card == f"{card}{MARK}" and not card.has_star)

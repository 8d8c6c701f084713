"""Positions as JSON of the record format: whole ones and views alike."""

from collections.abc import Iterable

from games.lunar.engine.facts import Stage
from games.lunar.engine.position import SKY, Position
from games.lunar.engine.tricks import Played


def state_of(position: Position) -> dict[str, object]:
    """Return a position as a state of the record format."""
    last = position.tricks[-1] if position.tricks else None
    is_passing = position.stage is Stage.PASSING
    return {
        "round": position.round,
        "stage": str(position.stage),
        "awaited": sorted(position.awaited),
        "hands": [list(hand) for hand in position.hands],
        **_state_of_sky(position),
        "chosen": [seat for seat, cards in enumerate(position.passes) if is_passing and cards is not None],
        "tiles": [str(suit) for suit in position.tiles],
        "trump": position.trump and str(position.trump),
        "holders": list(position.holders),
        "start_player": position.start_player,
        "leader": position.leader,
        "trick": _cards(position.trick),
        "lead_suit": position.lead_suit and str(position.lead_suit),
        "last_trick": last and {"cards": _cards(last.cards), "winner": last.winner},
        "tricks": list(position.tricks_won),
        "stars": list(position.stars_won),
        "points": list(position.points),
        "rounds": [[number for pair in result for number in pair] for result in position.rounds],
        "over": position.ending is not None,
        "winner": position.winner,
    }


def _state_of_sky(position: Position) -> dict[str, object]:
    """Return the keys that only the game for two has."""
    if not position.sky:
        return {}
    return {
        "sky": {"ranks": list(position.sky[:SKY]), "suits": list(position.sky[SKY:])},
        "piles": [len(cards) for cards in position.piles],
    }


def _cards(cards: Iterable[Played]) -> list[dict[str, object]]:
    return [
        {"seat": seat, "card": card} | ({"from": str(source)} if source else {})
        for seat, card, source in cards
    ]

"""Why the rules refuse a card, in a sentence for its player: on the board and in answers to replies."""

from collections.abc import Callable

from games.lunar.engine import Kind, MustFollow, Play, Position, Source, WrongKind
from games.lunar.words import second_place, suit_word
from games.marked import capitalise
from games.marked import gettext as _
from games.titles.rules import IllegalAction


def explain(
    play: Play, check: Callable[[Play], object], position: Position, name_of: Callable[[int], str]
) -> str:
    """Return the reason for which `check` refuses a card in a position; `name_of` names a seat."""
    try:
        check(play)
    except MustFollow:
        return _must_follow(play, position)
    except WrongKind:
        return _wrong_kind(play, position, name_of)
    except IllegalAction:
        pass
    return _("You can't play this card now. Please choose again.")


def _must_follow(play: Play, position: Position) -> str:
    suit = position.lead_suit
    assert suit is not None, "there is a lead suit to follow"
    words = {"suit": suit_word(suit)}
    if play.source is Source.SKY:
        return capitalise(
            _("%(suit)s was led, and the sky has one, so you can't take another suit from it.") % words
        )
    if play.source is Source.HAND:
        return capitalise(
            _("%(suit)s was led, and your hand has one, so you can't play another suit from it.") % words
        )
    return capitalise(_("%(suit)s was led, and you have one, so you can't play another suit.") % words)


def _wrong_kind(play: Play, position: Position, name_of: Callable[[int], str]) -> str:
    is_rank = play.card.kind is Kind.RANK
    own = position.first_card_of(play.seat)
    if own is None:
        return _no_second(play.source, is_rank=is_rank)
    if own.seat != play.seat:
        name = {"name": name_of(own.seat)}
        if is_rank:
            return _("%(name)s has played a rank, so you must play a suit.") % name
        return _("%(name)s has played a suit, so you must play a rank.") % name
    if own.card.kind is play.card.kind:
        if is_rank:
            return _("Your first card was a rank, so now you must play a suit.")
        return _("Your first card was a suit, so now you must play a rank.")
    assert own.source is not None, "the game for two"
    return second_place(own.source)


def _no_second(source: Source | None, *, is_rank: bool) -> str:
    """Return why a first card would leave no card of the other kind in the other place."""
    if source is Source.SKY and is_rank:
        return _("Your hand has only ranks left, so you need a suit from the sky.")
    if source is Source.SKY:
        return _("Your hand has only suits left, so you need a rank from the sky.")
    if is_rank:
        return _("The sky has only ranks left, so you need a suit from your hand.")
    return _("The sky has only suits left, so you need a rank from your hand.")

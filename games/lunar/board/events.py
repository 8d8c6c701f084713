"""The steps of a game in words, for the log, for emails and for screen readers."""

from collections.abc import Iterator

from games.lunar.board.drawing.symbols import symbol_of as symbol_of_card
from games.lunar.board.game_view import GameView
from games.lunar.engine.actions import Flip, Pass, Play, Source
from games.lunar.engine.cards import Card, Kind
from games.lunar.engine.events import (
    CardsPassed,
    Event,
    RoundEnded,
    RoundResult,
    SkyFilled,
    TrickWon,
    TrumpSet,
)
from games.lunar.engine.position import Step
from games.lunar.engine.setup import SIDES
from games.lunar.engine.tricks import Trick
from games.lunar.words import (
    card_name,
    format_points,
    format_stars,
    format_tricks,
    join_cards,
    joined,
    side_label,
    side_names,
    suit_word,
    the_card,
)
from games.marked import MarkedText, capitalise
from games.marked import gettext as _
from games.shown.plain.words import about_seat
from games.shown.take_backs import describe_take_back
from games.shown.words import begin_sentence
from games.titles.actions import Cancel, Resign, TakeBack


def describe_step(step: Step, view: GameView) -> str:
    """Return a step in words, as sentences without the last full stop."""
    if isinstance(step.action, TakeBack):
        return describe_take_back(step.action, view, describe_step(view.steps[step.action.to], view))
    sentences = [_describe_action(step, view), *(_describe_event(event, view) for event in step.events)]
    return joined(begin_sentence(sentence) for sentence in sentences)


def describe_latest(view: GameView) -> str:
    """Return the newest action in words, after those that the house has played for the viewer before it."""
    if not view.steps:
        return ""
    played = [number for number in range(view.last_decision + 1, view.version) if view.was_forced(number)]
    return joined(describe_step(view.steps[number - 1], view) for number in (*played, view.version))


def describe_played(view: GameView) -> str:
    """Return the latest card that the house played for the viewer since they decided, in a few words."""
    numbers = range(view.version, view.last_decision, -1)
    number = next((number for number in numbers if view.was_forced(number)), None)
    if number is None:
        return ""
    play = view.steps[number - 1].action
    assert isinstance(play, Play)
    return _("Played for you: %(card)s.") % {"card": the_card(play.card)}


def symbol_of(step: Step) -> str:
    """Return the name of the symbol of a card that was played, or of a tile that was turned; or nothing."""
    match step.action:
        case Play(_seat, card, _source):
            return symbol_of_card(card)
        case Flip(_seat, suit):
            return f"tile-{suit}"
    return ""


def describe_trick(trick: Trick) -> str:
    """Return why a trick was won: "owl 6 over owl 4", "owl 6 over owl 6 (equal: the last card wins)"."""
    suits = {one.side: one.card for one in trick.cards if one.card.kind is Kind.SUIT}
    ranks = {one.side: one.card for one in trick.cards if one.card.kind is Kind.RANK}
    loser = 1 - trick.winner
    words = {
        "winner": _card_of(ranks[trick.winner], suits[trick.winner]),
        "loser": _card_of(ranks[loser], suits[loser]),
    }
    if words["winner"] == words["loser"]:
        return _("%(winner)s over %(loser)s (equal: the last card wins)") % words
    return _("%(winner)s over %(loser)s") % words


def describe_won(number: int, trick: Trick, view: GameView) -> str:
    """Return who won a trick, and by what, as a sentence."""
    words = {"number": number, "side": side_names(trick.winner, view), "why": describe_trick(trick)}
    return _("Trick %(number)d went to %(side)s: %(why)s.") % words


def describe_result(result: RoundResult, side: int) -> str:
    """Return what a side got in a round: "3 tricks, 1 star: 11 points"."""
    words = {
        "tricks": format_tricks(result.tricks[side]),
        "stars": format_stars(result.stars[side]),
        "points": format_points(result.points[side]),
    }
    if result.stars[side]:
        return _("%(tricks)s, %(stars)s: %(points)s") % words
    return _("%(tricks)s: %(points)s") % words


def last_trick_of(view: GameView) -> tuple[int, int, Trick] | None:
    """Return the newest trick up to the shown position: after which action it ended, its number, and it."""
    return next(last_tricks_of(view), None)


def last_tricks_of(view: GameView) -> Iterator[tuple[int, int, Trick]]:
    """Yield the tricks up to the shown position as `last_trick_of` returns them, the newest first."""
    for number in reversed(view.counting_to_shown):
        for event in view.steps[number - 1].events:
            if isinstance(event, TrickWon):
                yield number, len(view.position_after(number - 1).tricks) + 1, event.trick


def _card_of(rank: Card, suit: Card) -> str:
    return _("%(suit)s %(rank)d") % {"suit": suit_word(suit.suit), "rank": rank.rank}


def _describe_action(step: Step, view: GameView) -> str:
    match step.action:
        case Pass(seat, cards):
            words = {"cards": join_cards(cards)}
            return about_seat(seat, view, _("You passed %(cards)s"), _("%(name)s passed %(cards)s"), **words)
        case Flip(seat, suit):
            words = {"suit": suit_word(suit)}
            return about_seat(
                seat,
                view,
                _("You turned the %(suit)s tile face down"),
                _("%(name)s turned the %(suit)s tile face down"),
                **words,
            )
        case Play():
            return _describe_play(step.action, step, view)
        case Resign() | Cancel():
            return ""  # The house has words for these.
    assert step.seat is not None, "only passes are hidden"
    return about_seat(step.seat, view, _("You have chosen"), _("%(name)s has chosen what to pass"))


def _describe_play(play: Play, step: Step, view: GameView) -> str:
    words = {"card": the_card(play.card)}
    if _was_forced(step, view):
        return _describe_forced(play)
    if play.source is Source.SKY:
        you, other = _("You played %(card)s from the sky"), _("%(name)s played %(card)s from the sky")
    elif len(step.position.trick) == 1:
        you, other = _("You led %(card)s"), _("%(name)s led %(card)s")
    else:
        you, other = _("You played %(card)s"), _("%(name)s played %(card)s")
    return about_seat(play.seat, view, you, other, **words)


def _was_forced(step: Step, view: GameView) -> bool:
    numbers = (number for number, one in enumerate(view.steps, 1) if one is step)
    return step.seat == view.viewer and view.was_forced(next(numbers))


def _describe_forced(play: Play) -> str:
    return _("Played for you: %(card)s, the only card possible") % {"card": the_card(play.card)}


def _describe_event(event: Event, view: GameView) -> str:
    match event:
        case CardsPassed():
            return _describe_passes(event, view)
        case TrumpSet(suit):
            return capitalise(_("%(suit)s is trump") % {"suit": suit_word(suit)})
        case TrickWon(trick):
            return _describe_win(trick, view)
        case SkyFilled(cards):
            names = ", ".join(card_name(card) for _place, card in cards)
            return _("New in the sky: %(cards)s") % {"cards": names}
        case RoundEnded():
            return joined(_describe_round(event, view))
    return ""


def _describe_passes(event: CardsPassed, view: GameView) -> str:
    if view.viewer is None or not event.cards:
        return _("All partners have passed their cards")
    partner = view.newest.partner_of(view.viewer)
    if any(card.is_hidden for card in event.cards[partner]):
        return _("All partners have passed their cards")
    words = {"name": view.people[partner].name, "cards": join_cards(event.cards[partner])}
    return _("You got %(cards)s from %(name)s") % words


def _describe_win(trick: Trick, view: GameView) -> str:
    words = {"side": side_label(trick.winner, view), "why": describe_trick(trick)}
    if not trick.stars:
        return _("%(side)s won the trick: %(why)s") % words
    words["stars"] = format_stars(len(trick.stars))
    return _("%(side)s won the trick and %(stars)s: %(why)s") % words


def _describe_round(event: RoundEnded, view: GameView) -> Iterator[str]:
    yield MarkedText("\n").join(("", _("Round %(number)d is over") % {"number": event.number}))
    for side in range(SIDES):
        yield _("%(side)s: %(result)s") % {
            "side": side_label(side, view),
            "result": describe_result(event.result, side),
        }

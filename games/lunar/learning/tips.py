"""Short tips for a person's first game: what they can do now, and what the number of tricks is worth."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from games.lunar.board.game_view import GameView
from games.lunar.engine import Kind, Played, Stage, side_of
from games.lunar.engine.cards import Card, Suit
from games.lunar.engine.setup import SIDES
from games.lunar.engine.tables import HOUSE_POINTS
from games.lunar.words import format_points, format_tricks, one_of, suit_word
from games.marked import MarkedText, ngettext
from games.marked import gettext as _

LAST_TRICK = 5  # of the first round with a tip about the trick itself


@dataclass(frozen=True)
class Tip:
    """A tip in a sentence or two. The first one also leads to the lessons."""

    text: str
    offers_lessons: bool = False


def tip_of(view: GameView) -> Tip | None:
    """Return the tip for what the viewer sees; None for spectators, past positions and later rounds."""
    if view.viewer is None or view.is_past or view.newest.round > 1:
        return None
    match view.newest.stage:
        case Stage.PASSING:
            return Tip(_about_passing(view), offers_lessons=True)
        case Stage.TRUMP:
            return Tip(_about_trump(view), offers_lessons=view.start.seats == SIDES)
        case Stage.PLAY:
            return Tip(_about_points(view) or _about_trick(view))
    return None


def _about_passing(view: GameView) -> str:
    name = {"name": view.people[view.newest.partner_of(view.first_seat)].name}
    use = ""
    if view.newest.setup.points == HOUSE_POINTS:
        use = _("For few tricks, pass low ranks; for many, high ones.")
    if view.newest.passes[view.first_seat] is None:
        sentences = [_("Pass four cards to %(name)s, who passes four to you.") % name, use]
    else:
        sentences = [_("Once everybody has chosen, you get four cards from %(name)s.") % name]
    return MarkedText(" ").join(filter(None, [_aim(view), *sentences]))


def _about_trump(view: GameView) -> str:
    sentence = _(
        "The suit that stays face up is trump: it beats the others. "
        "For many tricks, leave a suit of which you have many cards; for few, one of which you have few."
    )
    return MarkedText(" ").join(filter(None, [_aim(view), sentence]))


def _aim(view: GameView) -> str:
    """Return which numbers of tricks score best by the table's points; nothing if all score alike."""
    points = view.newest.setup.points
    best = [tricks for tricks, worth in enumerate(points) if worth == max(points)]
    others = [worth for worth in points if worth < max(points)]
    if not others:
        return ""
    aim = ngettext(
        "Aim for %(numbers)s trick: %(points)s. Other numbers give %(most)d at most.",
        "Aim for %(numbers)s tricks: %(points)s. Other numbers give %(most)d at most.",
        best[-1],
    )
    words = {"numbers": _format_ranges(best), "points": format_points(max(points)), "most": max(others)}
    return aim % words


def _format_ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers with their runs joined: "1–3 or 7–8"."""
    runs = [
        [one for _nth, one in run]
        for _gap, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    ]
    *some, last = [
        _("%(first)d–%(last)d") % {"first": run[0], "last": run[-1]} if run[1:] else str(run[0])
        for run in runs
    ]
    return _("%(some)s or %(last)s") % {"some": ", ".join(some), "last": last} if some else last


def _about_points(view: GameView) -> str:
    """Return what another trick would change, where it loses points."""
    position, side = view.newest, side_of(view.first_seat)
    won, points = position.tricks_won[side], position.setup.points
    if won + 1 >= len(points) or points[won + 1] >= points[won]:
        return ""
    words = {
        "tricks": format_tricks(won),
        "points": format_points(points[won]),
        "fewer": format_points(points[won + 1]),
    }
    text = _("Your side has %(tricks)s: %(points)s. With one more, it would get only %(fewer)s.")
    if view.newest.seats == SIDES:
        text = _("You have %(tricks)s: %(points)s. With one more, you would get only %(fewer)s.")
    return text % words


def _about_trick(view: GameView) -> str:
    """Return what counts in the trick, also while others play: in the whole round, nothing below it moves."""
    position = view.newest
    if len(position.tricks) >= LAST_TRICK:
        return _("“Last trick” shows how the last trick was won, and which cards are out of this round.")
    own = position.first_card_of(view.first_seat)
    if position.sky:
        return _about_trick_for_two(own, view)
    if position.lead_suit is not None and not _has_played_suit(view):
        return _about_following(view)
    if own is not None:
        return _about_pair(own, view)
    if position.trick:
        return _("The first suit in a trick is its lead suit: suits after it must be the same, if possible.")
    if not view.is_my_turn:
        return _(
            "A trick begins with any card. Its first suit is the lead suit: "
            "suits after it must be the same, if possible."
        )
    return _("Lead any card. If it is a suit, your partner adds a rank, and the other way round.")


def _about_trick_for_two(own: Played | None, view: GameView) -> str:
    """Return what counts in a trick of two, in which the action bar says what the lead suit asks for."""
    if own is not None:
        return _("Your two cards make one. With the same suit, the higher rank wins.")
    if not view.newest.tricks:
        return _(
            "In each trick, you play two cards: one from your hand and one from the sky, "
            "the six in the middle. One is a rank, the other a suit."
        )
    return _(
        "A trick begins with any card. Its first suit is the lead suit: "
        "suits after it must be the same, if possible, from hand and sky."
    )


def _has_played_suit(view: GameView) -> bool:
    """Return whether the viewer's side has played a suit to the trick."""
    side = side_of(view.first_seat)
    return any(one.side == side and one.card.kind is Kind.SUIT for one in view.newest.trick)


def _about_following(view: GameView) -> str:
    """Return what the lead suit asks of the viewer, whose hand is known, or of their partner."""
    position, seat = view.newest, view.first_seat
    suit, hand = position.lead_suit, position.hands[seat]
    assert suit is not None
    words = {"card": one_of(suit), "suit": suit_word(suit)}
    own = position.first_card_of(seat)
    match own:
        case None if _has_suit(hand, suit):
            return _("You can play any rank. A suit must be %(card)s.") % words
        case None:
            return _("You can play any rank. You have no %(suit)s, so you can also play any suit.") % words
        case Played(seat=player) if player == seat:
            return _("Your partner adds a suit. It must be %(card)s, if they have one.") % words
    follow = _("It must be %(card)s.") if _has_suit(hand, suit) else _("You have no %(suit)s: play any suit.")
    return MarkedText(" ").join((_("Your side still needs a suit."), follow % words))


def _has_suit(cards: Iterable[Card | None], suit: Suit) -> bool:
    return any(card is not None and card.kind is Kind.SUIT and card.suit is suit for card in cards)


def _about_pair(first: Played, view: GameView) -> str:
    """Return what the cards of the two partners are together."""
    if (first.seat == view.first_seat) == (first.card.kind is Kind.RANK):
        return _("Your rank and your partner's suit make one card. With the same suit, the higher rank wins.")
    return _("Your suit and your partner's rank make one card. With the same suit, the higher rank wins.")

"""Short tips for a person's first game: what they can do now, and what the number of tricks is worth."""

from dataclasses import dataclass

from games.lunar.board.game_view import GameView
from games.lunar.engine import Kind, Stage, side_of
from games.lunar.engine.setup import SIDES
from games.lunar.words import format_points, format_tricks, suit_word
from games.marked import gettext as _

LAST_TRICK = 5  # of the first round in which tips about tricks show


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
            return Tip(_about_trump(), offers_lessons=view.start.seats == SIDES)
        case Stage.PLAY:
            text = _about_points(view) or _about_trick(view)
            return Tip(text) if text else None
    return None


def _about_passing(view: GameView) -> str:
    partner = view.people[view.newest.partner_of(view.first_seat)].name
    return _(
        "You and %(name)s pass each other four cards. Few tricks are good, and so are 7 or 8: pass what fits "
        "what your side wants."
    ) % {"name": partner}


def _about_trump() -> str:
    return _("The suit that is left in the end beats the others. Turn down one of which you have few cards.")


def _about_points(view: GameView) -> str:
    """Return what another trick would change, where it loses points."""
    position, side = view.newest, side_of(view.first_seat)
    won, points = position.tricks_won[side], position.setup.points
    if won + 1 >= len(points) or points[won + 1] >= points[won]:
        return ""
    return _("Your side has %(tricks)s, worth %(points)s. One more would be worth only %(fewer)d.") % {
        "tricks": format_tricks(won),
        "points": format_points(points[won]),
        "fewer": points[won + 1],
    }


def _about_trick(view: GameView) -> str:
    position = view.newest
    if len(position.tricks) >= LAST_TRICK or not view.is_my_turn:
        return ""
    own = [played for played in position.trick if played.side == side_of(view.first_seat)]
    if position.lead_suit is not None and not any(played.card.kind is Kind.SUIT for played in own):
        return _(
            "The %(suit)s was led. Your side's suit must be the same, if the hand that plays it has one."
        ) % {"suit": suit_word(position.lead_suit)}
    if position.trick and not own:
        return _("Nobody has played a suit yet. The first one leads: the other side must follow it.")
    if own:
        return _("A rank and a suit of your side make one card. With the same suit, the higher rank wins.")
    if position.sky:
        return _("You lead. One of your two cards comes from your hand and the other from the sky.")
    return _("You lead, with any card. Your partner then plays the other kind.")

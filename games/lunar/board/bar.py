"""The texts of the action bar: what the viewer must do, which cards are legal, or who is awaited."""

from collections.abc import Iterator

from games.lunar.board.choice import CheckedChoice
from games.lunar.board.events import describe_played
from games.lunar.board.game_view import GameView
from games.lunar.board.planning import Planning
from games.lunar.board.received import describe_received, received_of
from games.lunar.engine.actions import Flip, Pass, Play, Source
from games.lunar.engine.cards import Card, Kind, of_kind
from games.lunar.engine.facts import FLIPS, Stage
from games.lunar.engine.later import turns_tile
from games.lunar.engine.tricks import Played
from games.lunar.words import card_name, join_cards, one_of, sides_of, suit_word, the_card
from games.marked import MarkedText, capitalise, ngettext
from games.marked import gettext as _
from games.shown.history import DescribeStep
from games.shown.plain.outcomes import describe_outcome
from games.shown.words import join_words
from games.titles.boards import BarText


def bar_text(view: GameView, checked: CheckedChoice, describe_step: DescribeStep) -> BarText:
    """Return what the bar says about the position that is shown, and the choice."""
    if view.is_past:
        step = view.shown_step
        text = describe_step(step, view.as_played(view.shown)) if step else ""
        return BarText(_("After action %(number)d") % {"number": view.shown}, text)
    if view.is_over:
        return BarText(describe_outcome(view, sides_of(view)), "")
    if checked.planning is not None:
        return _planning(checked.planning, view)
    if view.chooser is None:
        return _waiting(view)
    if checked.action is not None:
        return bar_of_choice(checked.action, view)
    match view.position.stage:
        case Stage.PASSING:
            return _passing(checked.choice.cards, view)
        case Stage.TRUMP:
            return _flipping(view)
    return BarText(_to_play(view), MarkedText(" ").join(_limits(view)))


def action_label(action: Pass | Flip | Play, view: GameView) -> str:
    """Return an action of the viewer as the label of a button: "Play the 7"."""
    match action:
        case Pass(_seat, cards):
            return _("Pass %(cards)s") % {"cards": join_cards(cards)}
        case Flip(_seat, suit):
            return _("Turn the %(suit)s tile face down") % {"suit": suit_word(suit)}
        case Play(_seat, card, Source.SKY):
            return _("Play %(card)s from the sky") % {"card": the_card(card)}
        case Play(_seat, card, Source.HAND) if view.position.sky:
            return _("Play %(card)s from your hand") % {"card": the_card(card)}
    return _("Play %(card)s") % {"card": the_card(action.card)}


def bar_of_card(play: Play, reason: str, view: GameView) -> BarText:
    """Return the texts of the bar once a card was pressed; `reason` says why it is not legal."""
    if reason:
        return BarText(_("You can't play %(card)s now") % {"card": the_card(play.card)}, reason)
    return bar_of_choice(play, view)


def bar_of_choice(action: Pass | Flip | Play, view: GameView) -> BarText:
    """Return the texts of the bar for an action that can be confirmed."""
    title = _("%(action)s?") % {"action": action_label(action, view)}
    if isinstance(action, Flip) and len(view.position.flips) == FLIPS - 1:
        trump = next(suit for suit in view.position.tiles if suit is not action.suit)
        return BarText(title, _("Then %(suit)s is trump.") % {"suit": suit_word(trump)})
    return BarText(title, "")


def describe_legal(view: GameView) -> str:
    """Return which cards are legal, where no dimmed card shows it: all, all of one kind, or a list."""
    seat, position = view.chooser, view.position
    if seat is None or position.stage is not Stage.PLAY:
        return ""
    plays = _plays(view)
    if position.sky:
        return _legal_for_two(plays, view)
    playable = list(dict.fromkeys(play.card for play in plays))
    cards = set(position.hands[seat])
    kinds = {card.kind for card in playable}
    if set(playable) == cards:
        return _("You can play any card.") if len(kinds) > 1 else ""
    if kinds == {Kind.RANK} and len(playable) == len({card for card in cards if card.kind is Kind.RANK}):
        return _("You can play any rank.")
    if kinds == {Kind.SUIT} and len(playable) == len({card for card in cards if card.kind is Kind.SUIT}):
        return _("You can play any suit.")
    suits = str(_(", ")).join(map(the_card, of_kind(playable, Kind.SUIT)))
    if len(kinds) > 1 and position.lead_suit is not None:
        return _("You can play any rank, or %(suits)s.") % {"suits": suits}
    return _("You can play %(suits)s.") % {"suits": suits}


def _needs_list(plays: list[Play], view: GameView) -> bool:
    """Return whether only a list says which cards of the hand and of the sky are legal."""
    sky, hand = view.position.sky, view.position.hands[plays[0].seat]
    return bool(sky) and len({*plays}) != len({*hand}) + len({*sky} - {None})


def _legal_for_two(plays: list[Play], view: GameView) -> str:
    if not _needs_list(plays, view):
        return _("You can play any card.")
    hand = list(dict.fromkeys(play.card for play in plays if play.source is Source.HAND))
    sky = list(dict.fromkeys(play.card for play in plays if play.source is Source.SKY))
    words = {"hand": _list(hand), "sky": _list(sky)}
    if hand and sky:
        return _("From your hand: %(hand)s. From the sky: %(sky)s.") % words
    if hand:
        return _("From your hand: %(hand)s.") % words
    return _("From the sky: %(sky)s.") % words


def _list(cards: list[Card] | tuple[Card, ...]) -> str:
    return str(_(", ")).join(card_name(card) for card in cards)


def _to_play(view: GameView) -> str:
    """Return what the viewer has to play: a first card, or the second one of their side."""
    own = _own_card(view)
    if own is None:
        return _("Play a card") if view.position.trick else _("You lead: play a card")
    is_rank = own.card.kind is Kind.RANK
    match own.source:
        case Source.HAND:
            return _("Now a suit from the sky") if is_rank else _("Now a rank from the sky")
        case Source.SKY:
            return _("Now a suit from your hand") if is_rank else _("Now a rank from your hand")
    return _("Play a suit") if is_rank else _("Play a rank")


def _limits(view: GameView) -> Iterator[str]:
    """Yield what limits the viewer's choice: the first card of their side, and the lead suit."""
    own, suit = _own_card(view), view.position.lead_suit
    if own is None:
        yield _first_card(view)
        return
    match own.source:
        case Source.HAND:
            yield _("Your first card came from your hand.")
        case Source.SKY:
            yield _("Your first card came from the sky.")
        case _no_sky:
            yield _("Your partner played %(card)s.") % {"card": the_card(own.card)}
    if suit is None or own.card.kind is Kind.SUIT:
        return
    if {play.card.suit for play in _plays(view)} == {suit}:
        yield _("Follow suit: play %(card)s.") % {"card": one_of(suit)}
    elif own.source is Source.HAND:
        yield _("The sky has no %(suit)s: play any suit.") % {"suit": suit_word(suit)}
    else:
        yield _("You have no %(suit)s: play any suit.") % {"suit": suit_word(suit)}


def _first_card(view: GameView) -> str:
    """Return what the viewer can play as the first card of their side; no list, which dimmed cards show."""
    plays, suit = _plays(view), view.position.lead_suit
    suits = {play.card.suit for play in plays if play.card.kind is Kind.SUIT}
    if suit is None or not suits or suits != {suit}:
        led = capitalise(_("%(suit)s was led.") % {"suit": suit_word(suit)}) if suit else ""
        legal = _("Some cards can't be played now.") if _needs_list(plays, view) else describe_legal(view)
        return MarkedText(" ").join(filter(None, (led, legal)))
    has_rank = any(play.card.kind is Kind.RANK for play in plays)
    text = _("Play %(card)s or a rank") if has_rank else _("Play %(card)s")
    places = {None: "", Source.HAND: _(", from your hand"), Source.SKY: _(", from the sky")}
    sources = {play.source for play in plays}
    where = _(", from your hand or the sky") if len(sources) > 1 else places[sources.pop()]
    return _("%(play)s%(where)s.") % {"play": text % {"card": one_of(suit)}, "where": where}


def _plays(view: GameView) -> list[Play]:
    seat = view.chooser
    return [] if seat is None else [one for one in view.position.legal(seat) if isinstance(one, Play)]


def _own_card(view: GameView) -> Played | None:
    seat = view.chooser
    assert seat is not None
    return view.position.first_card_of(seat)


def _passing(cards: tuple[Card, ...], view: GameView) -> BarText:
    seat = view.chooser
    assert seat is not None
    name = {"name": view.people[view.position.partner_of(seat)].name}
    title = _("Pass four cards to %(name)s") % name
    if not cards:
        return BarText(title, _("Choose two ranks and two suits. You get four cards when all have chosen."))
    ranks, suits = (len(of_kind(cards, kind)) for kind in Kind)
    chosen = _("%(ranks)d of 2 ranks and %(suits)d of 2 suits chosen.") % {"ranks": ranks, "suits": suits}
    return BarText(title, chosen)


def _flipping(view: GameView) -> BarText:
    tiles = view.position.tiles
    words = {"number": FLIPS + 2 - len(tiles), "total": FLIPS}
    about = _("You turn tile %(number)d of %(total)d. The suit that stays face up is trump.") % words
    if received := received_of(view):
        about = MarkedText(" ").join(
            (describe_received(received), _("You turn tile %(number)d of %(total)d.") % words)
        )
    return BarText(_("Turn a trump tile face down"), about)


def _planning(planning: Planning, view: GameView) -> BarText:
    if turns_tile(view.newest, planning.seat):
        about = _("Press tiles, the best first. The first one still face up is turned.")
    else:
        about = _("Press cards, the best first. The first possible one is played.")
    return BarText(_("Plan your turn"), about)


def _waiting(view: GameView) -> BarText:
    awaited = [view.people[seat] for seat in sorted(view.newest.awaited)]
    names = {"names": join_words([person.name for person in awaited])}
    if all(person.bot or person.caretaker for person in awaited):
        title = ngettext("%(names)s is thinking", "%(names)s are thinking", len(awaited)) % names
    else:
        title = _("Waiting for %(names)s") % names
    if view.viewer is None:
        return BarText(title, _("You are watching. Hands are hidden."))
    if view.is_viewer_away:
        return BarText(title, _("A bot plays your seat, because your clock ran out."))
    return BarText(title, _own_part(view))


def _own_part(view: GameView) -> str:
    """Return what the viewer has done already in this stage, or when they are next."""
    seat, position = view.viewer, view.newest
    assert seat is not None
    if position.stage is Stage.PASSING:
        return ""  # The table shows the cards.
    if not (view.plan and view.plan.wishes):
        if view.planned_step:
            return _("Your plan was played.")
        if view.unplanned_step:
            return MarkedText(" ").join((_("Your plan was not possible."), describe_played(view)))
    if received := received_of(view):
        return describe_received(received)
    if position.stage is Stage.PLAY:
        if played := describe_played(view):
            return played
        seats_to_play = [
            (position.next_leader + place) % position.seats for place in range(len(position.trick), 4)
        ]
        if len(seats_to_play) > 1 and seats_to_play[1] == seat:
            return _("You are next.")
    return ""

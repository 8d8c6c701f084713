"""The conformance suite of words: whether the pages of a title have words for all that happens.

A title passes if `check_pages(MyRules(), MyPages())` raises nothing. Words are those of the active language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice, product
from typing import Any

from games.marked import name
from games.shown.plain.board import PlainBoard
from games.shown.plain.pages import PlainPages
from games.titles.pages import AnyPages
from games.titles.people import Person
from games.titles.rules import AnyPosition, AnyRules, AnyStep, IllegalAction, Setup
from games.titles.testing.legality import pool_of
from games.titles.testing.playouts import NO_OPTIONS, Finding, Game, Redeal, play_game
from games.titles.testing.views import name_of, viewers
from games.titles.view import AnyView

NAMES = ("Ines", "Tobias", "Halley", "Mina", "Otto", "Cleo", "Noor", "Juri")
LONGEST_LABEL = 60  # letters on a button; more do not fit on a phone
SAMPLED = 4  # positions of a game, in addition to the first and last ones
MOST_ACTIONS = 12  # of a position

PageCheck = Callable[[Game, AnyPages], Iterator[Finding]]


def check_pages(
    rules: AnyRules,
    pages: AnyPages,
    *,
    options: Mapping[str, object] = NO_OPTIONS,
    redeal: Redeal | None = None,
    seed: int = 0,
    games: int = 3,
) -> None:
    """Raise AssertionError with all that the pages of a title lack, by random games, if they lack anything.

    The rules must have passed `check_title`, whose arguments these are.
    """
    found: dict[str, None] = {}
    for seats, number in product(sorted(rules.seat_counts), range(games)):
        game = play_game(rules, seed=seed, number=number, seats=seats, options=options)
        game.redeal = redeal
        for check in CHECKS:
            for action, sentence in check(game, pages):
                found[f"{check.__name__}: {sentence} See game {number} of {seats}, action {action}."] = None
    if found:
        raise AssertionError("The pages break the contract of titles:\n" + "\n".join(islice(found, 20)))


def steps_have_words(game: Game, pages: AnyPages) -> Iterator[Finding]:
    """Each viewer gets a sentence for each step, which has no full stop at its end."""
    for viewer in viewers(game):
        view = view_of(game, pages, viewer)
        for number, step in enumerate(view.steps, 1):
            text = pages.describe_step(step, view)
            if not text or text.endswith("."):
                yield number, f"The step of {step.action!r} is {text!r} for {name_of(viewer)}."


def actions_have_words(game: Game, pages: AnyPages) -> Iterator[Finding]:
    """Each legal action has words of its own, which are short enough for a button of a plain page."""
    for number, seat, actions in _legal(game):
        view = view_of(game, pages, seat, number)
        labels = {action: str(pages.explain_action(action, view).title) for action in actions}
        for action, label in labels.items():
            if not label or (isinstance(pages, PlainPages) and len(label) > LONGEST_LABEL):
                yield number, f"The label of {action!r} is {label!r}: 1 to {LONGEST_LABEL} letters are right."
        if len(set(labels.values())) < len(labels):
            yield number, f"Two of the labels of seat {seat} are the same: {sorted(labels.values())}."


def lines_are_read(game: Game, pages: AnyPages) -> Iterator[Finding]:
    """The line of each legal action is read as this action, also in capitals, in quotes or after a word."""
    for number, seat, actions in _legal(game):
        position = game.positions[number].seen_by(seat)
        view = view_of(game, pages, seat, number)
        for action in actions:
            line = pages.write_action(action, position)
            for written in (line, line.upper(), f"“{line}.”", f"Please {line}"):
                yield from _misread(action, written, view, pages, number)


def refusals_have_words(game: Game, pages: AnyPages) -> Iterator[Finding]:
    """Each code with which the rules refuse an action has a sentence."""
    rng = game.rng("refusals")
    pool = pool_of(game, rng)
    for number in game.sampled(rng, SAMPLED):
        position = game.positions[number]
        for action in rng.sample(pool, min(MOST_ACTIONS, len(pool))):
            try:
                position.apply(action)
            except IllegalAction as error:
                if not pages.describe_refusal(error.code):
                    yield number, f"The code {error.code!r} has no words."


def positions_have_words(game: Game, pages: AnyPages) -> Iterator[Finding]:
    """Each position of a running game has words, as have its figures, if the title has a plain page."""
    if not isinstance(pages, PlainPages):
        return
    words = pages.words
    for number, viewer in product(game.sampled(game.rng("words"), SAMPLED), viewers(game)):
        view = view_of(game, pages, viewer, number)
        if view.position.ending is None and all(
            section.is_empty for section in words.describe_position(view)
        ):
            yield number, f"The position is empty for {name_of(viewer)}."
        for seat in range(game.seats):
            figures = view.position.figures(seat)
            if figures and not words.describe_figures(figures):
                yield number, f"The figures {figures} have no words."


def boards_offer_all(game: Game, pages: AnyPages) -> Iterator[Finding]:
    """Each viewer gets a board, and a plain one has a button for each legal action."""
    for number, viewer in product(game.sampled(game.rng("boards"), SAMPLED), viewers(game)):
        board = pages.board(view_of(game, pages, viewer, number), {})
        if not (board.heading and board.bar.title):
            yield number, f"The board of {name_of(viewer)} does not say whose turn it is."
        if not isinstance(board, PlainBoard):
            continue
        buttons = [button for group in board.groups for button in group.buttons]
        offered = [pages.action_of({"do": "play", "action": button.value}) for button in buttons]
        legal = [] if viewer is None else list(game.positions[number].legal(viewer))
        if sorted(map(repr, offered)) != sorted(map(repr, legal)):
            yield number, f"{name_of(viewer)} can do {legal}, but the page offers {offered}."


def words_hide(game: Game, pages: AnyPages) -> Iterator[Finding]:
    """What a viewer reads does not change if only what is hidden from them changes."""
    if game.redeal is None:
        return
    rng = game.rng("hidden words")
    for number, viewer in product(game.running(rng, SAMPLED), viewers(game)):
        dealt = game.redeal(game.setup, game.positions[number], viewer, rng)
        other = Setup(game.seats, game.setup.options, dealt)
        texts = [_texts(game, pages, setup, number, viewer) for setup in (game.setup, other)]
        for own, changed in zip(*texts, strict=True):
            if own != changed:
                yield number, f"{name_of(viewer)} reads {own!r} or {changed!r}, as the hidden cards are."


CHECKS: tuple[PageCheck, ...] = (
    steps_have_words,
    actions_have_words,
    lines_are_read,
    refusals_have_words,
    positions_have_words,
    boards_offer_all,
    words_hide,
)


def view_of(game: Game, pages: AnyPages, viewer: int | None, at: int | None = None) -> AnyView:
    """Return a game as a viewer saw it after action `at`, when that was the newest; else as it ended."""
    steps = game.steps if at is None else game.steps[:at]
    return _view(pages, viewer, game.positions[0], steps)


def _view(pages: AnyPages, viewer: int | None, start: AnyPosition, steps: list[AnyStep]) -> AnyView:
    people = tuple(Person(seat, name(NAMES[seat]), is_you=seat == viewer) for seat in range(start.seats))
    seen = tuple(step.seen_by(viewer) for step in steps)
    return pages.view_class(start=start.seen_by(viewer), steps=seen, people=people)


def _legal(game: Game) -> Iterator[tuple[int, int, list[Any]]]:
    """Yield some of the positions with an awaited seat, and what that seat can do."""
    for number in game.running(game.rng("legal words"), SAMPLED):
        for seat in sorted(game.positions[number].awaited):
            yield number, seat, list(islice(game.positions[number].legal(seat), MOST_ACTIONS))


def _misread(action: Any, line: str, view: AnyView, pages: AnyPages, number: int) -> Iterator[Finding]:
    try:
        read = pages.read_action(line, view.position, action.seat)
        found = pages.find_action([line, "Thank you."], view)
    except Exception as error:
        yield number, f"{line!r}, the line of {action!r}, raises {error!r}."
    else:
        if (read, found) != (action, action):
            yield number, f"{line!r}, the line of {action!r}, is read as {read!r} and found as {found!r}."


def _texts(game: Game, pages: AnyPages, setup: Setup, number: int, viewer: int | None) -> list[str]:
    """Return what a viewer reads of a game with this deal after an action."""
    position = start = game.rules.start(setup, game.version)
    steps = []
    for action in game.actions()[:number]:
        steps.append(position.apply(action))
        position = steps[-1].position
    view = _view(pages, viewer, start, steps)
    texts = [pages.describe_step(step, view) for step in view.steps]
    if isinstance(pages, PlainPages):
        texts += [repr(section) for section in pages.words.describe_position(view)]
    if viewer is not None:
        seen = view.position
        texts += [pages.write_action(action, seen) for action in islice(seen.legal(viewer), MOST_ACTIONS)]
    return texts

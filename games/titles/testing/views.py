"""Checks of what a seat sees: proved by changing what it may not know.

The changes are made by `guess`: all the positions that it draws from a view fit what that seat knows, so the
seat must not see any difference between them. A secret that `seen_by` shows and `guess` keeps cannot be
found in this way; a title with hands should have a test of its own that lists what a seat sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.titles.rules import AnyPosition
from games.titles.testing.playouts import Finding, Game, play_on

WORLDS = 3  # how many guesses are compared at a time
MOST_WORLDS = 40  # of two equally likely guesses, both are among so many: the odds are 1 to 10 ** 11


def viewers(game: Game) -> tuple[int | None, ...]:
    """Return the spectator and all seats."""
    return (None, *range(game.seats))


def name_of(viewer: int | None) -> str:
    """Return how a problem names a viewer."""
    return "the spectator" if viewer is None else f"seat {viewer}"


def worlds(game: Game, number: int, seat: int) -> list[AnyPosition]:
    """Return whole positions that fit what a seat knows at a moment."""
    rng, view = game.rng(f"worlds {number} {seat}"), game.positions[number].seen_by(seat)
    return [view.guess(seat, rng) for _ in range(WORLDS)]


def seen_by_is_idempotent(game: Game) -> Iterator[Finding]:
    """A view, seen by its viewer, is the same."""
    for number in game.sampled(game.rng("idempotent"), 10):
        for viewer in viewers(game):
            view = game.positions[number].seen_by(viewer)
            if view.seen_by(viewer) != view:
                yield number, f"seen_by({viewer}) changes what it has returned."


def views_answer_as_the_whole(game: Game) -> Iterator[Finding]:
    """What is public is the same in each view, and a seat sees its own legal actions."""
    for number in game.sampled(game.rng("answers"), 10):
        position = game.positions[number]
        for viewer in viewers(game):
            view = position.seen_by(viewer)
            yield from _compare(_public(position), _public(view), number, f"For {name_of(viewer)}")
            if viewer is not None:
                yield from _compare(
                    _own(position, viewer), _own(view, viewer), number, f"For {name_of(viewer)}"
                )
                if not all(view.is_legal(action) for action in list(view.legal(viewer))[:20]):
                    yield number, f"seen_by({viewer}) denies a legal action of its own seat."


def views_hide(game: Game) -> Iterator[Finding]:
    """A seat sees no difference between positions that differ only in what it may not know.

    A spectator knows no more than any seat, so a spectator sees no difference either.
    """
    for number in game.running(game.rng("hide"), 8):
        for seat in range(game.seats):
            first, *others = worlds(game, number, seat)
            for other in others:
                for viewer in (seat, None):
                    own, changed = first.seen_by(viewer), other.seen_by(viewer)
                    shown = f"seen_by({viewer})" if own != changed else f"The repr of seen_by({viewer})"
                    if own != changed or repr(own) != repr(changed):
                        text = f"shows a difference between two positions that guess({seat}) has drawn"
                        yield number, f"{shown} {text}, so it shows what seat {seat} may not know."
                yield from _compare(_public(first), _public(other), number, f"Hidden from seat {seat}")
                yield from _compare(_own(first, seat), _own(other, seat), number, f"Hidden from seat {seat}")


def guesses_fit(game: Game) -> Iterator[Finding]:
    """A guess looks as the position does to this seat, and follows from the random numbers."""
    for number in game.running(game.rng("fit"), 8):
        for seat in range(game.seats):
            view = game.positions[number].seen_by(seat)
            for guess in worlds(game, number, seat):
                if guess.seen_by(seat) != view:
                    yield number, f"guess({seat}) does not fit: seen_by({seat}) of it is another view."
            if worlds(game, number, seat) != worlds(game, number, seat):
                yield number, f"guess({seat}) does not follow from its random numbers."


def guesses_are_whole(game: Game) -> Iterator[Finding]:
    """A guess can be played to the end."""
    rng = game.rng("whole")
    for number in game.running(rng, 4):
        for seat in range(game.seats):
            problem = play_on(worlds(game, number, seat)[0], rng, game.longest)
            if problem is not None:
                yield number, f"guess({seat}) cannot be played to its end. {problem}"


def guesses_vary(game: Game) -> Iterator[Finding]:
    """If something is hidden from a seat at the start, its guesses are not always the same."""
    for seat in range(game.seats):
        if game.positions[0].seen_by(seat) != game.positions[0]:
            rng, view = game.rng(f"vary {seat}"), game.positions[0].seen_by(seat)
            first = view.guess(seat, rng)
            if all(view.guess(seat, rng) == first for _ in range(MOST_WORLDS)):
                yield 0, f"Something is hidden from seat {seat}, but guess({seat}) always draws the same."


def open_titles_show_all_the_same(game: Game) -> Iterator[Finding]:
    """Without hands, all views are equal, and with the deal they are the whole position.

    `known` grows when an action shows a seat what it could not foresee.
    """
    if game.rules.has_hands:
        return
    for number in game.sampled(game.rng("open"), 10):
        position: Any = game.positions[number]
        view = position.seen_by(None)
        if any(position.seen_by(seat) != view for seat in range(game.seats)):
            yield number, "has_hands is False, but the seats see different positions."
        if view.with_deal(game.setup.dealt) != position:
            yield number, "seen_by(None).with_deal(dealt) is not the whole position."
        if number < len(game.steps) and game.positions[number].ending is None:
            action = game.steps[number].action
            after = [world.apply(action).position for world in worlds(game, number, 0)]
            is_surprise = any(other.seen_by(0) != after[0].seen_by(0) for other in after)
            if is_surprise and any(other.known <= position.known for other in after):
                yield number + 1, "An action reveals what nobody could foresee, but known does not grow."


def _public(position: AnyPosition) -> dict[str, object]:
    """Return what everybody may know, whatever is hidden."""
    return {
        "seats": position.seats,
        "in_play": sorted(position.in_play),
        "awaited": position.awaited,
        "ending": position.ending,
        "places": position.places,
        "known": position.known,
        "figures": [dict(position.figures(seat)) for seat in range(position.seats)],
    }


def _own(position: AnyPosition, seat: int) -> dict[str, object]:
    """Return what a seat may know about its own actions."""
    return {"legal": list(position.legal(seat)), "forced": position.forced(seat)}


def _compare(
    expected: dict[str, object], found: dict[str, object], number: int, where: str
) -> Iterator[Finding]:
    for name, value in expected.items():
        if found[name] != value:
            yield number, f"{where}, {name} is different: {found[name]} instead of {value}."

"""The entry of the conformance suite.

A title passes if `check_title(MyRules())` raises nothing; `problems` returns what is wrong with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product

from games.titles.rules import AnyRules
from games.titles.testing import legality, redeals, results, steps, storage, values, views
from games.titles.testing.playouts import LONGEST, NO_OPTIONS, Check, Game, Redeal, play_game

MOST_OF_A_CHECK = 3  # problems of one check that are shown; the others are mostly the same

CHECKS: tuple[Check, ...] = (
    legality.games_end,
    legality.awaited_until_the_end,
    legality.legal_actions_apply,
    legality.illegal_actions_are_refused,
    legality.house_actions,
    legality.forced_actions,
    results.sides,
    results.endings,
    results.places,
    results.figures,
    results.known_never_shrinks,
    storage.deals,
    storage.options,
    storage.versions,
    storage.actions_as_json,
    storage.strange_actions,
    storage.logs_replay,
    storage.records,
    values.actions_are_hashable,
    values.values_are_frozen,
    views.seen_by_is_idempotent,
    views.views_answer_as_the_whole,
    views.views_hide,
    views.guesses_fit,
    views.guesses_are_whole,
    views.guesses_vary,
    views.open_titles_show_all_the_same,
    steps.steps_fit_their_positions,
    steps.steps_go_back,
    steps.steps_hide,
    redeals.redeals_hide,
    values.positions_never_change,  # the last one, because it looks for traces of the others
)


def check_title(
    rules: AnyRules,
    *,
    options: Mapping[str, object] = NO_OPTIONS,
    redeal: Redeal | None = None,
    seed: int = 0,
    games: int = 3,
) -> None:
    """Raise AssertionError with all problems of a title, if it has any."""
    found = problems(rules, options=options, redeal=redeal, seed=seed, games=games)
    if found:
        raise AssertionError("The rules break the contract of titles:\n" + "\n".join(found))


def problems(
    rules: AnyRules,
    *,
    options: Mapping[str, object] = NO_OPTIONS,
    redeal: Redeal | None = None,
    seed: int = 0,
    games: int = 3,
    longest: int = LONGEST,
) -> list[str]:
    """Return what is wrong with the rules of a title, by random games for each number of seats.

    Each problem begins with the name of the check that found it, and says which game shows it. The same
    seed plays the same games. Options must be possible for each number of seats. A title with hands should
    pass `redeal`, see `redeals.py`.
    """
    found: list[str] = []
    if not rules.seat_counts:
        found.append("seat_counts: It is empty, so no game can start.")
    counts: Counter[str] = Counter()
    for seats, number in product(sorted(rules.seat_counts), range(games)):
        which = f"seed={seed}, number={number}, seats={seats}" + (f", options={options}" if options else "")
        where = f"play_game(rules, {which})"
        try:
            game = play_game(rules, seed=seed, number=number, seats=seats, options=options, longest=longest)
        except Exception as error:
            found.append(f"start: No game can start: {error!r}. See {where}.")
            continue
        game.redeal = redeal
        for name, action, sentence in _problems_of(game):
            counts[name] += 1
            if counts[name] <= MOST_OF_A_CHECK:
                found.append(f"{name}: {sentence} See {where}.positions[{action}].")
    return found


def _problems_of(game: Game) -> Iterator[tuple[str, int, str]]:
    for check in CHECKS:
        for action, sentence in _findings(check, game):
            yield check.__name__, action, sentence


def _findings(check: Check, game: Game) -> Iterator[tuple[int, str]]:
    """Yield what a check finds. An error that it did not expect is a finding too."""
    try:
        yield from check(game)
    except Exception as error:
        yield 0, f"It stops with {error!r}."

"""Check every sentence of real reviews a second way: `python -m tests.novaluna.reviews.sentences`.

Bots of different levels play games of one to four players. The expert judges every turn with its usual
search, and `tests.novaluna.reviews.facts` checks what the advice says about each mistake.
"""

import argparse
import os
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

import django

from games.novaluna.board.game_view import GameView
from games.novaluna.bots.face import choose, judge
from games.novaluna.engine import TILES, Place, Position, Refill, SoloPosition, Step, start
from games.novaluna.reviews.advice import Advice, advise
from games.titles.people import Person
from tests.novaluna.engine.games import deal
from tests.novaluna.reviews.facts import Comparison, PlainPosition

NAMES = ("Ines", "Tobias", "Mina", "Halley")
LEVELS = ("medium", "easy", "hard", "medium")  # of the seats


@dataclass
class Count:
    """What was checked so far."""

    turns: int = 0
    mistakes: int = 0
    sentences: int = 0
    wrong: list[str] = field(default_factory=list)


def play(seats: int, seed: int) -> list[Step]:
    """Return the steps of a game between bots."""
    rng, position, steps = random.Random(seed), start(deal(seats, seed)), []
    while (seat := position.to_move) is not None:
        steps.append(position.apply(choose(position.public(), seat, LEVELS[seat], rng)))
        position = steps[-1].position
    return steps


def review(seats: int, seed: int, count: Count) -> None:
    """Judge all turns of a game, and check what the review says about its mistakes."""
    steps = play(seats, seed)
    people = tuple(Person(seat, name, is_you=seat == seed % (seats + 1)) for seat, name in enumerate(NAMES))
    public = tuple(step._replace(position=step.position.public()) for step in steps)
    view = GameView(start(deal(seats, seed)).public(), public, people[:seats])
    taken: list[tuple[int, int]] = []
    for number, step in enumerate(steps, 1):
        before, played = view.position_after(number - 1), step.action
        judgement = judge(before, played, random.Random(number))
        count.turns += 1
        if judgement.is_mistake and judgement.best and judgement.loss:
            count.mistakes += 1
            advice = advise(view, number, judgement.best, judgement.loss, judgement.line)
            plain = PlainPosition(before, [*taken])
            if isinstance(judgement.best, Refill):
                checked = check_refill(plain, advice)
            else:
                other = played if isinstance(played, Place) else None
                compared = Comparison(
                    plain, judgement.best, other, view.people, steps[number:], judgement.line
                )
                checked = check_place(compared, advice)
            for sentence, is_true in checked:
                count.sentences += 1
                if not is_true:
                    count.wrong.append(f"{seats} seats, seed {seed}, action {number}: {sentence}")
        if isinstance(played, Place):
            taken.append((played.seat, TILES[played.tile].cost))


def check_place(compared: Comparison, advice: Advice) -> Iterator[tuple[str, bool]]:
    """Yield each sentence about a better place action, and whether it is true."""
    for sentence in advice.reasons:
        yield sentence, compared.is_true(sentence)
    position = compared.better
    for shown, action in zip(advice.line, compared.line, strict=False):
        assert isinstance(action, Place)
        position, goals = position.after(action)
        found = re.search(r"covers (\d+) goal", shown.text)
        yield shown.text, shown.person.seat == action.seat and goals == int(found[1] if found else 0)


def check_refill(plain: PlainPosition, advice: Advice) -> Iterator[tuple[str, bool]]:
    """Yield each sentence about a better refill, and whether it is true."""
    position: Position = plain.position
    for sentence in advice.reasons:
        if sentence == "Ends phase 1 now, before another tile adds to its time.":
            yield sentence, isinstance(position, SoloPosition) and position.phase == 1
        elif sentence == "No tile on the wheel covers a goal now.":
            yield sentence, plain.next_goals() == 0
        else:
            brings = re.fullmatch(
                r"Brings (\d+) new tiles? to choose from, and the turn continues\.", sentence
            )
            empty = 11 - len([tile for tile in plain.wheel if tile])
            yield sentence, bool(brings) and int(brings[1]) == min(empty, position.draw_pile)


def main() -> None:
    """Review games, and print how many sentences are wrong; then the status is 1."""
    parser = argparse.ArgumentParser(description="Check the sentences of reviews.")
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "novaluna_site.settings")
    django.setup()  # for translations
    count = Count()
    for number in range(options.games):
        review(1 + number % 4, options.seed + number, count)
        sys.stdout.write(
            f"{number + 1} games, {count.turns} turns, {count.mistakes} mistakes: "
            f"{len(count.wrong)} of {count.sentences} sentences wrong\n"
        )
        sys.stdout.flush()
    sys.stdout.write("".join(f"{wrong}\n" for wrong in count.wrong))
    sys.exit(bool(count.wrong))


if __name__ == "__main__":
    main()

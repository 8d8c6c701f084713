"""Measure the general bot on Pairs: one side of bots plays against one side that moves at random.

    python -m tests.titles.strength --games 200 --level medium

Each deal is played twice, with the bots on either side. Hands are large, so the deal decides little.
"""

import argparse
import sys
from collections import Counter
from random import Random

from games.titles.general_bot import choose
from games.titles.matches import Chooser, play
from games.titles.matches import start as start_from
from games.titles.rules import AnyPosition, AnyRules
from tests.titles.pairs.rules import PairsRules


def start(rules: AnyRules, seats: int, number: int, **choices: object) -> AnyPosition:
    """Return the start of a game with the options that are chosen, dealt from a number."""
    return start_from(rules, seats, number.to_bytes(32, "big"), choices)


def at_random(position: AnyPosition, seat: int, rng: Random) -> object:
    """Return a random legal action."""
    return rng.choice(list(position.legal(seat)))


def bot(level: str) -> Chooser:
    """Return the general bot of a level."""
    return lambda position, seat, rng: choose(position, seat, level, rng)


def results_of(games: int, chooser: Chooser) -> Counter[str]:
    """Return how many games of Pairs a side of bots wins, loses and ties against random players."""
    rules = PairsRules()
    sides = rules.sides(4)
    results: Counter[str] = Counter()
    for game in range(games):
        deal, bots = divmod(game, 2)
        choosers = [chooser if side == bots else at_random for side in sides]
        places = play(start(rules, 4, deal, hand=10), choosers, Random(game)).places
        own, others = places[bots], places[1 - bots]
        results["won" if own < others else "tied" if own == others else "lost"] += 1
    return results


def main() -> None:
    """Print the results of the games that the command line asks for."""
    parser = argparse.ArgumentParser(description="Measure the general bot on Pairs.")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--level", default="medium")
    options = parser.parse_args()
    results = results_of(options.games, bot(options.level))
    decided = results["won"] + results["lost"]
    sys.stdout.write(f"{dict(results)}, {results['won'] / decided:.1%} of {decided} decided games won\n")


if __name__ == "__main__":
    main()

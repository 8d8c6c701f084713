"""`python -m tests.novaluna.independent`: answer each position record with an action."""

import argparse
import json
import sys

from tests.novaluna.independent.player import GAMES, Player


def main() -> None:
    """Read lines until the input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="played to their end for each action")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    player = Player(options.games, options.seed)
    for line in sys.stdin:
        sys.stdout.write(json.dumps(player.choose(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

"""`python -m tests.lunar.independent`: answer each position record on a line of the input with an action."""

import argparse
import json
import sys

from tests.lunar.independent.player import SAMPLES, Player


def main() -> None:
    """Read lines until the input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=SAMPLES, help="rounds for each action")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    player = Player(options.samples, options.seed)
    for line in sys.stdin:
        sys.stdout.write(json.dumps(player.choose(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

"""The expert's search with other settings, as a program for `manage.py bot_match`.

It plays a fixed number of games for each action, so its strength does not depend on the machine:

    .venv/bin/python -m bench.bot_search --rollouts 256 exploration=0.5 branches=24

The other player of the match can be the search without changes, or one by somebody else: docs/bots.md has
the commands.
"""

import argparse
import json
import math
import random
import sys

import novaluna_site.settings  # noqa: F401 - configures numba, which must be imported later
from games.novaluna.bots.levels import EXPERT, warm_up
from games.novaluna.bots.thinking import Effort, estimate_actions
from games.novaluna.engine import action_to_json
from games.novaluna.rules import NovaLunaRules


def effort_of(settings: list[str], rollouts: int) -> Effort:
    """Return the expert's effort with other settings of the tree, each as `name=value`."""
    changes = {name: json.loads(value) for name, value in (setting.split("=") for setting in settings)}
    # A lead of 1 ends a search only when its choice cannot change any more.
    return EXPERT._replace(
        tree=EXPERT.tree._replace(**changes), rollouts=rollouts, seconds=math.inf, decisive_lead=1.0
    )


def main() -> None:
    """Answer each line with an action until the input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rollouts", type=int, default=256, help="games for each action")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("settings", nargs="*", help="of the tree, such as exploration=0.5")
    options = parser.parse_args()
    effort, rng = effort_of(options.settings, options.rollouts), random.Random(options.seed)
    rules = NovaLunaRules()
    warm_up()
    for line in sys.stdin:
        position = rules.read_position(json.loads(line)).public()
        action = estimate_actions(position, rng, effort)[0].action
        print(json.dumps(action_to_json(action)), flush=True)


if __name__ == "__main__":
    main()

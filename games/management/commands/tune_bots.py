"""`manage.py tune_bots`: find the weights of the bots' policy anew."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.bots.search import policy, weights
from games.bots.search.tuning import Plan, tune

FILE = Path(weights.__file__).with_name(weights.FILE)
OTHER_PHASE = {"phase 1": "phase 2", "phase 2": "phase 1"}


class Command(BaseCommand):
    """Tunes one kind of policy and writes its weights beside the search's code."""

    help = "Tune the weights of the bots' policy, and store them in games/bots/search/weights.json."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the kind of policy, and how much is tried."""
        plan = Plan()
        parser.add_argument(
            "kind", choices=weights.KINDS, help="the number of seats, or the phase of a solo game"
        )
        parser.add_argument("--generations", type=int, default=plan.generations)
        parser.add_argument("--population", type=int, default=plan.population)
        parser.add_argument("--games", type=int, default=plan.games, help="deals played by each, every time")
        parser.add_argument("--seed", type=int, default=plan.seed, help="repeats a run, or makes another one")
        parser.add_argument(
            "--afresh",
            action="store_true",
            help="begin with weights chosen by hand, not with those stored; for phase 1 also in phase 2",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Tune, tell each generation, and store the last."""
        if options["population"] < 8:
            raise CommandError("A population of fewer than 8 has no best ones to go on with.")
        kind = options["kind"]
        stored = json.loads(FILE.read_text(encoding="utf-8"))
        begin = policy.BY_HAND if options["afresh"] else list(stored[kind].values())
        other = None
        if kind == "phase 1" and options["afresh"]:
            other = policy.Policy.of(policy.BY_HAND)
        elif kind in OTHER_PHASE:
            other = weights.policy_named(OTHER_PHASE[kind])
        plan = Plan(*(options[name] for name in Plan._fields))
        found = begin
        for generation, found in enumerate(tune(kind, begin, other, plan), 1):
            self.stdout.write(f"{generation:4} {' '.join(f'{weight:7.3f}' for weight in found)}")
            self.stdout.flush()
        stored = json.loads(FILE.read_text(encoding="utf-8"))  # another run may have stored its own meanwhile
        stored[kind] = dict(zip(policy.NAMES, (round(weight, 4) for weight in found), strict=True))
        FILE.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")
        self.stdout.write(f"Stored in {FILE.name}.")

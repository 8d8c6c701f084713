"""`manage.py tune_bots`: tune the weights of the bots' policy."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.novaluna.bots.search import policy, stored, weights
from games.novaluna.bots.search.tuning import Plan, tune

FILE = Path(stored.__file__).with_name(stored.FILE)
LEAST = {"generations": 1, "population": 8, "games": 1}
OTHER_PHASE = {"phase 1": "phase 2", "phase 2": "phase 1"}


class Command(BaseCommand):
    """Tune one kind of policy, and store its weights beside the search's code."""

    help = "Tune the weights of the bots' policy, and store them in games/novaluna/bots/search/weights.json."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments."""
        plan = Plan()
        parser.add_argument(
            "kind", choices=weights.KINDS, help="the number of seats, or the phase of a solo game"
        )
        parser.add_argument("--generations", type=int, default=plan.generations)
        parser.add_argument("--population", type=int, default=plan.population)
        parser.add_argument(
            "--games", type=int, default=plan.games, help="deals that each candidate plays in a generation"
        )
        parser.add_argument("--seed", type=int, default=plan.seed, help="the same seed repeats a run")
        parser.add_argument(
            "--from-scratch",
            action="store_true",
            help="start with weights chosen by hand, not with the stored ones; for phase 1, use them in "
            "phase 2, too",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Tune, print the weights of each generation, and store the last."""
        for name, least in LEAST.items():
            if options[name] < least:
                raise CommandError(f"--{name} must be at least {least}.")
        kind = options["kind"]
        stored = json.loads(FILE.read_text(encoding="utf-8"))
        initial = policy.INITIAL_WEIGHTS if options["from_scratch"] else list(stored[kind].values())
        other = None
        if kind == "phase 1" and options["from_scratch"]:
            other = policy.Policy.from_weights(policy.INITIAL_WEIGHTS)
        elif kind in OTHER_PHASE:
            other = weights.policy_named(OTHER_PHASE[kind])
        plan = Plan(*(options[name] for name in Plan._fields))
        found = initial
        for generation, found in enumerate(tune(kind, initial, other, plan), 1):
            self.stdout.write(f"{generation:4} {' '.join(f'{weight:7.3f}' for weight in found)}")
            self.stdout.flush()
        stored = json.loads(FILE.read_text(encoding="utf-8"))  # Another run may have stored other weights.
        stored[kind] = dict(zip(policy.NAMES, (round(weight, 4) for weight in found), strict=True))
        command = _command(kind, plan, is_from_scratch=options["from_scratch"])
        earlier = [] if options["from_scratch"] else stored["commands"][kind]
        stored["commands"][kind] = [*earlier, command]
        FILE.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")
        self.stdout.write(f"Stored in {FILE.name}, with the command that made them: {command}")


def _command(kind: str, plan: Plan, *, is_from_scratch: bool) -> str:
    """Return the command that repeats a run, whatever its defaults will be."""
    words = ["tune_bots", f'"{kind}"' if " " in kind else kind]
    words += [f"--{name} {value}" for name, value in plan._asdict().items()]
    return " ".join(words + ["--from-scratch"] * is_from_scratch)

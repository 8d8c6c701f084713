"""What the package of the bots offers: each name is imported on first use.

Code outside the package imports from here, except the commands and benchmarks that measure, match and tune
bots.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from games.novaluna.bots.worth import Chance, Score, Worth, worth_from_float
from games.titles.bots import Budget

if TYPE_CHECKING:
    from games.novaluna.bots.choices import good_actions
    from games.novaluna.bots.judging import Judgement, judge
    from games.novaluna.bots.levels import (
        LEVELS,
        REFERENCES,
        choose,
        estimates,
        evaluate,
        warm_up,
        warm_up_in_steps,
    )
    from games.novaluna.bots.luck import luck_of_deal, luck_of_refill
    from games.novaluna.bots.search.reading import TooLarge
    from games.novaluna.bots.simple import choose_greedily
    from games.novaluna.bots.thinking import Estimate
    from games.novaluna.bots.training import Comparison, compare, worth_beside

__all__ = [
    "LEVELS",
    "REFERENCES",
    "Budget",
    "Chance",
    "Comparison",
    "Estimate",
    "Judgement",
    "Score",
    "TooLarge",
    "Worth",
    "choose",
    "choose_greedily",
    "compare",
    "estimates",
    "evaluate",
    "good_actions",
    "judge",
    "luck_of_deal",
    "luck_of_refill",
    "warm_up",
    "warm_up_in_steps",
    "worth_beside",
    "worth_from_float",
]

# These are imported on first use, because most of them load numba and the compiled search. So processes that
# only serve pages start faster and need less memory.
_MODULES = {
    "LEVELS": "levels",
    "REFERENCES": "levels",
    "Comparison": "training",
    "Estimate": "thinking",
    "Judgement": "judging",
    "TooLarge": "search.reading",
    "choose": "levels",
    "choose_greedily": "simple",
    "compare": "training",
    "estimates": "levels",
    "evaluate": "levels",
    "good_actions": "choices",
    "judge": "judging",
    "luck_of_deal": "luck",
    "luck_of_refill": "luck",
    "warm_up": "levels",
    "warm_up_in_steps": "levels",
    "worth_beside": "training",
}


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return getattr(import_module(f"{__package__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""A chance to win and a solo score: which value is better, by how much, and what is shown."""

import subprocess
import sys

import pytest

from games.novaluna.bots.face import Chance, Score, Worth, worth_from_float
from games.novaluna.engine import Mode


@pytest.mark.parametrize(("better", "worse"), [(Chance(0.6), Chance(0.5)), (Score(92.0), Score(95.0))])
def test_the_better_value_is_the_greater_one(better: Worth, worse: Worth) -> None:
    assert better > worse
    assert max(worse, better) == better
    assert better.lead_over(worse) > 0 > worse.lead_over(better)


def test_a_loss_is_never_negative() -> None:
    assert Chance(1.0).loss_with(Chance(0.25)) == Chance(0.75)
    assert Score(92.0).loss_with(Score(95.0)) == Score(3.0)
    assert Chance(0.25).loss_with(Chance(1.0)) == Chance(0.0)
    assert Score(95.0).loss_with(Score(92.0)) == Score(0.0)


def test_differences_within_the_noise_are_not_clear() -> None:
    assert not Chance(0.54).is_clearly_better_than(Chance(0.5))
    assert Chance(0.56).is_clearly_better_than(Chance(0.5))
    assert not Score(92.5).is_clearly_better_than(Score(93.0))
    assert Score(92.0).is_clearly_better_than(Score(93.0))


@pytest.mark.parametrize(
    ("worth", "loss", "wholes"),
    [(Chance(0.386), Chance(0.124), (39, 12, 27)), (Score(92.4), Score(2.6), (92, 3, 95))],
)
def test_the_whole_numbers_of_a_value_a_loss_and_the_rest_add_up(
    worth: Worth, loss: Worth, wholes: tuple[int, int, int]
) -> None:
    assert (worth.whole, loss.whole, worth.after(loss).whole) == wholes


def test_every_whole_per_cent_is_exact_after_a_loss() -> None:
    for worth in range(101):
        for loss in range(worth + 1):
            assert Chance(worth / 100).after(Chance(loss / 100)).whole == worth - loss


def test_chances_and_scores_cannot_be_compared() -> None:
    assert Chance(1.0) != Score(1.0)
    with pytest.raises(TypeError, match="Chance cannot be combined with a Score"):
        Chance(1.0).lead_over(Score(1.0))


def test_a_stored_number_has_the_type_of_its_mode() -> None:
    assert worth_from_float(Mode.SOLO, 92.5) == Score(92.5)
    assert worth_from_float(Mode.MULTIPLAYER, 0.5) == Chance(0.5)


def test_the_types_and_the_greedy_bot_do_not_load_the_search() -> None:
    names = "Worth, choose_greedily"
    script = f"import sys; from games.novaluna.bots.face import {names}; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

"""Mistakes and luck on the review page: the sums, what was lucky, and reviews without luck."""

import re
from typing import Any, NamedTuple

import pytest
from django.utils import timezone

from games.models import Action, Game, Review, SoloResult
from tests.games.views.review_pages import finished_game, page_of, players, resigned_game, rows_of, text_of
from tests.play import cancel_game, fresh, game_of, play_one, review_of

pytestmark = pytest.mark.django_db

NUMBER = r"([+−]?\d+)"
SUM = re.compile(
    rf"Before the deal {NUMBER} Own mistakes {NUMBER}(?: Opponent's mistakes {NUMBER})?"
    rf" Luck {NUMBER}( ± \d+)? Rest(?: and [a-z ]+)? {NUMBER}( ± \d+)? = Result {NUMBER}"
)
JUDGED = {"best": None, "value": 0.5, "lost": 0, "line": []}


def number_of(text: str) -> int:
    return int(text.replace("−", "-"))


class Sum(NamedTuple):
    """The terms of "Mistakes and luck" of a player. `gifts` are 0 if the page does not name them."""

    before: int
    mistakes: int
    gifts: int
    luck: int
    rest: int
    result: int


def sums_of(page: str) -> list[Sum]:
    """Return the terms of each player; check that both margins are the same."""
    found = SUM.findall(text_of(page))
    assert all(luck_margin == rest_margin for *_, luck_margin, _, rest_margin, _ in found)
    return [
        Sum(*map(number_of, (before, mistakes, gifts or "0", luck, rest, result)))
        for before, mistakes, gifts, luck, _, rest, _, result in found
    ]


def stored(before: float, after: float, error: float = 0.02, *, seats: int = 2) -> dict[str, Any]:
    """Return stored luck of seat 0; in a game for two, seat 1 has the opposite."""
    pair = [[value, 1 - value][:seats] for value in (before, after)]
    return {"version": 1, "before": pair[0], "after": pair[1], "errors": [error] * seats}


def refills_of(game: Game) -> list[int]:
    refills = Action.objects.filter(game=game, payload__do="refill").order_by("number")
    return list(refills.values_list("number", flat=True))


def review_with_luck(game: Game, deal: dict[str, Any], *refills: dict[str, Any]) -> Review:
    """Store a review with this luck of the deal and of the first refills; later refills have no luck."""
    turns: list[dict[str, Any]] = [dict(JUDGED) for _action in range(game.version)]
    turns[0]["deal"] = deal
    for place, number in enumerate(refills_of(game)):
        none = deal | {"after": deal["before"], "errors": [0] * len(deal["errors"])}
        turns[number - 1]["luck"] = refills[place] if place < len(refills) else none
    return Review.objects.create(game=game, turns=turns, finished_at=timezone.now())


@pytest.mark.parametrize("count", [1, 2, pytest.param(4, marks=pytest.mark.slow)])
def test_mistakes_luck_and_the_rest_add_up_to_the_result(count: int) -> None:
    game = finished_game(count)
    review_of(game)
    sums = sums_of(page_of(game))
    assert len(sums) == count
    for *terms, result in sums:
        assert result == sum(terms)
    if count > 1:
        assert {one.before for one in sums} == {round(100 / count)}
        assert sorted(one.result for one in sums) == [*[0] * (count - 1), 100]


@pytest.mark.parametrize("count", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_own_mistakes_are_the_losses_of_the_table(count: int) -> None:
    """So who lost most has the worst number, whichever search counts the luck."""
    game = finished_game(count)
    review = review_of(game)
    review.turns = [
        turn | {"lost": (number % 7) * (1 if count == 1 else 0.031)} if turn["best"] else turn
        for number, turn in enumerate(review.turns)
    ]
    review.save()
    page = page_of(game)
    seats = list(game.actions.order_by("number").values_list("seat", flat=True))
    losses = [0] * count
    for seat, row in zip(seats, rows_of(page), strict=True):
        losses[seat] += int(re.findall(r"(\d*)</td>", row)[-1] or 0)
    assert min(losses) > 0
    sign = 1 if count == 1 else -1
    sums = sums_of(page)
    assert [one.mistakes for one in sums] == [sign * loss for loss in losses]
    assert [one.gifts for one in sums] == (losses[::-1] if count == 2 else [0] * count)


def test_the_luck_is_the_sum_of_the_deal_and_the_refills() -> None:
    game = finished_game(2)
    review_with_luck(game, stored(0.5, 0.47, 0.03), stored(0.4, 0.6, 0.04))
    page = page_of(game)
    by_seat = sums_of(page)
    assert [one.luck for one in by_seat] == [17, -17]
    assert set(re.findall(r"± (\d+)", text_of(page))) == {"10"}, "1.96 × 5 points, rounded up"


def test_the_luckiest_reveals_are_marked_in_the_table() -> None:
    game = finished_game(2)
    first, second = refills_of(game)[:2]
    review_with_luck(game, stored(0.5, 0.47), stored(0.4, 0.6), stored(0.5, 0.2))
    page = page_of(game)
    rows = [text_of(row) for row in rows_of(page)]
    assert "Lucky for Ines: 20 points" in rows[first - 1]
    assert "Lucky for Tobias: 30 points" in rows[second - 1]
    assert "Lucky for Ines: these tiles gave them 20 points of winning chance." in text_of(page)
    assert "Lucky for Tobias: these tiles gave them 30 points of winning chance." in text_of(page)
    assert sum("Lucky for" in row for row in rows) == 2
    assert f'href="#action-{first}"' in page
    assert f'id="action-{first}"' in page


def test_luck_that_could_be_chance_of_the_samples_is_not_marked() -> None:
    game = finished_game(2)
    review_with_luck(game, stored(0.5, 0.6), stored(0.4, 0.6, 0.15), stored(0.5, 0.52, 0.001))
    page = text_of(page_of(game))
    assert "Lucky for Ines: the deal gave them 10 points of winning chance." in page
    assert page.count("ucky for") == 1, "neither a reveal within its error nor a small one"


@pytest.mark.parametrize(
    ("chance", "verdicts"),
    [
        (0.5, {"Luck made no clear difference."}),
        (0.9, {"Luck helped to win.", "Bad luck made it harder."}),
        (0.1, {"Won against bad luck.", "Lost in spite of good luck."}),
        (1.2, {"Luck decided this win.", "Bad luck decided this loss."}),
    ],
)
def test_a_sentence_says_what_luck_did(chance: float, verdicts: set[str]) -> None:
    game = finished_game(2)
    winner = 0 if "Ines wins" in text_of(page_of(game)) else 1
    luck = stored(0.5, chance)
    for name in ("before", "after"):
        luck[name] = luck[name][:: -1 if winner else 1]
    review_with_luck(game, luck)
    page = text_of(page_of(game))
    for verdict in verdicts:
        assert verdict in page


def test_the_luck_of_a_solo_game_is_in_points_of_the_score() -> None:
    game = finished_game(1)
    score = SoloResult.objects.get().score
    deal, refill = stored(95, 92, 0.5, seats=1), stored(100, 107, 1, seats=1)
    review_with_luck(game, deal, refill)
    page = text_of(page_of(game))
    assert sums_of(page_of(game)) == [Sum(95, mistakes=0, gifts=0, luck=4, rest=score - 99, result=score)]
    assert "Unlucky: these tiles cost 7 points." in page
    assert "Lucky: the deal saved 3 points." in page
    assert "Bad luck raised this score." in page
    assert "winning chance" not in page


def test_reviews_without_all_luck_say_nothing_about_luck() -> None:
    game = finished_game(2)
    turns = review_with_luck(game, stored(0.5, 0.6), stored(0.4, 0.6)).turns
    assert "Mistakes and luck" in page_of(game)
    assert "Lucky for Ines" in page_of(game)
    number = refills_of(game)[-1]
    for without in (
        [{name: turn[name] for name in ("best", "value", "lost")} for turn in turns],
        [turn | {"luck": None} if place == number else turn for place, turn in enumerate(turns, 1)],
        [turn | {"deal": turn["deal"] | {"version": 2}} if "deal" in turn else turn for turn in turns],
    ):
        Review.objects.update(turns=without)
        page = page_of(game)
        assert "Mistakes and luck" not in page
        assert "ucky for" not in page
        assert len(rows_of(page)) == game.version


def test_a_game_that_somebody_left_has_mistakes_and_luck() -> None:
    game = resigned_game()
    review_of(game)
    assert sorted(one.result for one in sums_of(page_of(game))) == [0, 100]


def test_a_cancelled_game_has_no_result_to_explain() -> None:
    game = game_of(*players(2))
    play_one(game)
    cancel_game(game)
    review = review_of(fresh(game))
    assert "deal" in review.turns[0]
    assert "Mistakes and luck" not in page_of(game)


def test_a_resignation_is_named_where_the_sum_counts_it() -> None:
    game = resigned_game()
    review_with_luck(game, stored(0.5, 0.5))
    assert "Rest and resignation" in text_of(page_of(game))


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("absent", "Rest and absence"),
        ("time", "Rest and lost time"),
        ("other", "Rest and resignation"),
    ],
)
def test_why_somebody_left_is_named_where_the_sum_counts_it(reason: str, words: str) -> None:
    game = resigned_game(reason)
    review_with_luck(game, stored(0.5, 0.5))
    assert words in text_of(page_of(game))

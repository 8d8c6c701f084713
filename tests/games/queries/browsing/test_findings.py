"""What stands out in results: differences between kinds of games that luck hardly explains."""

from collections.abc import Callable, Sequence
from random import Random

import pytest

from games.queries.browsing.findings import MANY, findings
from games.queries.people.results import ResultsRow

PLAYERS = 500
# The points, the number of players, whether the player moved first, and whether it was a live game.
Game = tuple[float, int, bool, bool]


def row(won: int, drawn: int, lost: int, even: int = 50, label: str = "") -> ResultsRow:
    return ResultsRow(label=label, won=won, drawn=drawn, lost=lost, even=even)


def row_of(games: Sequence[Game]) -> ResultsRow:
    points = [game[0] for game in games]
    even = round(sum(100 / game[1] for game in games) / len(games))
    return row(points.count(1), points.count(0.5), points.count(0), even, f"{games[0][1]} players")


def rows_of(games: Sequence[Game]) -> dict[str, list[ResultsRow]]:
    def split(kind: Callable[[Game], int]) -> list[ResultsRow]:
        kinds = sorted({kind(game) for game in games}, reverse=True)
        return [row_of([game for game in games if kind(game) == one]) for one in kinds]

    return {
        "time": [row_of(games[:MANY]), row_of(games[MANY:])],
        "turn": split(lambda game: game[2]),
        "pace": split(lambda game: game[3]),
        "players": split(lambda game: game[1]),
    }


@pytest.mark.parametrize("sizes", [(2,), (2, 2, 3, 4)])
def test_fewer_than_one_in_twenty_equal_players_get_a_sentence(sizes: Sequence[int]) -> None:
    luck = Random(25)
    found = 0
    counts = (24, 60, 200, 500)
    for played in counts:
        for _player in range(PLAYERS):
            chosen = luck.choices(sizes, k=played)
            games = [
                (float(luck.random() < 1 / size), size, luck.random() < 1 / size, luck.random() < 0.5)
                for size in chosen
            ]
            found += bool(findings(rows_of(games)))
    assert found / PLAYERS / len(counts) < 0.05


def test_kinds_with_other_even_shares_are_no_difference() -> None:
    """Live games for two, and slow ones for four: somebody as strong as the others has different scores."""
    assert findings({"pace": [row(100, 0, 100, 50), row(50, 0, 150, 25)]}) == []


@pytest.mark.parametrize(
    ("key", "rows", "sentence"),
    [
        (
            "time",
            (row(16, 0, 4), row(40, 0, 40)),
            "You have done better lately: 80% in your last 20 games, against 50% in 80 games before.",
        ),
        (
            "time",
            (row(4, 0, 16), row(40, 0, 40)),
            "You used to do better: 20% in your last 20 games, against 50% in 80 games before.",
        ),
        (
            "turn",
            (row(70, 0, 30), row(40, 0, 60)),
            "You do better when you move first: 70% in 100 games, against 40% in 100 games.",
        ),
        (
            "pace",
            (row(40, 0, 60), row(65, 10, 25)),
            "You do better in games that go on for days: 70% in 100 games, against 40% in 100 games.",
        ),
        (
            "players",
            (row(25, 0, 25, 50, "2 players"), row(20, 0, 20, 25, "4 players")),
            "You are strong in games of 4 players: 50% in 40 games; an even share would be 25%.",
        ),
    ],
)
def test_a_large_difference_is_said_with_its_numbers_of_games(
    key: str, rows: Sequence[ResultsRow], sentence: str
) -> None:
    assert findings({key: rows}) == [sentence]


def test_few_games_prove_nothing() -> None:
    assert findings({"turn": [row(19, 0, 0), row(0, 0, 19)]}) == []


def test_the_clearest_difference_comes_first() -> None:
    found = findings({"turn": [row(70, 0, 30), row(40, 0, 60)], "pace": [row(90, 0, 10), row(20, 0, 80)]})
    assert [sentence.split(":")[0] for sentence in found] == [
        "You do better in live games",
        "You do better when you move first",
    ]


def test_equal_results_are_no_difference() -> None:
    assert findings({"turn": [row(30, 0, 0), row(30, 0, 0)]}) == []

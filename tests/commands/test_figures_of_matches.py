"""The figures of matches: intervals, and how many games rank players rightly."""

import math
import random
import re
from typing import Any

import pytest

from games.novaluna.bots.figures import duplicate_figures, independent_games, match_figures, wilson_share
from games.novaluna.bots.matches import Match, MatchGame, play_deal
from games.novaluna.bots.ranking import needs
from tests.commands.matches import bot_match


@pytest.mark.parametrize(
    ("share", "games", "low", "high"),
    [
        (0.5, 10, 0.2366, 0.7634),
        (0.0, 10, 0.0, 0.2775),
        (1.0, 20, 0.8389, 1.0),
        (0.85, 200, 0.7939, 0.8929),
    ],
)
def test_intervals_are_wilson_intervals(share: float, games: int, low: float, high: float) -> None:
    assert wilson_share(share, games) == pytest.approx((share, low, high), abs=0.0001)


def test_games_with_similar_results_on_a_deal_count_less() -> None:
    assert independent_games([[True, False]] * 10) == 20
    assert independent_games([[True, True], [False, False]] * 50) == pytest.approx(99)
    games = [
        MatchGame(deal, players, winner, None, (0, 5), ([], []), ())
        for deal in range(20)
        for players, winner in (((0, 1), deal % 2), ((1, 0), deal % 2))
    ]
    found = match_figures(games)
    assert (found.games, found.deals, found.wins) == (40, 20, 20)
    assert found.share == pytest.approx(wilson_share(0.5, 19))
    assert found.discs == (2.5, 2.5)


@pytest.mark.parametrize(("players", "seats"), [(2, 2), (3, 2), (3, 3), (2, 4), (4, 3)])
def test_each_player_of_a_duplicate_has_each_seat_once_on_the_same_deal(players: int, seats: int) -> None:
    games = play_deal(Match(("random",) * players, seats, is_duplicate=True), 3)
    assert len(games) == players
    for seat in range(seats):
        assert sorted(game.players[seat] for game in games) == list(range(players))


def test_a_duplicate_compares_players_on_the_same_seat() -> None:
    """On each deal, seat 0 gains or loses some discs by luck, and player 0 plays three discs better."""
    games = [
        MatchGame(deal, players, None, None, (10 + luck - 3 * (players[0] == 0), 10), ([], []), ())
        for deal, luck in enumerate([-6, 6, -2, 2, 0, 0])
        for players in ((0, 1), (1, 0))
    ]
    better, worse = duplicate_figures(games, 2)
    assert (better.player, worse.player) == (0, 1)
    assert (better.score.value, worse.score.value) == (3, -3)
    assert better.score.margin == pytest.approx(0)
    assert better.saving == math.inf
    own_deals = [game._replace(deal=2 * game.deal + game.players[0]) for game in games]
    assert duplicate_figures(own_deals, 2)[0].score.margin > 1


def test_without_luck_of_the_deal_a_duplicate_saves_nothing() -> None:
    rng = random.Random(4)
    games = [
        MatchGame(deal, players, None, None, (rng.randrange(20), rng.randrange(20)), ([], []), ())
        for deal in range(400)
        for players in ((0, 1), (1, 2), (2, 0))
    ]
    assert [found.saving for found in duplicate_figures(games, 3)] == pytest.approx([1, 1, 1], abs=0.15)


N = r"(?:[\d.]+|inf|nan)"  # a number, as the command prints it


@pytest.mark.parametrize("options", [{"solo": True}, pytest.param({"players": 3}, marks=pytest.mark.whole)])
def test_a_duplicate_ranks_the_levels(options: dict[str, Any]) -> None:
    heading, *lines = bot_match("easy,random,medium", games=12, duplicate=True, **options)
    assert heading.startswith("Duplicate of 12 games on 4 deals")
    assert [line.split(":")[0] for line in lines[:3]] == ["medium", "easy", "random"]
    measures = ["scores"] if "solo" in options else ["wins", "discs"]
    assert lines[3] == "Games until 95% of matches rank the players so:"
    for line, way in zip(
        lines[4:],
        (f"{name}, {deal}" for name in measures for deal in ("deals of their own", "the same deal")),
        strict=True,
    ):
        assert line.startswith(f"  {way}: ")
        assert re.fullmatch(rf"{N} \({N} to {N}\), {N} times fewer \({N} to {N}\)", line.split(": ")[1])


@pytest.mark.whole
def test_a_duplicate_counts_the_luck_of_all_players() -> None:
    options = {"games": 6, "duplicate": True, "rollouts": 8}
    plain, lucky = bot_match("random,medium", **options), bot_match("random,medium", luck=2, **options)
    assert set(plain) < set(lucky)
    assert [line.split(",")[0].strip() for line in lucky if line not in plain] == [
        "wins less luck",
        "wins less luck",
        "discs less luck",
        "discs less luck",
    ]


def solo_game(deal: int, player: int, score: float, luck: float) -> MatchGame:
    return MatchGame(deal, (player,), None, round(score), (0,), ([],), (), (luck,))


@pytest.mark.whole
def test_the_same_deal_and_luck_taken_out_need_fewer_games() -> None:
    """A deal moves all scores by 12 points (standard deviation), a game by 5; player 1 is 3 points better."""
    rng = random.Random(3)
    games = [
        solo_game(deal, player, 100 + luck + rng.gauss(0, 5) - 3 * player, luck)
        for deal in range(1500)
        for luck in [rng.gauss(0, 12)]
        for player in (0, 1)
    ]
    own, own_less_luck, same, same_less_luck = needs(games, 2)
    # After n deals, the better player is 3 n ahead, with a variance of 2 n (12² + 5²) or 2 n · 5².
    assert own.games.value == pytest.approx(2 * (1.645 / 3) ** 2 * 2 * (144 + 25), rel=0.25)
    for way in (own_less_luck, same, same_less_luck):
        assert way.games.value == pytest.approx(2 * (1.645 / 3) ** 2 * 2 * 25, rel=0.25)
        assert way.saving.low < way.saving.value < way.saving.high
        assert way.saving.value == pytest.approx((144 + 25) / 25, rel=0.25)
    assert (own.way, own_less_luck.way) == (
        "scores, deals of their own",
        "scores less luck, deals of their own",
    )


@pytest.mark.whole
def test_the_games_needed_rank_rightly_in_95_percent_of_matches() -> None:
    rng = random.Random(5)
    games = [
        MatchGame(deal, (0, 1), winner, None, (5 * winner, 5 - 5 * winner), ([], []), ())
        for deal in range(300)
        for winner in [int(rng.random() < 0.4)]
    ]
    wins = [game.winner == 0 for game in games]
    count = round(needs(games, 2)[0].games.value)
    sums = [sum(rng.choices(wins, k=count)) - count / 2 for _ in range(4000)]
    right = sum(lead > 0 for lead in sums) + sum(lead == 0 for lead in sums) / 2
    assert right / 4000 == pytest.approx(0.95, abs=0.015)


def test_no_number_of_games_ranks_equal_players() -> None:
    games = [solo_game(deal, player, 90 + deal, deal) for deal in range(4) for player in (0, 1)]
    assert {need.games.value for need in needs(games, 2)} == {math.inf}

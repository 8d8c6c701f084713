"""`manage.py bot_match` plays bots and programs against each other on the same deals, and prints figures."""

import re
from dataclasses import replace
from io import StringIO
from statistics import covariance, variance
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.novaluna.bots.face import Budget
from games.novaluna.bots.figures import luck_figures
from games.novaluna.bots.matches import Match, MatchGame, play_deal
from tests.commands.matches import FIRST_ACTION, LinesRead, Write, bot_match, results, without_times


@pytest.mark.whole
def test_the_figures_repeat_in_any_number_of_processes() -> None:
    options = {"games": 8, "seed": 5, "rollouts": 40}
    lines = without_times(bot_match("hard,random", processes=2, **options))
    assert lines[0] == "hard against random: 8 games on 4 deals, seed 5"
    assert lines[1].startswith("hard won 8: 100.0% (67.6% to 100.0%) (equal strength: 50%)")
    assert lines[2] == "hard: 0.0 discs left"
    assert re.fullmatch(r"random: \d+\.\d discs left", lines[3])
    assert without_times(bot_match("hard,random", processes=1, **options)) == lines


def test_solo_games_of_each_player_have_their_scores() -> None:
    lines = bot_match("random,medium", games=6, solo=True)
    worse, better = (float(score) for score in re.findall(r"score ([\d.]+) ± [\d.]+ ", " ".join(lines)))
    assert lines[0] == "random: 6 solo games, seed 1"
    assert worse > better + 20
    assert re.match(r"  below 100: \d+\.\d% \(\d+\.\d% to \d+\.\d%\)", lines[2])


def test_each_player_plays_the_same_solo_deal(write: Write, lines_read: LinesRead) -> None:
    games = play_deal(Match((write(FIRST_ACTION), write(FIRST_ACTION)), 1, seed=3), 0)
    assert [game.players for game in games] == [(0,), (1,)]
    assert games[0].score == games[1].score
    decks = [tuple(record["deck"]) for record in lines_read()]
    assert decks[: len(decks) // 2] == decks[len(decks) // 2 :]


def test_markdown_rows_have_the_columns_of_the_docs() -> None:
    [row] = bot_match("medium,random", games=3, players=3, markdown=True)
    assert row.startswith("| medium | random | 3 | 3 | 100.0% (")
    assert row.count("|") == 9
    rows = bot_match("random,medium", games=2, solo=True, markdown=True)
    assert [row.split(" | ")[:2] for row in rows] == [["| random", "2"], ["| medium", "2"]]


def test_luck_repeats_and_does_not_change_the_games() -> None:
    plain = Match(("hard", "random"), 2, 5, Budget(rollouts=24))
    lucky = replace(plain, luck_samples=2)
    games, again = play_deal(lucky, 0), play_deal(lucky, 0)
    assert results(games) == results(play_deal(plain, 0))
    assert [game.luck for game in games] == [game.luck for game in again]
    for game in games:
        assert sum(game.luck) == pytest.approx(0)
        assert game.luck[0] != 0


def test_results_without_their_luck_vary_less() -> None:
    def game(deal: int, seats: tuple[int, int], winner: int, luck: float) -> MatchGame:
        gains = (luck, -luck) if seats[0] == 0 else (-luck, luck)
        return MatchGame(deal, seats, winner, None, (0, 0), ([], []), (), gains)

    lucks = [0.3, -0.2, 0.1, -0.4]
    games = [
        game(deal, seats, int(luck < 0), luck)
        for deal, luck in enumerate(lucks)
        for seats in ((0, 1), (1, 0))
    ]
    found = luck_figures(games, 0)
    assert found.luck.value == pytest.approx(-0.05)
    assert found.result.value == 0.5
    assert found.adjusted_result.value == pytest.approx(0.55)
    assert found.plain == pytest.approx(variance([1, 0] * 4))
    assert found.adjusted == pytest.approx(variance([0.7, 0.2, 0.9, 0.4] * 2))
    assert found.slope == pytest.approx(covariance([1, 0] * 4, lucks * 2) / variance(lucks * 2))
    assert found.share_left.low < found.share_left.value == pytest.approx(found.adjusted / found.plain)
    assert found.share_left.high < 0.5


def test_solo_scores_have_luck_too() -> None:
    lines = bot_match("medium,random", games=3, solo=True, luck=2)
    rows = lines[lines.index("Luck of medium, 2 samples:") + 1 :]
    assert re.fullmatch(r"  luck [+-]\d+\.\d\d ± \d+\.\d\d points", rows[0])
    luck, result, rest = (float(re.findall(r"[+-][\d.]+", row)[0]) for row in rows[:3])
    assert result == pytest.approx(luck + rest, abs=0.02)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"luck": 1}, "--luck must be at least 2"),
        ({"luck": 4, "markdown": True}, "cannot be combined"),
        ({"luck": 4, "games": 2}, "enough for two deals"),
    ],
)
def test_luck_that_has_no_figures_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        bot_match("medium,random", **{"games": 4} | options)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_first_player_has_each_seat_and_place_once_on_the_same_deal(
    seats: int, write: Write, lines_read: LinesRead
) -> None:
    program = write(FIRST_ACTION)
    games = play_deal(Match((program, "random"), seats, seed=9), 4)
    assert sorted(game.players for game in games) == sorted(
        tuple(int(seat != mine) for seat in range(seats)) for mine in range(seats)
    )
    assert len({(*record["deck"][:11], *record["start_order"]) for record in lines_read()}) == 1
    assert not any(game.failures for game in games)
    # Hidden tiles are not sent.
    assert len(lines_read()[0]["deck"]) == 11


def test_deals_differ_by_number_and_seed() -> None:
    first, *others = (
        results(play_deal(Match(("greedy", "random"), 2, seed), number))
        for seed, number in ((1, 0), (1, 1), (2, 0))
    )
    assert first not in others
    assert results(play_deal(Match(("greedy", "random"), 2, 1), 0)) == first


def test_a_limit_in_rollouts_makes_levels_that_search_repeatable() -> None:
    match = Match(("expert", "hard"), 2, budget=Budget(rollouts=30))
    assert results(play_deal(match, 0)) == results(play_deal(match, 0))


@pytest.mark.parametrize(
    ("levels", "options", "words"),
    [
        ("easy", {"duplicate": True}, "--levels must name two or more players for --duplicate"),
        ("easy,medium,hard", {"duplicate": True, "games": 3}, "--games must be enough for two deals"),
        ("easy,medium", {"duplicate": True, "markdown": True}, "--duplicate prints no rows"),
        ("expert,grandmaster", {}, "There is no level “grandmaster”: choose from easy, medium, hard, expert"),
        ("expert", {}, "--levels must name two players, separated by a comma, such as expert,hard"),
        ("easy,medium,hard", {}, "--levels must name two players"),
        ("", {"solo": True}, "There is no level “”"),
        ("easy,cmd:no-such-program --fast", {}, "There is no program to run in “no-such-program --fast”"),
        ("easy,cmd:", {}, "There is no program to run in “”"),
        ("easy,cmd:'", {}, "There is no program to run in “'”"),
        ("easy,medium", {"games": 0}, "--games must be at least 1"),
        ("easy,medium", {"processes": -1}, "--processes must be at least 1"),
        ("easy,medium", {"rollouts": 0}, "--rollouts must be a whole number from 1"),
    ],
)
def test_impossible_matches_are_refused_with_a_message(levels: str, options: Any, words: str) -> None:
    with pytest.raises(CommandError, match=re.escape(words)):
        bot_match(levels, **options)


def test_solo_and_players_exclude_each_other() -> None:
    with pytest.raises(CommandError, match="--solo: not allowed with argument --players"):
        call_command("bot_match", "--levels", "easy", "--players", "2", "--solo")


class Terminal(StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.whole
def test_progress_is_a_bar_on_a_terminal_and_lines_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.novaluna.management.commands.novaluna_match.SECONDS_BETWEEN_LINES", 0)
    shown = []
    for errors in (Terminal(), StringIO()):
        monkeypatch.setattr("sys.stderr", errors)
        bot_match("random", games=2, solo=True)
        shown.append(errors.getvalue())
    on_terminal, elsewhere = shown
    assert re.fullmatch(r"1/2 deals, \d+:\d\d left\n2/2 deals, 0:00 left\n", elsewhere)
    first, last, cleared = on_terminal.split("\r")[1:]
    assert first.startswith("█" * 15 + "░" * 15 + " 1/2 deals, ")
    assert last.startswith("█" * 30 + " 2/2 deals, 0:00 left")
    assert cleared == "\033[K"

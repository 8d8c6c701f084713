"""`manage.py bot_match` plays bots and programs against each other on the same deals, and prints figures."""

import json
import math
import os
import random
import re
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from statistics import covariance, variance
from typing import Any, TextIO

import pytest
from django.core.management import CommandError, call_command

from games.novaluna.bots import Budget, programs
from games.novaluna.bots.figures import (
    duplicate_figures,
    independent_games,
    luck_figures,
    match_figures,
    wilson_share,
)
from games.novaluna.bots.matches import Match, MatchGame, play_deal
from games.novaluna.bots.ranking import needs
from tests.commands.test_replay import PROJECT

Write = Callable[[str], str]
LinesRead = Callable[[], list[dict[str, Any]]]

# Plays the first legal action, and appends every line that it reads to the file in its first argument.
FIRST_ACTION = """
import json, sys
from games.novaluna.engine import action_to_json, read_record, replay, start
for line in sys.stdin:
    with open(sys.argv[1], "a") as file:
        file.write(line)
    setup, log = read_record(line, whole=False)
    position = [start(setup), *(step.position for step in replay(setup, log))][-1]
    print(json.dumps(action_to_json(next(iter(position.legal_actions)))), flush=True)
"""
ENDS = "import sys; sys.stdin.readline()"
# Like the program above, but its first process starts with a line that is not an action.
ANSWERS_WRONGLY_ONCE = (
    """
import sys
from pathlib import Path
started = Path(sys.argv[1] + "-started")
if not started.exists():
    started.touch()
    print("good morning")
"""
    + FIRST_ACTION
)
HANGS = "import sys, time; sys.stdin.readline(); time.sleep(1000)"
HANGS_ON_THE_THIRD_DEAL = FIRST_ACTION.replace("import json", "deals = set(); import json").replace(
    "    setup, log",
    """
    deals.add(tuple(json.loads(line)["deck"][:11]))
    if len(deals) == 3:
        pipe = open(sys.argv[2], "w")
        print("waiting", file=pipe, flush=True)
        sys.stdin.read()
        __import__("time").sleep(1000)
    setup, log""",
)
LEAVES_A_CHILD = "import subprocess; subprocess.run(['sleep', '1000'])"


def bot_match(levels: str, **options: Any) -> list[str]:
    """Return the lines that a match prints."""
    out = StringIO()
    call_command("bot_match", levels=levels, stdout=out, **{"processes": 1} | options)
    return out.getvalue().splitlines()


def without_times(lines: list[str]) -> list[str]:
    return [line for line in lines if "time per action" not in line]


def results(games: list[MatchGame]) -> list[tuple[object, ...]]:
    return [(game.players, game.winner, game.score, game.discs) for game in games]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a Python program, and returns its name as a player."""

    def write(source: str) -> str:
        file = tmp_path / f"program{len(list(tmp_path.iterdir()))}.py"
        file.write_text(f"import sys; sys.path.insert(0, {str(PROJECT)!r})\n{source}")
        return f"cmd:{shlex.join([sys.executable, str(file), str(tmp_path / 'lines')])}"

    return write


@pytest.fixture
def lines_read(tmp_path: Path) -> LinesRead:
    """Return a function that returns the lines that programs have read, in order."""
    return lambda: [json.loads(line) for line in (tmp_path / "lines").read_text().splitlines()]


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


def test_a_program_plays_legally_beside_levels(write: Write) -> None:
    program = write(FIRST_ACTION)
    games = [*play_deal(Match((program, "random"), 4), 0), *play_deal(Match((program,), 1), 0)]
    assert [game.failures for game in games] == [()] * 5
    assert {time.processor for time in games[4].times[0]} == {None}
    assert games[4].score


def failure_of(command: str) -> str:
    """Play with a program that gives no legal action; return how the match describes its failure."""
    [game] = [game for game in play_deal(Match((command, "random"), 2), 0) if game.players == (0, 1)]
    [failure] = game.failures
    assert game.winner == 1
    assert failure.startswith(command)
    return failure.removeprefix(command)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("good morning", "answered “good morning”"),
        ("[" * 9999, f"answered “{'[' * programs.LONGEST_QUOTE}…”"),
        (
            "[" * 99999,
            f"answered with a line of more than 10,000 characters: “{'[' * programs.LONGEST_QUOTE}…”",
        ),
        ('{"seat": 0, "do": "refill"}', "which is not legal"),
        ('{"seat": 1, "do": "resign"}', "which is not legal"),
        ('{"do": "cancel"}', "which is not legal"),
        ('{"seat": 0, "do": "place", "tile": "B1", "x": 5, "y": 5}', "which is not legal"),
    ],
)
def test_a_program_with_a_wrong_answer_leaves_the_game(answer: str, words: str, write: Write) -> None:
    assert words in failure_of(write(f"print({answer!r}, flush=True); input()"))


def test_an_endless_answer_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "ANSWER_SECONDS", 1000.0)
    failure = failure_of("cmd:cat /dev/zero")
    assert failure.startswith(" answered with a line of more than 10,000 characters: “")
    assert failure.isprintable()  # An answer must not send control characters to a terminal.


def test_a_program_with_a_wrong_answer_restarts_for_the_next_game(write: Write) -> None:
    games = play_deal(Match((write(ANSWERS_WRONGLY_ONCE), "random"), 2), 0)
    assert [len(game.failures) for game in games] == [1, 0]


def test_a_program_that_ends_leaves_the_game(write: Write) -> None:
    assert failure_of(write(ENDS)) == " ended without an answer"


@pytest.mark.parametrize("source", [HANGS, LEAVES_A_CHILD])
def test_a_program_that_hangs_leaves_the_game(
    source: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "ANSWER_SECONDS", 1.0)
    assert failure_of(write(source)) == " gave no answer within 1 s"


def test_failures_are_printed_after_the_figures(write: Write, capfd: pytest.CaptureFixture[str]) -> None:
    errors = StringIO()
    lines = bot_match(f"{write(ENDS)},random", games=2, stderr=errors)
    assert " won 0: 0.0% (" in lines[1]
    first, deal, *_others = errors.getvalue().splitlines()
    assert first == "Games that a program resigned, because it did not answer with a legal action: 2"
    assert re.fullmatch(r"  deal 0: cmd:.* ended without an answer", deal)


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


@pytest.mark.parametrize("options", [{"solo": True}, {"players": 3}])
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


@pytest.mark.parametrize("levels", ["cmd:cat a,b,easy", "cmd:cat 'a,b',easy", "cmd:cat a,easy,hard"])
def test_a_comma_in_a_command_gets_a_hint(levels: str) -> None:
    with pytest.raises(CommandError, match="Commas separate players: put a command with a comma into a"):
        bot_match(levels)


class Terminal(StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


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


def next_line(pipe: TextIO) -> str:
    """Return the next line, or an empty string at the end."""
    ready, _, _ = select.select([pipe], [], [], 60)
    assert ready
    return pipe.readline()


def test_ctrl_c_prints_the_figures_so_far_and_ends_all_processes(write: Write, tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    command = f"{write(HANGS_ON_THE_THIRD_DEAL)} {shlex.quote(str(path))}"
    with (
        os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK)) as pipe,
        subprocess.Popen(
            [sys.executable, "manage.py", "bot_match", f"--levels={command},random", "--processes=1"],
            cwd=PROJECT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as match,
    ):
        assert next_line(pipe) == "waiting\n"
        os.killpg(match.pid, signal.SIGINT)  # as a terminal does
        out, errors = match.communicate(timeout=60)
        assert next_line(pipe) == ""  # All processes that could write have ended.
    # The match may or may not have received the second deal when it was stopped.
    assert re.search(r": (2 games on 1|4 games on 2) deals, seed 1", out)
    assert errors == "Stopped. These figures are for the finished games.\n"
    assert match.returncode == 0

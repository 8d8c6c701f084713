"""The statistics of a person's finished games."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.models import Game, RatingChange, Review
from games.queries.browsing.insights import Insights, insights
from games.queries.people.results import ResultsRow
from games.services import tables
from tests.clients import client_of
from tests.play import fresh, game_of, let_everybody_move, person, play_one, score_of

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture
def ines() -> User:
    return person("Ines")


def ended(game: Game, *places: int, discs: tuple[int, ...] = ()) -> Game:
    """End a game in which everybody has moved, with these places and numbers of discs that are left."""
    let_everybody_move(game)
    for number, place in enumerate(places):
        left = discs[number] if discs else 0
        game.seats.filter(number=number).update(place=place, figures={"discs": left, "time": 9})
    Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER)
    return fresh(game)


def counts_of(rows: Sequence[ResultsRow]) -> dict[str, tuple[int, int, int, int]]:
    return {row.label: (row.won, row.drawn, row.lost, row.percent) for row in rows}


def rows(shown: Insights, key: str) -> dict[str, tuple[int, int, int, int]]:
    return counts_of(next((split.rows for split in shown.splits if split.key == key), ()))


def test_results_are_counted_by_players_and_opponents(ines: User) -> None:
    tobias, mina = person("Tobias"), person("Mina")
    ended(game_of(ines, tobias), 1, 2)
    ended(game_of(tobias, ines), 1, 2)
    ended(game_of(ines, tobias), 1, 1)
    ended(game_of(ines, tobias, mina), 3, 2, 1)
    ended(tables.open_table(ines, tables.TableOptions(3), ["easy", "hard"]), 2, 3, 1)
    ended(game_of(tobias, mina), 1, 2)
    game = ended(game_of(ines, tobias), 1, 2)
    Game.objects.filter(pk=game.pk).update(is_without_hints=False)
    game_of(ines, tobias)
    shown = insights(ines)
    assert shown.total is not None
    assert (shown.total.won, shown.total.drawn, shown.total.lost) == (1, 1, 3)
    assert list(counts_of(shown.over_time).values()) == [(1, 1, 3, 30)]
    assert shown.findings == [], "there are too few games"
    mark = "The mark in a bar is an even share."
    assert mark in client_of(ines).get("/finished/statistics/").text
    assert mark not in client_of(mina).get("/finished/statistics/").text, "no row has enough games for a bar"
    assert [
        (row.label, row.even) for split in shown.splits for row in split.rows if split.key == "players"
    ] == [
        ("2 players", 50),
        ("3 players", 33),
    ]
    assert rows(shown, "people") == {"Tobias": (1, 1, 2, 38), "Mina": (0, 0, 1, 0)}
    assert rows(shown, "players") == {"2 players": (1, 1, 1, 50), "3 players": (0, 0, 2, 0)}
    assert rows(shown, "opponents") == {
        "People in games that are not rated": (1, 1, 2, 38),
        "Bots: hard": (0, 0, 1, 0),
    }


def test_few_games_show_their_number_and_from_how_many_on_they_say_more(ines: User) -> None:
    tobias, mina = person("Tobias"), person("Mina")
    pages = []
    for others in ([tobias], [mina], [tobias, mina], [tobias], [mina]):
        ended(game_of(ines, *others), 1, *range(2, 2 + len(others)))
        pages.append(" ".join(client_of(ines).get("/finished/statistics/").text.split()))
    compared = ("By number of players", "By person", "Your score is 100%")
    for number, page in enumerate(pages[:4], 1):
        assert f"{number} game{'s' * (number > 1)} with others: {number} won, 0 lost." in page
        assert not any(text in page for text in compared)
    assert "After 4 more games that count, you see your score here" in pages[0]
    assert "After 1 more game that counts, you see your score here" in pages[3]
    assert all(text in pages[4] for text in compared)
    assert "more game" not in pages[4]
    for number, page in enumerate(pages, 1):
        assert page.count("row--finished") == (number if number < 5 else 0), (
            "the games instead of their averages"
        )
        assert ("On average" in page) is (number == 5)


def test_results_are_counted_by_who_moved_first(ines: User) -> None:
    expected = {"You moved first": [0, 0], "You moved later": [0, 0]}
    for places in ((1, 2), (2, 1), (1, 2), (1, 2), (2, 1), (1, 2)):
        game = game_of(ines, person(f"Mina{Game.objects.count()}"))
        play_one(game)
        is_first = game.actions.get(number=1).made_by == ines
        ended(game, *places)
        expected["You moved first" if is_first else "You moved later"][places[0] - 1] += 1
    shown = rows(insights(ines), "turn")
    if all(any(counts) for counts in expected.values()):
        assert {label: [won, lost] for label, (won, _drawn, lost, _percent) in shown.items()} == expected
    else:
        assert shown == {}, "all games are of one kind"


def test_the_clearest_difference_comes_first(ines: User) -> None:
    tobias = person("Tobias")
    for number in range(15):
        game = ended(game_of(ines, tobias), *((2, 1) if number < 5 else (1, 2)))
        Game.objects.filter(pk=game.pk).update(moved_at=timezone.now() - timedelta(days=20 - number))
    page = client_of(ines).get("/finished/statistics/")
    shown = page.context["insights"]
    assert list(counts_of(shown.over_time).values()) == [(10, 0, 0, 100), (0, 0, 5, 0)]
    assert [point.is_best for point in shown.curve.points] == [False] * 10 + [True]
    assert shown.curve.grid[0].score == 0
    text = " ".join(page.text.split())
    assert "The highest is 100%." in text
    assert shown.findings == [], "there are too few games"
    assert "15 games with others: 10 won, 5 lost. Your score is 67%, and an even share would be 50%." in text
    assert "Luck alone can move the score of 15 games by 25 points either way, and of 5 games by 44." in text


def test_live_games_come_first_in_languages_that_sort_them_last(
    ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"Live games": "Sofortspiele", "Other games": "Andere Spiele"}
    monkeypatch.setattr("games.queries.browsing.insights._", lambda text: names.get(text, text))
    for number in range(2):
        game = ended(game_of(ines, person(f"Tobias{number}")), 1, 2)
        Game.objects.filter(pk=game.pk).update(pace="live5" if number else "slow")
    assert list(rows(insights(ines), "pace")) == ["Sofortspiele", "Andere Spiele"]


def test_a_game_counts_after_a_seat_changed_hands_although_its_new_player_had_no_turn(ines: User) -> None:
    game = ended(game_of(ines, person("Tobias")), 1, 2)
    game.seats.filter(number=1).update(user=person("Mina"))
    total = insights(ines).total
    assert total is not None
    assert (total.won, total.lost) == (1, 0)


def test_the_page_says_what_stands_out_or_that_nothing_does(
    ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended(game_of(ines, person("Tobias"), person("Mina")), 1, 2, 3)
    for _game in range(4):
        ended(game_of(ines, person(f"Halley{Game.objects.count()}")), 1, 2)
    client = client_of(ines)
    assert "Luck can explain all differences below." in client.get("/finished/statistics/").text
    monkeypatch.setattr("games.queries.browsing.findings.MANY", 4)
    page = " ".join(client.get("/finished/statistics/").text.split())
    assert (
        "<li>You are strong in games of 2 players: 100% in 4 games; an even share would be 50%.</li>" in page
    )
    assert "Only what luck rarely explains stands out." in page
    assert "Luck can explain" not in page


def test_people_are_as_strong_as_their_rating_was_then(ines: User) -> None:
    tobias = person("Tobias")
    for theirs in (1601, 1600, 1399):
        game = ended(game_of(ines, tobias), 1, 2)
        for seat, mean in ((0, 1500), (1, theirs)):
            RatingChange.objects.create(
                game=game,
                user=(ines, tobias)[seat],
                seat=seat,
                place=1 + seat,
                has_left=False,
                ended_at=game.opened_at,
                mean_before=mean,
                deviation_before=90,
                mean=mean,
                deviation=90,
                games=1,
                model="test",
            )
    assert list(rows(insights(ines), "opponents")) == [
        "People who were stronger",
        "People about as strong",
        "People who were weaker",
    ]


def test_a_title_adds_its_own_numbers(ines: User) -> None:
    tobias = person("Tobias")
    ended(game_of(ines, tobias), 1, 2, discs=(0, 5))
    ended(game_of(ines, tobias), 1, 2, discs=(0, 2))
    ended(game_of(ines, tobias), 2, 1, discs=(7, 0))
    assert [one.value for one in insights(ines).statistics] == ["7.0", "3.5"]


def test_solo_games_have_their_place(ines: User) -> None:
    score_of(ines, 97)
    pages = [client_of(user).get("/finished/statistics/").text for user in (ines, person("Mina"))]
    assert ["best score 97" in page for page in pages] == [True, False]
    assert ["No finished games to count yet." in page for page in pages] == [False, True]


def test_losses_are_those_of_own_actions_in_finished_reviews(ines: User) -> None:
    game = game_of(ines, person("Tobias"))
    for _action in range(6):
        play_one(game)
    ended(game, 1, 2)
    own = list(game.actions.filter(made_by=ines).values_list("number", flat=True))
    turns = [{"lost": 0.1 * number + 0.0045 if number in own else 0.9} for number in range(1, 7)]
    review = Review.objects.create(game=game, turns=turns)
    assert insights(ines).losses.games == 0
    assert "No game of yours has a review yet." in client_of(ines).get("/finished/statistics/").text
    Review.objects.filter(pk=review.pk).update(finished_at=game.opened_at)
    losses = insights(ines).losses
    assert losses.games == 1
    assert [loss.number for loss in losses.worst] == sorted(own, reverse=True)[:5]
    given = [
        sum(round(100 * turns[n - 1]["lost"]) for n in own if (n - 1) // 2 == phase) for phase in range(3)
    ]
    assert [phase.text for phase in losses.phases] == [
        f"lost {loss} points of winning chance" for loss in given
    ], "the sums of what the review shows"
    assert max(phase.percent for phase in losses.phases) == 100
    page = client_of(ines).get("/finished/statistics/").text
    assert f'href="{game.get_absolute_url()}?at={own[-1]}&amp;review=action"' in page
    assert "After 4 more games with a review, you see in which part of a game" in " ".join(page.split())
    assert "Where mistakes cost most" not in page, "one game proves nothing"
    Game.objects.filter(pk=game.pk).update(is_without_hints=False)
    ended(game_of(ines, person("Mina")), 1, 2)
    page = client_of(ines).get("/finished/statistics/").text
    assert "No game that counts here has a review yet." in page
    assert 'href="/finished/?review=yes' in page


def test_only_the_person_sees_their_statistics_with_few_queries(
    ines: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = client_of(ines)
    assert "No finished games to count yet." in client.get("/finished/statistics/").text
    assert Client().get("/finished/statistics/").status_code == 302
    for count, queries in ((1, 17), (5, 14)):  # Few games are listed.
        for _game in range(count):
            game = ended(game_of(ines, person(f"Mina{Game.objects.count()}")), 1, 2)
            Review.objects.create(game=game, turns=[{"lost": 0.5}] * 1002, finished_at=game.opened_at)
        with django_assert_max_num_queries(queries):
            client.get("/finished/statistics/?title=unknown")


def test_discs_of_players_who_left_do_not_count(ines: User) -> None:
    tobias = person("Tobias")
    ended(game_of(ines, tobias), 2, 1, discs=(4, 0))
    left = ended(game_of(ines, tobias), 2, 1, discs=(19, 3))
    left.seats.filter(number=0).update(has_left=True)
    assert [one.value for one in insights(ines).statistics] == ["4.0"]

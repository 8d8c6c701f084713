"""The page of a finished review: chart, key actions, all actions and their numbers."""

import random
import re
import uuid
from itertools import islice

import pytest

from accounts.models import User
from games.log.replay import secret_log
from games.models import Review
from games.novaluna.engine import Resign, action_to_json
from games.services.play import play
from tests.clients import client_of
from tests.games.views.review_pages import finished_game, part_of, players, resigned_game, rows_of, text_of
from tests.play import fresh, game_of, mover, person, play_out, random_actions, review_of

pytestmark = pytest.mark.django_db


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_finished_review_shows_the_chart_the_key_actions_and_all_actions(count: int) -> None:
    game = finished_game(count)
    review = review_of(game)
    page = part_of(game)
    judged = [turn for turn in review.turns if turn["value"] is not None]
    assert len(judged) > 20, "too few turns for this test"
    title = "Expected score" if count == 1 else "Chance to win"
    assert f'<h2 id="h-chart">{title}</h2>' in page
    lines = re.findall(r'<path class="line[^"]*" d="M([^"]*L[^"]*)"', page)
    assert len(lines) == (4 if count == 4 else 1), "two players share a line"
    assert sum(line.count("L") + 1 for line in lines) == len(judged) + len(lines), (
        "each line also has a point for the result"
    )
    assert page.count('<article class="panel key"') == 3
    assert page.count('<figure class="shot') == 6
    rows = rows_of(page)
    assert len(rows) == game.version
    lost = {number: turn["lost"] for number, turn in enumerate(review.turns, 1) if turn["lost"]}
    worst = sorted(lost, key=lambda number: -lost[number])[:3]
    assert [number for number, row in enumerate(rows, 1) if "is-key" in row] == sorted(worst)
    for number in worst:
        assert f'href="/g/{game.key}/?at={number}&amp;review=action"' in rows[number - 1]
    for number, row in enumerate(rows, 1):
        assert ("better: " in row) is (number in lost)


def test_own_mistakes_of_the_visitor_come_before_those_of_others_and_are_named_so() -> None:
    game = resigned_game()
    review = review_of(game)
    seats = [*game.actions.order_by("number").values_list("seat", flat=True)][:-1]
    own = [number for number, seat in enumerate(seats, 1) if seat == 0][:3]
    others = [number for number, seat in enumerate(seats, 1) if seat == 1][:2]
    losses = {own[0]: 0.1, own[1]: 0.05, own[2]: 0.04, others[0]: 0.2, others[1]: 0.06}
    review.turns = [
        turn | {"value": 0.5, "lost": losses.get(number, 0)} for number, turn in enumerate(review.turns, 1)
    ]
    review.save()

    def key_actions(page: str) -> list[int]:
        return [number for number, row in enumerate(rows_of(page), 1) if "is-key" in row]

    ines, tobias = (client_of(User.objects.get(username=name)) for name in ("Ines", "Tobias"))
    assert key_actions(part_of(game, ines)) == sorted([own[0], own[1], others[0]]), "4 of 20 is too little"
    assert key_actions(part_of(game, tobias)) == sorted([others[0], others[1], own[0]])
    assert key_actions(part_of(game)) == sorted([others[0], own[0], others[1]]), "a visitor has no side"
    assert "Actions of others are among them" in part_of(game, ines)
    assert "Actions of others are among them" not in part_of(game)
    assert re.search("Key actions of (Ines and Tobias|Tobias and Ines)", text_of(part_of(game, ines)))
    for number in others:
        review.turns[number - 1]["lost"] = 0
    review.save()
    board = f"/g/{game.key}/?at={own[0]}&review=key"
    for client, heading in ((ines, "Your key actions"), (tobias, "Key actions of Ines")):
        assert f"{heading} The actions that lost most" in text_of(part_of(game, client))
        assert f'<nav class="strip" aria-label="{heading}">' in client.get(board).text


def test_points_of_the_chart_say_the_chance_before_a_mistake_and_after_it() -> None:
    game = play_out(game_of(*players(2)))
    review = review_of(game)
    page = part_of(game)
    number, turn = max(enumerate(review.turns, 1), key=lambda item: item[1]["lost"] or 0)
    [point] = re.findall(rf'<a id="point-{number}".*?</a>', page, re.DOTALL)
    before, after = round(100 * turn["value"]), round(100 * (turn["value"] - turn["lost"]))
    assert f"{before}% → {after}%" in text_of(point)


def test_chart_and_list_of_a_game_for_two_show_the_chance_of_the_reader() -> None:
    game = play_out(game_of(*players(2)))
    review = review_of(game)
    judged = {
        number: turn["value"] for number, turn in enumerate(review.turns, 1) if turn["value"] is not None
    }
    seats = dict(game.actions.values_list("number", "seat"))
    for name, seat in (("Ines", 0), ("Tobias", 1), ("", 0)):
        page = part_of(game, client_of(User.objects.get(username=name)) if name else None)
        first, second = re.findall(r'<p class="chart__side">.*?<span[^>]*>([^<]+)</span></p>', page)
        assert (first, second) == (("Ines", "Tobias") if seat == 0 else ("Tobias", "Ines"))
        whose = "your chance" if name else f"the chance of {first}"
        assert f"is {whose} in every row, with the best action" in text_of(page)
        assert ("Your chance to win" in text_of(page)) is bool(name)
        for number, value in judged.items():
            worth = round(100 * (value if seats[number] == seat else 1 - value))
            assert re.search(
                rf">({worth}|{100 - round(100 * (1 - worth / 100))})%</td>", rows_of(page)[number - 1]
            )
        [path] = re.findall(r'<path class="line[^"]*" d="M([^"]*)"', page)
        has_won = "You win" in page or f"{first} wins" in text_of(page)
        assert path.endswith("100 0") is has_won, "the line ends at the top if the first has won"


def test_marks_are_on_the_line_where_the_board_after_the_action_is() -> None:
    game = play_out(game_of(*players(2)))
    review_of(game)
    page = part_of(game)
    [path] = re.findall(r'<path class="line[^"]*" d="M([^"]*)"', page)
    line = {point.split()[0]: point.split()[1] for point in path.split("L")}
    marks = re.findall(r'id="point-(\d+)".*?--x:([\d.]+);--y:([\d.]+)', page, re.DOTALL)
    assert len(marks) > 20
    assert all(line.get(x, y) == y for _number, x, y in marks)
    assert marks[-1][:2] == (str(game.version), "100")
    assert "line__end" not in page
    board = (
        client_of(User.objects.get(username="Ines"))
        .get(f"/g/{game.key}/?at={game.version}&review=point")
        .text
    )
    assert 'class="strip__here" d="M100 0V100"' in board, "the last action is at the end of the line"


def test_a_resignation_at_the_end_is_marked_and_no_part_of_the_line() -> None:
    game = resigned_game()
    review_of(game)
    page = part_of(game)
    [end] = re.findall(r'<path class="line__end" d="M([^"]*)"', page)
    [path] = re.findall(r'<path class="line" d="M([^"]*)"', page)
    assert end.startswith(path.split("L")[-1])
    assert end.endswith("L100 0")
    [mark] = re.findall(rf'<a id="point-{game.version}".*?</a>', page, re.DOTALL)
    assert "is-end" in mark
    assert f"Action {game.version}, Tobias: resigned." in text_of(mark)
    assert "Chance to win" not in text_of(mark)


def test_each_key_action_names_the_better_one_and_why_it_gains() -> None:
    game = play_out(game_of(*players(2)))
    review = review_of(game)
    for article in re.findall("<article.*?</article>", part_of(game), re.DOTALL):
        text = text_of(article)
        number = int(re.search(r"Action (\d+), (Ines|Tobias) lost", text)[1])
        turn = review.turns[number - 1]
        points = round(100 * turn["lost"])
        assert f"lost {points} point{'s' * (points != 1)} of winning chance" in text
        chance = rf"Chance to win for (Ines|Tobias): {round(100 * turn['value'])}% with the better action"
        assert re.search(chance, text)
        assert "Better: " in text
        assert re.search("<li>[^<]+</li>", article) or "The gain comes later" in text
        assert f'href="/g/{game.key}/?at={number}&amp;review=key"' in article


def test_the_pictures_of_a_key_action_name_the_columns_and_rows_of_both_cells() -> None:
    game = play_out(game_of(*players(2)))
    review_of(game)
    articles = re.findall("<article.*?</article>", part_of(game), re.DOTALL)
    assert len(articles) == 3
    for article in articles:
        captions = re.findall(r"<figcaption>\s*(?:Played|Better): (.*?)\s*</figcaption>", article)
        cells = [caption.split(" at ")[1] for caption in captions if " at " in caption]
        pictures = re.findall(r'<g class="shot__names".*?</g>', article, re.DOTALL)
        assert len(pictures) == 2
        assert cells
        for picture in pictures:
            names = re.findall(">([^<]+)</text>", picture)
            assert {part for cell in cells for part in cell.split()} <= set(names)


@pytest.mark.parametrize("count", [1, 2])
def test_the_rounded_numbers_of_a_turn_add_up(count: int) -> None:
    game = finished_game(count)
    review = review_of(game)
    unit_value = 1 if count == 1 else 0.01
    review.turns = [
        {**turn, "value": 39.4 * unit_value, "lost": 14.6 * unit_value} if turn["lost"] else turn
        for turn in review.turns
    ]
    review.save()
    unit, left = ("", 54) if count == 1 else ("%", 24)
    page = part_of(game)
    articles = re.findall("<article.*?</article>", page, re.DOTALL)
    assert len(articles) == 3
    for article in articles:
        assert f"lost 15 points{' of winning chance' * (count > 1)}" in text_of(article)
        assert f": 39{unit} with the better action, {left}{unit} with the action played" in text_of(article)
    numbers = re.compile(rf">(39|61){unit}</td>.*?15</td>", re.DOTALL)
    lost = [bool(turn["lost"]) for turn in review.turns]
    assert [bool(numbers.search(row)) for row in rows_of(page)] == lost
    if count == 1:
        assert f"lost {15 * sum(lost)} points" in text_of(page)


@pytest.mark.slow
@pytest.mark.parametrize(("count", "has_names"), [(1, False), (2, True)])
def test_the_table_names_the_player_of_each_turn_except_in_solo_games(count: int, has_names: bool) -> None:
    game = finished_game(count)
    review_of(game)
    names = [re.search(r"<b[^>]*>\s*(.+):\s*</b>", row) for row in rows_of(part_of(game))]
    assert all(bool(name) is has_names for name in names)
    if has_names:
        movers = game.actions.order_by("number").values_list("seat", flat=True)
        assert [name[1] for name in names] == [("Ines", "Tobias")[seat] for seat in movers]


def test_losses_in_a_solo_game_are_in_points() -> None:
    game = finished_game(1)
    review = review_of(game)
    page = text_of(part_of(game))
    assert "Lower is better" in page
    assert f"lost {sum(round(turn['lost']) for turn in review.turns)} points" in page
    assert "%" not in page


def test_losses_in_a_game_with_others_are_points_of_winning_chance_per_turn() -> None:
    game = resigned_game()
    review = review_of(game)
    seats = [*game.actions.order_by("number").values_list("seat", flat=True)][:-1]
    review.turns = [
        turn | {"value": 0.5, "lost": 0.1 if number == 0 else 0} for number, turn in enumerate(review.turns)
    ]
    review.save()
    page = text_of(part_of(game))
    own = seats.count(seats[0])
    assert f"Lost 10 points of winning chance, {10 / own:.1f} per turn" in page
    assert "Lost 0 points of winning chance, 0.0 per turn" in page


def test_actions_in_a_decided_game_do_not_count_as_well_chosen() -> None:
    game = resigned_game()
    review = review_of(game)
    judged = [turn for turn in review.turns if turn["lost"] is not None]
    for turn in judged:
        turn |= {"value": 0.98, "lost": 0}
    judged[0]["value"] = 0.5
    review.save()
    page = text_of(part_of(game))
    assert "Found the best action 1 of 1 time" in page
    assert "more actions do not count: the game seemed decided by then" in page
    judged[1]["lost"] = 0.97
    review.save()
    assert "Found the best action 0 of 1 time" in text_of(part_of(game)), "the other threw a won game away"
    Review.objects.update(turns=[turn | {"value": 0.9} if turn in judged else turn for turn in review.turns])
    assert "seemed decided" not in text_of(part_of(game))


def test_a_key_action_with_a_loss_that_reasons_do_not_carry_shows_how_the_game_could_go_on() -> None:
    game = resigned_game()
    review = review_of(game)
    start = secret_log(game).start
    best, *line = islice(random_actions(start, random.Random(1)), 30)
    review.turns = [turn | {"lost": 0} for turn in review.turns]
    review.turns[0] |= {"best": action_to_json(best), "value": 0.9, "lost": 0.7}
    pages = []
    for stored in ([action_to_json(one) for one in line], [], None):
        review.turns[0]["line"] = stored
        review.save()
        [article] = re.findall("<article.*?</article>", part_of(game), re.DOTALL)
        pages.append(text_of(article))
        assert "gain comes later" in pages[-1]
    assert [("for example:" in text) for text in pages] == [True, False, False]


def test_a_resignation_is_shown_without_a_judgement() -> None:
    game = resigned_game()
    review_of(game)
    rows = rows_of(part_of(game))
    assert "Tobias: resigned" in text_of(rows[-1])
    assert "–" in text_of(rows[-1])
    assert "%" in text_of(rows[0])


def test_the_review_of_a_game_without_choices_is_empty() -> None:
    ines, tobias = players(2)
    game = game_of(ines, tobias)
    play(game.key, tobias, Resign(0), 1, uuid.uuid4())
    review_of(fresh(game))
    assert "nobody had a choice that the expert could judge" in part_of(game)


def test_turns_that_could_not_be_judged_are_counted() -> None:
    game = resigned_game()
    review = review_of(game)
    texts = {
        "The expert could not judge 1 action, because a display was too large": {"failed": False},
        "1 action has no judgement, because its search failed": {"failed": True},
        "1 action has no judgement: a display was too large for the expert, or the search failed": {},
    }
    for shown, stored in texts.items():
        review.turns[1] = {"best": None, "value": None, "lost": None, **stored}
        review.save()
        page = text_of(part_of(game))
        assert [text for text in texts if text in page] == [shown]


def test_every_viewer_sees_the_same_review_except_for_the_word_you() -> None:
    game = resigned_game()
    review_of(game)
    spectator_page, player_page = part_of(game), part_of(game, client_of(User.objects.get(username="Ines")))
    assert "Game of Ines and Tobias · Ines wins" in text_of(spectator_page)
    assert "Game with Tobias · You win" in text_of(player_page)
    assert list(map(text_of, rows_of(spectator_page))) == list(map(text_of, rows_of(player_page)))


def test_the_page_leads_on_to_a_rematch_and_the_next_game() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game, other = play_out(game_of(ines, tobias)), game_of(ines, tobias)
    page = client_of(mover(other)).get(f"/g/{game.key}/review/").text
    assert f'action="/g/{game.key}/rematch/"' in page
    assert f'href="{other.get_absolute_url()}"' in page
    assert f"/g/{game.key}/rematch/" not in client_of(person("Noor")).get(f"/g/{game.key}/review/").text

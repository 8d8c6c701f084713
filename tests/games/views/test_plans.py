"""Plans on the pages: their player makes, changes and drops them, with and without scripts, and as text."""

import uuid

import pytest
from django.test import Client
from django_webtest import DjangoTestApp
from webtest import TestResponse

from accounts.models import User
from games.models import Game, Plan, Vote
from games.novaluna.board.events import describe_action
from games.novaluna.board.plan import write_wishes
from games.novaluna.board.words import format_dots, name_tiles
from games.novaluna.engine import TILES, Place, Refill
from games.services import plans, votes
from games.services.play import play
from tests.clients import HTMX, client_of, drawn_for
from tests.play import fresh, game_of, mover, person, play_one, position_of, solo_of, turn_mail

pytestmark = pytest.mark.django_db


@pytest.fixture
def planner(game: Game) -> User:
    return User.objects.exclude(pk=mover(game).pk).get()


def tiles_of(game: Game) -> list[str]:
    return [tile.code for tile in position_of(game).wheel.spaces if tile]


def wishes_of(game: Game) -> str:
    return write_wishes(Plan.objects.get(game=game).actions)


def press(page: TestResponse, button: str) -> TestResponse:
    """Press the first button of the plan that this selector finds, and return the next page."""
    pressed = page.html.select_one(f".plan {button}")
    form = page.html.find(id=pressed["form"]) if "form" in pressed.attrs else pressed.find_parent("form")
    fields = {field["name"]: field["value"] for field in form.select("input[type=hidden]")}
    if "name" in pressed.attrs:
        fields[pressed["name"]] = pressed["value"]
    return page.test_app.post(form["action"], fields).follow()


@pytest.mark.parametrize("mode", ["", "text/"])
def test_a_plan_is_made_changed_and_dropped_without_scripts(
    django_app: DjangoTestApp, game: Game, planner: User, mode: str
) -> None:
    address, tiles = f"{game.get_absolute_url()}{mode}", tiles_of(game)
    page = django_app.get(address, user=planner).click("Plan my turn")
    for tile in tiles[3], tiles[5]:
        page = page.goto(page.html.select_one(f'a[href*="tile={tile}"]')["href"])
        page = page.goto(page.html.select_one(f'a[href*="tile={tile}&x=0&y=0"]')["href"])
        [form] = {form for form in page.forms.values() if "tile" in form.fields}
        page = form.submit().follow()
    assert wishes_of(game) == f"{tiles[3]}_0_0 {tiles[5]}_0_0"
    assert "unless somebody refills the wheel" in page
    goals = "; ".join(format_dots(goal.needs) for goal in TILES[tiles[3]].goals)
    assert f"({goals})" in page.html.select_one(".plan li").text
    page = press(page, '[aria-label^="Move up"]')
    assert wishes_of(game) == f"{tiles[5]}_0_0 {tiles[3]}_0_0"
    page = press(page, '[aria-label^="Remove"]')
    assert wishes_of(game) == f"{tiles[3]}_0_0"
    page = press(page, f'[value="{tiles[3]}_0_0 refill"]')
    assert wishes_of(game) == f"{tiles[3]}_0_0 refill"
    page = press(page, "button:not([name])")
    assert Plan.objects.get().outlasts_reveals
    assert "even if new tiles have come" in page
    press(page, '[value=""]')
    assert not Plan.objects.exists()


def test_scripts_get_the_board_with_the_plan_and_its_address(game: Game, planner: User) -> None:
    client, tile = client_of(planner), tiles_of(game)[4]
    fields = {"number": 1, "wishes": "refill", "tile": tile, "x": 0, "y": 0}
    page = client.post(f"/g/{game.key}/plan/?plan=1", fields, headers=HTMX)
    assert page.status_code == 200
    assert page.headers["HX-Replace-Url"] == f"{game.get_absolute_url()}?plan=1"
    assert page.text.lstrip().startswith("<title>")
    assert f'value="refill {tile}_0_0"' in page.text
    assert 'id="choices"' in page.text
    assert wishes_of(game) == f"refill {tile}_0_0"


def test_a_choice_for_a_plan_says_what_the_tile_covers_but_not_who_is_next(game: Game, planner: User) -> None:
    play_one(game)
    play_one(game)
    while mover(game) == planner:
        play_one(game)
    tile, seat = tiles_of(game)[-1], game.seats.get(user=planner).number
    cell = next(iter(position_of(game).displays[seat].free_cells))
    page = client_of(planner).get(f"{game.get_absolute_url()}?tile={tile}&x={cell.x}&y={cell.y}").text
    assert "discs left" in page
    assert "is next</span>" not in page


@pytest.mark.parametrize(
    ("fields", "status", "why"),
    [
        ({"wishes": "B4c_1"}, 400, "missing or unreadable"),
        ({"wishes": "B4c_x_1"}, 400, "missing or unreadable"),
        ({"wishes": "", "tile": "B4c"}, 400, "missing or unreadable"),
        ({"wishes": "refill", "number": "moon"}, 400, "missing or unreadable"),
        ({"wishes": "refill", "number": 9}, 409, "moved on"),
        ({"wishes": "Z9_0_0"}, 422, "not on the wheel"),
    ],
)
def test_a_bad_plan_is_refused_with_a_reason(
    game: Game, planner: User, fields: dict[str, object], status: int, why: str
) -> None:
    for page in ("plan", "text/plan"):
        answer = client_of(planner).post(f"/g/{game.key}/{page}/?plan=1", {"number": 1, **fields})
        assert answer.status_code == status
        assert why in answer.text
        assert 'role="alert"' in answer.text
    assert not Plan.objects.exists()


def test_nobody_else_can_plan(game: Game, planner: User) -> None:
    solo = solo_of(planner)
    for user, table, status in ((mover(game), game, 409), (person("Noor"), game, 403), (planner, solo, 409)):
        for page in ("plan", "text/plan"):
            answer = client_of(user).post(f"/g/{table.key}/{page}/", {"number": 1, "wishes": "refill"})
            assert answer.status_code == status
            assert client_of(user).get(f"/g/{table.key}/?plan=1").context["board"].plan is None
    assert Client().post(f"/g/{game.key}/plan/", {"number": 1, "wishes": "refill"}).status_code == 403
    assert client_of(planner).get(f"/g/{game.key}/plan/").status_code == 302
    assert not Plan.objects.exists()


def test_the_page_says_why_a_plan_was_not_played(game: Game, planner: User) -> None:
    tiles, address = tiles_of(game), game.get_absolute_url()
    plans.change(game.key, planner, [Place(-1, tiles[0], 0, 0)], 1, False)
    play(game.key, mover(game), Place(-1, tiles[0], 0, 0), 1, uuid.uuid4())
    for page in (address, f"{address}text/"):
        assert "none of its moves was possible" in client_of(planner).get(page).text
    assert f"Planned, but taken: {name_tiles([TILES[tiles[0]]])}." in client_of(planner).get(address).text
    play_one(game)
    assert "none of its moves" not in client_of(planner).get(address).text


def test_the_bar_says_that_a_plan_was_not_possible(game: Game, planner: User) -> None:
    plans.change(game.key, planner, [Refill(-1)], 1, False)
    play(game.key, mover(game), Place(-1, tiles_of(game)[0], 0, 0), 1, uuid.uuid4())
    assert "Your plan was not possible." in client_of(planner).get(game.get_absolute_url()).text


def test_an_outdated_plan_can_be_kept(django_app: DjangoTestApp, game: Game, planner: User) -> None:
    tile = tiles_of(game)[6]
    plans.change(game.key, planner, [Place(-1, tile, 0, 0)], 1, False)
    Plan.objects.update(known=1)
    page = django_app.get(game.get_absolute_url(), user=planner)
    assert "so it will not be played" in page
    press(page, "#plan-keep")
    assert Plan.objects.get().holds_in(position_of(game))


def test_a_played_plan_is_announced_to_its_player_alone(game: Game, planner: User) -> None:
    tiles, address, other = tiles_of(game), game.get_absolute_url(), mover(game)
    plans.change(game.key, planner, [Place(-1, tiles[1], 0, 0)], 1, False)
    play(game.key, other, Place(-1, tiles[0], 0, 0), 1, uuid.uuid4())
    words = f"Your plan was played: {describe_action(Place(0, tiles[1], 0, 0))}."
    for page in (address, f"{address}text/"):
        assert words in client_of(planner).get(page).text
        assert "(by your plan)" in client_of(planner).get(page).text
        assert "(by your plan)" not in client_of(other).get(page).text
        assert words not in client_of(planner).get(f"{page}?at=1").text
        assert "plan was played" not in client_of(other).get(page).text
    while mover(game) != planner:
        play_one(game)
    assert words[:-1] in turn_mail(game, planner).body
    play_one(game)
    for page in (address, f"{address}text/"):
        assert "plan was played" not in client_of(planner).get(page).text


def test_a_planned_move_that_is_taken_back_is_not_announced_any_more(game: Game, planner: User) -> None:
    tiles, other = tiles_of(game), mover(game)
    plans.change(game.key, planner, [Place(-1, tiles[1], 0, 0)], 1, False)
    play(game.key, other, Place(-1, tiles[0], 0, 0), 1, uuid.uuid4())
    assert "plan was played" in client_of(planner).get(game.get_absolute_url()).text
    votes.start(game.key, other, Vote.Purpose.TAKE_BACK, number=1)
    votes.answer(game.key, planner, game.votes.get().pk, agrees=True)
    for mode in ("", "text/"):
        assert "plan was played" not in client_of(planner).get(game.get_absolute_url() + mode).text


def test_a_board_from_before_the_action_of_a_plan_does_not_announce_it(game: Game, planner: User) -> None:
    tiles, since = tiles_of(game), game.live_version
    plans.change(game.key, planner, [Place(-1, tiles[1], 0, 0)], 1, False)
    play(game.key, mover(game), Place(-1, tiles[0], 0, 0), 1, uuid.uuid4())
    drawn = drawn_for(client_of(planner), fresh(game), planner, since=since)
    assert drawn is not None
    assert [("Your plan was played" in board) for board in (*drawn.between, drawn.html)] == [False, True]


def test_the_bar_says_that_a_plan_is_saved(game: Game, planner: User) -> None:
    address = game.get_absolute_url()
    assert "move is saved" not in client_of(planner).get(f"{address}?plan=1").text
    plans.change(game.key, planner, [Place(-1, tiles_of(game)[5], 0, 0)], 1, False)
    assert "1 move is saved." in client_of(planner).get(f"{address}?plan=1").text
    assert "Your plan: 1 move" in client_of(planner).get(address).text
    assert "Your plan: 1 move" not in client_of(mover(game)).get(address).text


def test_the_bar_counts_only_moves_that_are_still_possible(ines: User, tobias: User) -> None:
    game = game_of(ines, tobias, person("Mina"))
    tiles, first, address = tiles_of(game), mover(game), game.get_absolute_url()
    last = (game.seats.get(user=first).number + 1) % 3
    planner = game.seats.get(number=last).user
    wishes = [Place(-1, tiles[1], 0, 0), Place(-1, tiles[5], 0, 0)]
    plans.change(game.key, planner, wishes, 1, False)
    assert "Your plan: 2 moves" in client_of(planner).get(address).text
    play(game.key, first, Place(-1, tiles[1], 0, 0), 1, uuid.uuid4())
    page = client_of(planner).get(address).text
    assert "Your plan: 1 move<" in page
    assert f"Planned, but taken: {name_tiles([TILES[tiles[1]]])}." in page

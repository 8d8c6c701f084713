"""Try lines: everybody plays on for themselves, players keep lines, and nobody else can notice either."""

import random
import re

import pytest
from django.test import Client
from django.utils import timezone
from django_webtest import DjangoTestApp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import User
from games.log.replay import secret_log
from games.models import MOST_LINES, Action, Game, Notification, Review, TryLine
from games.novaluna.board.events import describe_action
from games.novaluna.board.try_line import MOST_ACTIONS, write_line
from games.novaluna.engine import TILES, Place, Position, RefillRule, action_to_json
from tests.clients import HTMX, client_of, without_marks
from tests.play import (
    fresh,
    game_of,
    mover,
    person,
    play_out,
    play_some,
    position_of,
    review_of,
    solo_of,
)
from tests.site.addresses import normalise
from tests.site.test_every_address import age

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(ines: User) -> Game:
    return play_some(game_of(ines, person("Tobias")), 5)


def line_from(position: Position, count: int, rng: random.Random | None = None) -> list[Place]:
    """Return up to `count` place actions from a position, the first ones or random ones."""
    line: list[Place] = []
    while len(line) < count and position.to_move is not None and position.refill is not RefillRule.FORCED:
        places = [action for action in position.legal_actions if isinstance(action, Place)]
        line.append(rng.choice(places) if rng else places[0])
        position = position.apply(line[-1]).position
    return line


def address(game: Game, start: int, line: list[Place] | str = "", mode: str = "") -> str:
    text = line if isinstance(line, str) else write_line(line)
    return f"/g/{game.key}/{mode}try/{start}/{f'{text}/' if text else ''}"


def keep(client: Client, game: Game, start: int, line: list[Place] | str, **more: str) -> int:
    text = line if isinstance(line, str) else write_line(line)
    fields = {"start": start, "line": text, **more}
    return client.post(f"/g/{game.key}/lines/", fields).status_code


@pytest.mark.parametrize("mode", ["", "text/"])
def test_a_line_is_tried_step_by_step_without_scripts(
    django_app: DjangoTestApp, game: Game, mode: str
) -> None:
    page = django_app.get(f"/g/{game.key}/{mode}").click(href=r"/try/5/$")
    assert "Only you see this. Nothing here changes the game." in page.text
    line = line_from(position_of(game), 3)
    for number, action in enumerate(line, 1):
        page = page.click(href=rf"\?tile={action.tile}(#move)?$", index=0)
        page = page.click(href=rf"&(amp;)?x={action.x}&(amp;)?y={action.y}(#move)?$", index=0)
        adding = next(form for form in page.forms.values() if "add" in form.fields)
        page = adding.submit().follow()
        assert page.request.path == address(game, 5, line[:number], mode)
    page = page.click("Take back")
    assert page.request.path == address(game, 5, line[:2], mode)
    assert page.click("Start again").request.path == address(game, 5, mode=mode)
    assert page.click("^(.*</svg>)?Leave( the try)?$", index=0).request.path == f"/g/{game.key}/{mode}"
    assert fresh(game).version == 5


def test_everybody_tries_from_any_action_and_sees_the_words_of_their_own_view(game: Game, ines: User) -> None:
    start = secret_log(game).at(2)
    line = line_from(start, 1)
    path = address(game, 2, line)
    name = game.seats.get(number=line[0].seat).user.username  # type: ignore[union-attr]
    for client in (Client(), client_of(person("Noor"))):
        page = client.get(path)
        assert page.status_code == 200
        assert f"<b>{name}</b> took" in without_marks(page.text)
        assert "Kept lines" not in page.text
    own = client_of(User.objects.get(username=name)).get(path)
    assert "<b>You</b> took" in own.text
    assert f'href="/g/{game.key}/?at=2"' in own.text
    play_out(game)
    assert client_of(ines).get(path).status_code == 200, "a finished game can be tried too"


def test_scripts_get_only_the_board(game: Game) -> None:
    page = Client().get(address(game, 5), headers=HTMX).text
    assert 'id="game"' in page
    assert "<html" not in page


BAD_LINES = {
    "moon": "This line can&#x27;t be read.",
    "B4c_1_0_1": "This line can&#x27;t be read.",
    "B4c_99999999999999999999_0": "Action 1 of this line is not possible",
    "<script>_0_0": "Action 1 of this line is not possible",
    "refill": "A line ends at a refill",
    f"X_{'9' * 5000}_1": "This line can&#x27;t be read.",
}


def test_a_wrong_line_gets_a_sentence(game: Game) -> None:
    for line, sentence in BAD_LINES.items():
        response = Client().get(address(game, 5, line))
        assert (response.status_code, sentence in response.text) == (400, True), line


@pytest.mark.parametrize("mode", ["", "text/"])
def test_a_line_is_shown_as_far_as_it_is_possible(game: Game, mode: str) -> None:
    good = write_line(line_from(position_of(game), 1))
    after = Client().get(address(game, 5, f"{good}.refill", mode))
    assert after.status_code == 400
    assert "A line ends at a refill" in after.text
    assert address(game, 5, good, mode) in after.text
    assert Client().get(address(game, 5, good, mode)).status_code == 200


def test_a_wrong_choice_and_a_wrong_start_get_a_sentence(game: Game) -> None:
    position = position_of(game)
    far = next(tile.code for tile in position.wheel.spaces if tile and tile not in position.in_reach)
    response = Client().get(f"{address(game, 5)}?add=1&tile={far}&x=0&y=1")
    assert (response.status_code, "You can&#x27;t take that tile now." in response.text) == (400, True)
    response = Client().get(address(game, 99))
    assert (response.status_code, "The game has no such action yet." in response.text) == (400, True)
    assert Client().get(f"/g/{game.key}/try/{'9' * 5000}/").status_code == 404


def test_a_line_has_a_longest_length(game: Game) -> None:
    """The wheel forces a refill long before, so the limit is checked with a lower one."""
    line = line_from(position_of(game), 3)
    assert MOST_ACTIONS > 3
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("games.novaluna.board.try_line.MOST_ACTIONS", 2)
        response = Client().get(address(game, 5, line))
    assert (response.status_code, "A line has up to 2 actions." in response.text) == (400, True)


def test_a_line_ends_where_the_wheel_is_empty(game: Game) -> None:
    line = line_from(position_of(game), 40)
    page = Client().get(address(game, 5, line))
    assert page.status_code == 200
    assert "The line ends here" in page.text
    assert "nobody knows which tiles a refill would reveal" in page.text
    assert "data-tile=" not in page.text


def test_a_line_to_the_end_of_the_game_shows_how_it_ends(ines: User) -> None:
    game = play_out(game_of(ines, person("Tobias")))
    log = secret_log(game)
    start = game.version - 1
    last = log.steps[-1].action
    assert isinstance(last, Place)
    page = client_of(ines).get(address(game, start, [last]))
    assert page.status_code == 200
    assert re.search(r'<h2 class="title" id="h-turn">(You win|Tobias wins)</h2>', page.text)
    assert "data-tile=" not in page.text
    more = Client().get(address(game, start, [last, last]))
    assert (more.status_code, "The game is over at the end of this line." in more.text) == (400, True)


def test_a_table_has_nothing_to_try(ines: User) -> None:
    from games.services import tables

    table = tables.open_table(ines, tables.TableOptions(2))
    assert Client().get(address(table, 0)).headers["Location"] == table.get_absolute_url()
    assert keep(client_of(ines), table, 0, "B4c_0_0") == 302
    assert not TryLine.objects.exists()


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_no_line_shows_an_undrawn_tile(game: Game, seed: int) -> None:
    rng = random.Random(seed)
    start = rng.randrange(6)
    position = secret_log(game).at(start)
    line = line_from(position, rng.randrange(12), rng)
    for path, headers in ((address(game, start, line), HTMX), (address(game, start, line, "text/"), {})):
        page = Client().get(path, headers=headers)
        assert page.status_code == 200
        # A game's key or a token can hold a tile's code by chance.
        codes = re.findall(r"(?<![A-Za-z0-9])[BRTY]\d[a-z]?(?![A-Za-z0-9])", page.text)
        shown = {code for code in codes if code in TILES}
        assert shown <= {*position.setup.deck[: position.revealed_count]}
        assert {action.tile for action in line} <= shown, "the test would notice a tile"


def test_a_player_keeps_names_opens_and_deletes_lines(game: Game, ines: User) -> None:
    client, line = client_of(ines), line_from(position_of(game), 2)
    path = address(game, 5, line)
    assert keep(client, game, 5, line) == 302
    assert keep(client, game, 5, line, name="Blue <first>") == 302
    kept = TryLine.objects.get()
    assert (kept.start, kept.text, kept.name) == (5, write_line(line), "Blue <first>")
    for page in ("", "text/", "try/5/", "text/try/5/"):
        shown = client.get(f"/g/{game.key}/{page}").text
        assert "Blue &lt;first&gt;" in shown
        assert address(game, 5, line, "text/" if "text" in page else "") in shown
    play_out(game)
    review_of(fresh(game), turns=0)
    judgement = {"best": None, "value": 0.5, "lost": 0.0}
    Review.objects.update(turns=[judgement] * fresh(game).version, finished_at=timezone.now())
    review = client.get(f"/g/{game.key}/review/").text
    assert re.search(rf'<a class="turns__line"\s+href="{re.escape(path)}">', review)
    assert client.get(path).status_code == 200, "it starts at its action, whatever was played"
    drop = f"/g/{game.key}/lines/{kept.pk}/delete/"
    assert client_of(User.objects.get(username="Tobias")).post(drop).status_code == 302
    assert Client().post(drop).status_code == 302
    assert client.get(drop).status_code == 405
    assert TryLine.objects.exists(), "only its player deletes a line"
    assert client.post(drop).headers["Location"] == f"{address(game, 5)}#lines"
    assert not TryLine.objects.exists()


def test_what_can_not_be_kept(game: Game, ines: User) -> None:
    line = line_from(position_of(game), 1)
    for client in (Client(), client_of(person("Noor"))):
        assert keep(client, game, 5, line) == 403
    own = client_of(ines)
    for start, text in ((5, "moon"), (5, "refill"), (5, ""), (99, write_line(line)), (-1, write_line(line))):
        assert keep(own, game, start, text) == 400
    assert keep(own, game, 5, line, name="x" * 121) == 400
    TryLine.objects.bulk_create(
        TryLine(game=game, user=ines, start=5, text=f"B4c_{nth}_0") for nth in range(MOST_LINES)
    )
    response = own.post(f"/g/{game.key}/lines/", {"start": 5, "line": write_line(line)})
    assert response.status_code == 409
    assert "You can keep up to 20 lines in a game." in response.text
    assert TryLine.objects.count() == MOST_LINES


def test_solo_players_keep_lines(ines: User) -> None:
    solo = play_some(solo_of(ines), 2)
    line = line_from(position_of(solo), 1)
    assert keep(client_of(ines), solo, 2, line, text="1") == 302
    assert "Kept lines" in client_of(ines).get(address(solo, 2, line, "text/")).text


def test_nobody_else_notices_a_try_or_a_kept_line(
    game: Game, ines: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    age(game)
    keeper = User.objects.create_superuser("keeper", "keeper@example.org", "moon-and-stars-17")
    line = line_from(position_of(game), 2)
    viewers = [Client(), client_of(User.objects.get(username="Tobias")), client_of(keeper)]
    paths = [f"/g/{game.key}/", f"/g/{game.key}/text/", address(game, 5, line), "/people/Ines/"]
    admin = [f"/admin/games/game/{game.pk}/change/", f"/admin/accounts/user/{ines.pk}/change/"]

    def pages() -> list[bytes]:
        for client in viewers:
            for path in paths:
                client.get(path)  # The first visit of a page can store that it was seen.
        found = [normalise(client.get(path).content) for client in viewers for path in paths]
        return found + [normalise(viewers[-1].get(path).content) for path in admin]

    own = client_of(ines)
    before, owed, seat = pages(), Notification.objects.count(), game.seats.get(user=ines)
    with django_capture_on_commit_callbacks() as callbacks:
        assert own.get(address(game, 5, line)).status_code == 200
        assert keep(own, game, 5, line, name="A secret line") == 302
    assert callbacks == [], "nothing is sent or queued"
    assert pages() == before
    assert (Notification.objects.count(), Action.objects.filter(game=game).count()) == (owed, 5)
    assert game.seats.get(user=ines).seen_at == seat.seen_at, "a try is no presence"
    assert "A secret line" in own.get(f"/g/{game.key}/").text, "the walk would notice a difference"


def test_a_try_leaves_a_plan_alone(game: Game) -> None:
    planner = User.objects.exclude(pk=mover(game).pk).get()
    client = client_of(planner)
    client.post(f"/g/{game.key}/plan/", {"number": 6, "wishes": "refill"})
    client.get(address(game, 5, line_from(position_of(game), 1)))
    assert 'id="plan"' in client.get(f"/g/{game.key}/").text
    assert "plan__wishes" not in client.get(address(game, 5)).text


def test_lines_are_deleted_with_the_account(game: Game, ines: User) -> None:
    keep(client_of(ines), game, 5, line_from(position_of(game), 1))
    assert TryLine.objects.exists()
    ines.delete()
    assert not TryLine.objects.exists()


def test_a_better_line_is_stepped_through_and_leads_back_to_the_review(
    django_app: DjangoTestApp, ines: User
) -> None:
    game = play_out(game_of(ines, person("Tobias")))
    line = line_from(secret_log(game).at(4), 3)
    to_json = [action_to_json(action) for action in line]
    turns = [{"best": None, "value": 0.5, "lost": 0, "line": []} for _action in range(game.version)]
    turns[4] = {"best": to_json[0], "value": 0.6, "lost": 0.3, "line": to_json[1:]}
    Review.objects.create(game=game, turns=turns, finished_at=timezone.now())

    review = django_app.get(f"/g/{game.key}/review/")
    page = review.click("Better line", index=0)
    assert page.request.path == address(game, 4, line[:1])
    taken = describe_action(line[0])
    assert f"Better: {taken} (1 of 3)" in without_marks(page.text)
    assert "from action 5" in page.text
    own_seat = game.seats.get(user=ines).number
    assert re.search(rf'id="display"\s+data-seat="{own_seat}"', page.text), "the reader's stays the large one"
    assert page.text.count('class="is-newest"') == 1
    assert "data-tile=" not in page.text
    page = page.click(linkid="try-next").click(linkid="try-next")
    assert page.request.path == address(game, 4, line)
    assert "(3 of 3)" in page.text
    page = page.click(linkid="try-undo").click(linkid="try-next")
    assert page.request.path == address(game, 4, line)
    own = page.click("Try from here")
    assert own.request.path == address(game, 4, line)
    assert own.click("Take back").request.path == address(game, 4, line[:2])
    back = page.click("Back to the review")
    assert back.request.path == review.request.path
    assert 'id="key-5"' in back.text
    board = django_app.get(f"/g/{game.key}/?at=5&review=key")
    assert board.click("Better line").request.path == address(game, 4, line[:1])

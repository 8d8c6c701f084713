"""A title with other levels of bots than most: the site offers these, and takes no other for granted."""

import uuid

import pytest

from games.forms.new_table import NewTableForm
from games.models import Game, Vote
from games.services import tables, votes
from games.titles.bots import Level
from games.titles.general_bot import GeneralBots
from games.titles.registry import title_named
from tests.clients import client_of
from tests.play import fresh, person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pairs", "_two_levels")]


@pytest.fixture
def _two_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the level in the middle, and have the strongest."""
    levels = {"hard": Level(1650), "expert": Level(1900)}
    monkeypatch.setattr(GeneralBots, "levels", levels)


def test_forms_offer_the_levels_of_the_bots() -> None:
    form = NewTableForm(title_named("pairs"))
    assert [level for level, _label in form.fields["level"].choices] == ["hard", "expert"]
    assert [level for level, _label in form.fields["caretaker"].choices] == ["", "hard", "expert", "out"]


def test_a_page_from_before_the_question_gets_a_level_of_the_title() -> None:
    fields = {"request_id": str(uuid.uuid4()), "title": "pairs", "opponents": "people", "seat_count": 4}
    answer = client_of(person("Ines")).post("/new/", {**fields, "level": "hard", "rounds": 3, "hand": 3})
    assert answer.status_code == 302
    assert Game.objects.get().caretaker == "hard"


def test_a_game_that_gets_a_clock_later_gets_a_level_of_the_title() -> None:
    ines = person("Ines")
    game = tables.open_table(ines, tables.TableOptions(4, title="pairs"), ("hard",) * 3)
    assert not fresh(game).caretaker
    votes.start(game.key, ines, Vote.Purpose.PACE, "day")
    assert (fresh(game).pace, fresh(game).caretaker) == ("day", "hard")


def test_each_bot_can_have_a_level_of_its_own() -> None:
    ines = client_of(person("Ines"))
    fields = {"title": "pairs", "opponents": "bots", "seat_count": 4, "level": "hard", "level_3": "expert"}
    answer = ines.post("/new/", {**fields, "request_id": uuid.uuid4(), "rounds": 3, "hand": 3})
    assert answer.status_code == 302
    bots = Game.objects.get().seats.exclude(bot="").values_list("bot", flat=True)
    assert sorted(bots) == ["expert", "hard", "hard"]
    for wrong in ({"level_2": "easy"}, {"level_4": "expert", "level": ""}):
        answer = ines.post("/new/", {**fields, **wrong, "request_id": uuid.uuid4(), "rounds": 3, "hand": 3})
        assert answer.status_code == 400
    assert Game.objects.count() == 1

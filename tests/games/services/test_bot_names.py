"""The names of bots: which ones a table gets, and that they stay."""

import pytest
from django.test import Client

from accounts.models import User
from accounts.usernames import BOT_NAMES
from games.models import Game, Seat
from games.novaluna.bots.face import LEVELS
from games.services import tables
from tests.play import fresh, game_of, person

pytestmark = pytest.mark.django_db

LEVELS_OF_BOTS = ("easy", "hard", "easy")


def names_at_table_of(user: User) -> list[str]:
    """Return the names of the bots at a new table of this user."""
    game = tables.open_table(user, tables.TableOptions(4, is_public=True, pace="slow"), LEVELS_OF_BOTS)
    return [seat.name for seat in game.seats.exclude(bot="")]


def end_games() -> None:
    Game.objects.update(status=Game.Status.OVER)


def test_every_level_has_names_of_its_own() -> None:
    names = [name for names in BOT_NAMES.values() for name in names]
    assert list(BOT_NAMES) == list(LEVELS)
    assert len({name.lower() for name in names}) == len(names)
    assert max(map(len, names)) <= Seat._meta.get_field("bot_name").max_length  # type: ignore[operator]


def test_one_person_meets_the_same_bots_again_and_others_meet_others() -> None:
    ines, *others = (person(name) for name in ("Ines", "Tobias", "Mina", "Noor"))
    names = names_at_table_of(ines)
    assert len(set(names)) == 3
    assert [name in BOT_NAMES[level] for name, level in zip(names, LEVELS_OF_BOTS, strict=True)] == [True] * 3
    end_games()
    assert names_at_table_of(ines) == names
    assert any(names_at_table_of(other) != names for other in others)


def test_bots_in_unfinished_games_of_one_person_have_different_names_while_there_are_any() -> None:
    ines, levels = person("Ines"), ("medium",)
    count = len(BOT_NAMES["medium"])
    names = [game_of(ines, bots=levels).seats.get(number=1).name for _game in range(count)]
    assert sorted(names) == sorted(BOT_NAMES["medium"])
    assert game_of(ines, bots=levels).seats.get(number=1).name == names[0]


@pytest.mark.databases
def test_no_bot_has_the_name_of_a_user() -> None:
    ines = person("Ines")
    [first, *_others] = names_at_table_of(ines)
    end_games()
    User.objects.create(username=first.upper())
    assert first not in names_at_table_of(ines)


def test_a_bot_has_the_name_of_a_user_if_users_have_all_names_of_its_level() -> None:
    User.objects.bulk_create(User(username=name) for name in BOT_NAMES["easy"])
    names = names_at_table_of(person("Ines"))
    assert {names[0], names[2]} <= set(BOT_NAMES["easy"])


def test_a_bot_keeps_its_name_after_its_owner_is_gone() -> None:
    ines = person("Ines")
    game = game_of(ines, bots=("expert",))
    name = game.seats.get(number=1).name
    ines.delete()
    assert fresh(game).opened_by is None
    assert game.seats.get(number=1).name == name


def test_bots_of_older_tables_keep_the_names_of_their_seats(client: Client) -> None:
    game = game_of(person("Ines"), bots=("easy", "easy", "hard"))
    game.seats.update(bot_name="")
    assert [seat.name for seat in game.seats.all()] == ["Ines", "Halley", "Kepler", "Cannon"]
    assert "Halley" in client.get(game.get_absolute_url()).text

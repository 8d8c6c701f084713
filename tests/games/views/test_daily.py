"""The daily deal: one deal a day for everybody, secret until its day is over, and one attempt that counts."""

import re
import uuid
from datetime import date, timedelta

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from games.log.deals import daily_deal, matches_commitment
from games.models import DailyDeal, Deal, Game, Hint, Review, SoloResult, Standing, TrainingPosition
from games.novaluna.engine import TILES
from games.services import tables
from games.services.tables import limits
from games.tasks import sweep
from games.titles.registry import title_with
from games.titles.talents import Talent
from tests.clients import HTMX, client_of
from tests.frozen import FrozenClock
from tests.play import fresh, person, play_one, play_out, position_of, solo_of
from tests.site.addresses import ADDRESSES, admin_addresses

pytestmark = pytest.mark.django_db

TODAY = "2026-06-01"  # of the frozen clock
YESTERDAY = "2026-05-31"


@pytest.fixture(autouse=True)
def _today(clock: FrozenClock) -> None:
    """All of these tests begin at noon."""


def start(client: Client, day: str = TODAY) -> str:
    """Begin the attempt of a viewer and return the path of their game; fail if it is refused."""
    answer = client.post("/daily/start/", {"day": day, "request_id": uuid.uuid4()})
    assert answer.status_code == 302, answer.context["error"]
    return answer.url


def practise(client: Client, day: str = TODAY) -> str:
    """Start a game for practice and return its path; fail if it is refused."""
    answer = client.post(f"/daily/{day}/practice/", {"request_id": uuid.uuid4()})
    assert answer.status_code == 302, answer.context["error"]
    return answer.url


def game_at(path: str) -> Game:
    return Game.objects.select_related("deal", "daily").get(key=path.split("/")[2])


def finish(path: str) -> Game:
    """Play the game to its end, with random actions of its own."""
    return play_out(game_at(path), seed=len(path))


def page(client: Client, path: str = "/daily/") -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_everybody_gets_the_same_tiles_and_the_next_day_others(clock: FrozenClock) -> None:
    ines, tobias = client_of(person("Ines")), client_of(person("Tobias"))
    first, second = game_at(start(ines)), game_at(start(tobias))
    assert first.pk != second.pk
    assert first.deal == second.deal
    assert sorted(first.deal.dealt["deck"]) == sorted(TILES)
    assert matches_commitment(first)
    clock.move_on(days=1)
    other = game_at(start(ines, "2026-06-02"))
    assert other.deal.dealt["deck"] != first.deal.dealt["deck"]


def test_the_page_explains_the_solo_game() -> None:
    assert "You have a stack of 8 discs and a stack of 13." in page(Client())


def test_the_deal_depends_on_the_secret_key_and_the_day_only(settings: pytest.FixtureRequest) -> None:
    title, day = title_with(Talent.DAILY), date(2026, 6, 1)
    before, again = daily_deal(title, day), daily_deal(title, day)
    assert (again.dealt, again.salt) == (before.dealt, before.salt)
    assert daily_deal(title, day + timedelta(days=1)).dealt != before.dealt
    settings.SECRET_KEY = "another"  # type: ignore[attr-defined]
    assert daily_deal(title, day).dealt != before.dealt


def test_the_sweep_publishes_the_deal_of_the_day_once(clock: FrozenClock) -> None:
    sweep()
    sweep()
    assert [str(daily) for daily in DailyDeal.objects.all()] == [TODAY]
    commitment = DailyDeal.objects.get().deal.commitment
    assert commitment in page(Client())
    clock.move_on(days=1)
    sweep()
    assert commitment not in page(Client())
    assert DailyDeal.objects.count() == 2


def test_the_commitment_is_the_same_before_and_after_the_deal_is_stored() -> None:
    [before] = re.findall(r"[0-9a-f]{64}", page(Client()))
    assert not DailyDeal.objects.exists()  # GET stores nothing.
    sweep()
    assert re.findall(r"[0-9a-f]{64}", page(Client())) == [before]


def test_one_attempt_counts_however_often_it_is_begun() -> None:
    ines = client_of(person("Ines"))
    assert start(ines) == start(ines)
    assert "Your game is waiting" in page(ines)
    game = finish(start(ines))
    assert str(game.score) in page(ines)
    assert start(ines) == game.get_absolute_url()
    practice = game_at(practise(ines))
    assert practice.is_practice
    assert practice.deal == fresh(game).deal
    assert "practice" in page(ines, practice.get_absolute_url())


def test_practice_has_to_wait_for_the_attempt_or_the_end_of_the_day(clock: FrozenClock) -> None:
    ines = client_of(person("Ines"))
    start(ines)
    answer = ines.post(f"/daily/{TODAY}/practice/", {"request_id": uuid.uuid4()})
    assert answer.status_code == 409
    assert "when its day is over" in answer.content.decode()
    assert Game.objects.count() == 1
    clock.move_on(days=1)
    assert game_at(practise(ines)).is_practice


def test_an_attempt_that_is_not_over_at_midnight_does_not_count_and_can_be_played_on(
    clock: FrozenClock,
) -> None:
    ines = client_of(person("Ines"))
    path = start(ines)
    clock.move_on(hours=11, minutes=59)
    play_one(game_at(path))
    clock.move_on(minutes=2)
    assert "Not finished in time" in page(ines, f"/daily/{TODAY}/")
    game = finish(path)
    assert "Not finished in time" in page(ines, f"/daily/{TODAY}/")
    assert not Game.objects.finished_attempts(game_at(path).daily).exists()
    assert game.score is not None
    assert "Today's game" in page(ines)


def test_a_form_from_before_midnight_begins_nothing(clock: FrozenClock) -> None:
    ines = client_of(person("Ines"))
    clock.move_on(days=1)
    answer = ines.post("/daily/start/", {"day": TODAY, "request_id": uuid.uuid4()})
    assert answer.status_code == 409
    assert "a new day" in answer.content.decode()
    assert not Game.objects.exists()


@pytest.mark.parametrize("day", ["2026-06-02", "2026-13-01", "2026-02-30", ""])
def test_no_day_but_today_can_be_begun(day: str) -> None:
    ines = client_of(person("Ines"))
    answer = ines.post("/daily/start/", {"day": day, "request_id": uuid.uuid4()})
    assert answer.status_code in {302, 409}
    assert not Game.objects.exists()


@pytest.mark.parametrize("day", ["2026-06-02", YESTERDAY, "2026-02-30"])
def test_a_day_without_a_deal_has_no_page(day: str) -> None:
    assert Client().get(f"/daily/{day}/").status_code == 404


@pytest.mark.parametrize("day", ["2026-06-02", YESTERDAY, "9999-12-31"])
def test_a_request_for_practice_makes_no_deal(day: str) -> None:
    """Neither that of tomorrow, which is a secret, nor one of a day on which the site published none."""
    for client in (client_of(person("Ines")), Client()):
        assert client.post(f"/daily/{day}/practice/", {"request_id": uuid.uuid4()}).status_code == 404
        assert client.get(f"/daily/{day}/").status_code == 404
    assert not DailyDeal.objects.exists()
    assert not Deal.objects.exists()
    assert not User.objects.filter(is_guest=True).exists()


def test_practice_of_a_past_day_is_on_the_deal_that_it_had(clock: FrozenClock) -> None:
    sweep()
    clock.move_on(days=1)
    practice = game_at(practise(client_of(person("Ines"))))
    assert (practice.daily, practice.is_practice) == (DailyDeal.objects.get(), True)


def test_a_visitor_plays_as_a_guest() -> None:
    visitor = Client()
    game = game_at(start(visitor))
    assert game.seats.get().user.is_guest
    assert start(visitor) == game.get_absolute_url()


def test_the_page_says_that_the_result_of_a_guest_is_not_listed() -> None:
    visitor, ines = Client(), client_of(person("Ines"))
    assert visitor.post("/solo/start/", {"request_id": uuid.uuid4()}).status_code == 302
    assert "You play as a guest. Sign up or log in first, and your result is listed." in page(Client())
    assert "You play as a guest. Your result is listed when you sign up." in page(visitor)
    assert "as a guest" not in page(ines)
    score, other = finish(start(visitor)).score, finish(start(ines)).score
    assert f"Your {score} is not listed, because you are a guest. Sign up to list it. Sign up" in page(
        visitor
    )
    assert f"Your {other} is not listed" not in page(ines)
    assert "Play another solo game" in page(ines, start(ines))


def test_nothing_shows_the_game_of_another_before_the_own_attempt_or_the_end_of_the_day(
    clock: FrozenClock,
) -> None:
    """Nor to a visitor, somebody who has only begun or given up, or an administrator who plays."""
    game = finish(start(client_of(person("Ines"))))
    tobias, noor = client_of(person("Tobias")), client_of(person("Noor"))
    start(tobias)
    gave_up = start(noor)
    assert noor.post(f"{gave_up}play/", resignation(gave_up)).status_code in {200, 302}
    assert game_at(gave_up).is_over
    root = User.objects.create_superuser("Root", "root@example.org", "moon-and-stars-17")
    for viewer in (Client(), tobias, noor, client_of(root)):
        for path in addresses_of(game):
            for answer in (viewer.get(path, headers=HTMX), viewer.post(path, {"do": "place", "number": 1})):
                assert answer.status_code in REFUSED, path
    clock.move_on(days=1)
    for viewer in (Client(), tobias, noor):
        assert viewer.get(game.get_absolute_url()).status_code == 200


def test_an_administrator_who_plays_sees_no_tile_of_the_day(clock: FrozenClock) -> None:
    game = finish(start(client_of(person("Ines"))))
    tile, seat = game.deal.dealt["deck"][0], game.seats.get()
    best = {"best": {"type": "place", "tile": tile}}
    review = Review.objects.create(game=game, turns=[best])
    Hint.objects.create(game=game, number=1, seat=0, payload=best)
    TrainingPosition.objects.create(user=seat.user, game=game, number=1, cost=2.0, judgement=best)
    root = client_of(User.objects.create_superuser("Root", "root@example.org", "moon-and-stars-17"))
    quoted = [f"{quote}{tile}{quote}" for quote in ("&quot;", "&#x27;", "&#39;", '"', "'")]

    def shows_the_tile(path: str) -> bool:
        page = root.get(path).text
        return any(code in page for code in quoted)

    paths = [*admin_addresses(), f"/admin/games/game/{game.pk}/change/"]
    assert [path for path in paths if shows_the_tile(path)] == []
    clock.move_on(days=1)
    assert shows_the_tile(f"/admin/games/review/{review.pk}/change/"), "the walk notices it"


def resignation(path: str) -> dict[str, object]:
    return {"do": "resign", "number": game_at(path).version + 1, "request_id": uuid.uuid4()}


# Also of a form without what it needs, and to GET at an address that needs POST.
REFUSED = {302, 400, 403, 404, 405, 409}
# What everybody may know: the commitment, and how many actions there are.
PUBLIC = {"games:deal", "games:version", "games:stream", "games:updates", "games:updates_stream"}


def addresses_of(game: Game) -> list[str]:
    """Return all addresses that show something of a game."""
    return [
        path.replace("KEY", game.key).replace("TILE", "B1")
        for name, paths in ADDRESSES.items()
        if name not in PUBLIC
        for path in paths
        if "KEY" in path
    ]


def test_after_the_own_attempt_the_games_of_others_show_but_the_deal_stays_secret(clock: FrozenClock) -> None:
    ines, tobias = client_of(person("Ines")), client_of(person("Tobias"))
    game = finish(start(ines))
    assert tobias.get(game.get_absolute_url()).status_code == 403
    own = finish(start(tobias))
    for path in (game.get_absolute_url(), own.get_absolute_url()):
        assert tobias.get(path).status_code == 200
        # The record and the text would show the tiles that nobody has drawn.
        assert tobias.get(f"{path}record.json").status_code == 409
        assert fresh(game).deal.salt not in tobias.get(f"{path}deal/").content.decode()
    assert fresh(game).deal.salt not in page(tobias)
    clock.move_on(hours=12)
    assert tobias.get(f"{path}record.json").status_code == 200
    assert fresh(game).deal.salt in page(tobias, f"/daily/{TODAY}/")
    assert fresh(game).deal.salt in tobias.get(f"{path}deal/").content.decode()


def test_an_abandoned_game_does_not_keep_the_deal_secret(clock: FrozenClock) -> None:
    start(client_of(person("Ines")))
    clock.move_on(days=1)
    assert DailyDeal.objects.get().deal.salt in page(Client(), f"/daily/{TODAY}/")


def test_the_preview_shows_no_tile_before_the_day_is_over(clock: FrozenClock) -> None:
    ines = client_of(person("Ines"))
    path = finish(start(ines)).get_absolute_url()
    answer = ines.get(f"{path}preview.jpg")
    assert answer.status_code == 302
    assert "no-store" in answer["Cache-Control"]
    clock.move_on(days=1)
    assert Client().get(f"{path}preview.jpg")["Content-Type"] == "image/jpeg"


def test_games_on_a_daily_deal_are_not_on_the_leaderboard_of_free_games() -> None:
    user = person("Ines")
    ines = client_of(user)
    finish(start(ines))
    practice = finish(practise(ines))
    assert "leads the leaderboard" not in page(ines, practice.get_absolute_url())
    assert "Ines" not in page(Client(), "/solo/leaderboard/")
    play_out(solo_of(user))
    assert "Ines" in page(Client(), "/solo/leaderboard/")


def test_the_daily_deal_has_a_leaderboard_of_its_own(clock: FrozenClock) -> None:
    user = person("Ines")
    ines = client_of(user)
    play_out(solo_of(user))
    board = "/solo/leaderboard/?kind=daily&period=day"
    assert "Nobody has a result in this period yet. The first place is free." in page(Client(), board)
    assert "Nobody has a result yet. The first place is free." in page(
        Client(), board.replace("period=day", "period=all")
    )
    finish(start(ines))
    assert f"1 Ines {SoloResult.objects.get(kind='daily').tie_break}" in page(Client(), board)
    clock.move_on(days=1)
    assert "The first place is free" in page(Client(), board)
    assert "1 Ines" in page(Client(), "/solo/leaderboard/?kind=daily")


def test_the_results_of_the_day_link_to_games_when_their_tiles_are_no_secret(clock: FrozenClock) -> None:
    tobias = client_of(person("Tobias"))
    game = finish(start(client_of(person("Ines"))))
    boards = ("/daily/", "/solo/leaderboard/?kind=daily", "/solo/leaderboard/?kind=daily&period=day")
    for path in boards:
        assert f"Ines {len(position_of(game).displays[0].tiles)} " in page(tobias, path)
        assert game.get_absolute_url() not in tobias.get(path).content.decode()
        assert game.get_absolute_url() not in Client().get(path).content.decode()
    finish(start(tobias))
    for path in boards:
        assert game.get_absolute_url() in tobias.get(path).content.decode()
    clock.move_on(days=1)
    assert game.get_absolute_url() in Client().get(f"/daily/{TODAY}/").content.decode()
    assert "Nobody has finished it yet" in page(tobias)


def test_the_text_to_share_has_the_score_and_no_tile() -> None:
    ines = client_of(person("Ines"))
    game = finish(start(ines))
    assert f">Nova Luna {TODAY}\n{game.score} " in ines.get("/daily/").content.decode()


def test_too_many_solo_games_are_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_SOLO_GAMES", 1)
    user = person("Ines")
    tables.open_solo(user)
    answer = client_of(user).post("/daily/start/", {"day": TODAY, "request_id": uuid.uuid4()})
    assert answer.status_code == 409
    assert "finish or resign one of them" in answer.content.decode()


def test_only_an_attempt_that_is_over_in_time_has_a_standing(clock: FrozenClock) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    in_time = finish(start(client_of(ines)))
    finish(practise(client_of(ines)))
    late = start(client_of(tobias))
    clock.move_on(days=1)
    finish(late)
    standings = Standing.objects.filter(measure="best", period="day")
    assert [(row.user, row.kind, row.score, str(row.starts_on)) for row in standings] == [
        (ines, "daily", in_time.score, TODAY)
    ]
    assert sorted(SoloResult.objects.values_list("kind", flat=True)) == ["daily", "practice", "practice"]
    call_command("rebuild_standings", "--check")


def finish_on(clock: FrozenClock, client: Client, day: str) -> None:
    finish(start(client, day))
    clock.move_on(days=1)


def test_a_streak_counts_days_in_a_row_and_ends_after_a_day_without_a_result(clock: FrozenClock) -> None:
    ines = client_of(person("Ines"))
    finish_on(clock, ines, TODAY)
    assert "in a row" not in page(ines)
    finish_on(clock, ines, "2026-06-02")
    assert "2 days in a row · play today to continue" in page(ines)
    finish(start(ines, "2026-06-03"))
    assert "3 days in a row" in page(ines)
    assert "play today to continue" not in page(ines)
    assert "3 days in a row" in page(ines, "/solo/")
    assert "in a row" not in page(client_of(person("Tobias")))
    clock.move_on(days=2)
    assert "in a row" not in page(ines)
    assert "longest streak: 3 days" in page(ines)

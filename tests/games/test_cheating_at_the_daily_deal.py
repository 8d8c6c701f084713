"""A day of the daily deal, played by three people, one of whom tries to cheat in every way.

Ines finishes her attempt at noon. Tobias begins his and is not finished in time. Noor has two accounts and a
browser in which she is a guest. Each of her tricks is a function with its name.
"""

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import pytest
from bs4 import BeautifulSoup
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from games.models import Action, DailyDeal, Deal, Game, Hint, Review, SoloResult
from games.tasks import sweep
from tests.clients import client_of
from tests.frozen import FrozenClock, frozen_clock
from tests.play import fresh, person, play_out, play_some, position_of
from tests.site.addresses import ADDRESSES

pytestmark = pytest.mark.django_db

TODAY, TOMORROW = "2026-06-01", "2026-06-02"
BOARDS = ("/daily/", "/solo/leaderboard/?kind=daily", "/solo/leaderboard/?kind=daily&period=day")
# What everybody may know of a game: the commitment to its deal, and how many actions it has.
PUBLIC = ("games:deal", "games:version", "games:stream", "games:updates", "games:updates_stream")
# Also of a form without what it needs, and to GET at an address that needs POST.
REFUSED = {302, 400, 403, 404, 405, 409}
MODELS = (Action, DailyDeal, Deal, Game, Hint, Review, SoloResult)


@dataclass
class Day:
    """The day, its honest players, and the browsers of the one who cheats."""

    clock: FrozenClock
    ines: Client
    tobias: Client
    noor: Client
    second_account: Client
    guest: Client = field(default_factory=Client)

    @property
    def cheats(self) -> Mapping[str, Client]:
        return {"Noor": self.noor, "her second account": self.second_account, "a guest": self.guest}


@pytest.fixture
def day() -> Iterator[Day]:
    with frozen_clock() as clock:
        clock.move_on(hours=-12)
        yield Day(clock, *(client_of(person(name)) for name in ("Ines", "Tobias", "Noor", "Roon")))


def begin(client: Client, day: str = TODAY) -> Game:
    answer = client.post("/daily/start/", once(day=day))
    assert answer.status_code == 302, answer.context["error"]
    return Game.objects.select_related("deal", "daily").get(key=answer.url.split("/")[2])


def once(**fields: object) -> dict[str, object]:
    return {"request_id": uuid.uuid4(), **fields}


def resign(client: Client, game: Game) -> None:
    number = fresh(game).version + 1
    assert client.post(f"/g/{game.key}/play/", once(do="resign", number=number)).status_code == 302
    assert fresh(game).is_over


def rows() -> Mapping[str, int]:
    """Return how many rows there are of all that a trick could store."""
    return {model.__name__: model.objects.count() for model in MODELS}


def names_on(path: str) -> list[str]:
    """Return the names on a leaderboard, the best first."""
    page = BeautifulSoup(Client().get(path).content, "html.parser")
    return [link.text for link in page.select(".leaders td a[href^='/people/']")]


def test_a_day_of_the_daily_deal_with_somebody_who_cheats(day: Day) -> None:
    sweep()
    day.clock.move_on(hours=12)
    best = play_out(begin(day.ines))
    unfinished = play_some(begin(day.tobias), 6)

    practice_comes_before_the_attempt(day)
    the_deal_of_tomorrow_is_begun_or_practised_today(day)
    all_addresses_of_another_game_are_tried(day, best)
    lists_are_searched_for_links(day, best)
    the_experts_game_shows_the_deal(day, best)
    an_attempt_is_begun_again_after_resigning(day, best)
    hinted = an_attempt_is_played_with_a_hint(day)
    late = an_attempt_is_over_at_midnight(day)
    a_form_from_before_midnight_is_sent_after_it(day)

    play_out(unfinished)
    assert names_on(f"/daily/{TODAY}/") == names_on("/solo/leaderboard/?kind=daily") == ["Ines"]
    assert names_on("/solo/leaderboard/") == []
    kinds = {best.pk: ("daily", True), hinted.pk: ("daily", False)}
    kinds |= {game.pk: ("practice", True) for game in (late, unfinished)}
    assert {row.pk: (row.kind, row.is_without_hints) for row in SoloResult.objects.all()} == kinds
    assert "Not finished in time" in day.tobias.get(f"/daily/{TODAY}/").text
    for client in (Client(), day.tobias, *day.cheats.values()):
        assert client.get(best.get_absolute_url()).status_code == 200, "the day is over"
    for command in ("rebuild_games", "rebuild_standings", "rebuild_ratings"):
        call_command(command, "--check")


def practice_comes_before_the_attempt(day: Day) -> None:
    before = rows()
    for who, client in day.cheats.items():
        answer = client.post(f"/daily/{TODAY}/practice/", once())
        assert answer.status_code == 409, who
    assert rows() == before


def the_deal_of_tomorrow_is_begun_or_practised_today(day: Day) -> None:
    before = rows()
    for who, client in day.cheats.items():
        assert client.post(f"/daily/{TOMORROW}/practice/", once()).status_code == 404, who
        assert client.post("/daily/start/", once(day=TOMORROW)).status_code == 409, who
        assert client.get(f"/daily/{TOMORROW}/").status_code == 404, who
    assert rows() == before


def all_addresses_of_another_game_are_tried(day: Day, game: Game) -> None:
    """Read and write: the record, the preview, the text, tries, displays, the review and all the rest."""
    before, tile = rows(), position_of(game).setup.deck[0]
    listed = [
        path.replace("KEY", game.key).replace("TILE", tile)
        for name, paths in ADDRESSES.items()
        if name not in PUBLIC
        for path in paths
        if "/g/KEY/" in path
    ]
    assert len(listed) > 40
    for who, client in day.cheats.items():
        for path in listed:
            action = once(do="place", number=game.version + 1, tile=tile, x=0, y=1, move=tile)
            for answer in (client.get(path), client.post(path, action)):
                assert answer.status_code in REFUSED, (who, path)
                assert "/g/" not in answer.get("Location", "").partition("?")[0], (who, path)
    assert rows() == before


def lists_are_searched_for_links(day: Day, game: Game) -> None:
    assert names_on(BOARDS[0]) == ["Ines"]
    for path in (*BOARDS, "/", "/solo/", "/finished/", "/people/Ines/", "/solo/results.csv"):
        for who, client in day.cheats.items():
            assert game.key not in client.get(path).text, (who, path)
        if path in BOARDS:
            assert game.key in day.ines.get(path).text, "it would be found"


def the_experts_game_shows_the_deal(day: Day, game: Game) -> None:
    experts = day.ines.post(f"/g/{game.key}/expert/").url
    before = rows()
    for who, client in day.cheats.items():
        assert client.get(experts).status_code == 403, who
        assert client.post(f"{experts}play/", once(do="resign", number=1)).status_code == 403, who
        assert client.post(f"/g/{game.key}/expert/").status_code in {302, 403}, who
    own = begin(day.noor)
    assert day.noor.post(f"/g/{own.key}/expert/").status_code == 409
    assert rows() == before | {"Game": before["Game"] + 1}


def an_attempt_is_begun_again_after_resigning(day: Day, others: Game) -> None:
    """A guest gives up after a look at the wheel, and wants another first look, or at least the games."""
    attempt = begin(day.guest)
    resign(day.guest, attempt)
    assert begin(day.guest) == attempt, "there is no second attempt"
    assert day.guest.post(f"/daily/{TODAY}/practice/", once()).status_code == 409
    assert day.guest.get(others.get_absolute_url()).status_code == 403
    assert day.guest.get(f"/g/{attempt.key}/record.json").status_code == 409


def an_attempt_is_played_with_a_hint(day: Day) -> Game:
    attempt = begin(day.noor)
    day.noor.post(f"/g/{attempt.key}/hint/", once(number=1))
    assert Hint.objects.filter(game=attempt).exists()
    play_out(attempt, seed=2)
    practice = day.noor.post(f"/daily/{TODAY}/practice/", once()).url
    resign(day.noor, Game.objects.get(key=practice.split("/")[2]))
    assert "it is not among the results" in day.noor.get("/daily/").text
    assert names_on(BOARDS[0]) == ["Ines"]
    return attempt


def an_attempt_is_over_at_midnight(day: Day) -> Game:
    """The second account has watched nobody, but the other one knows the tiles. It thinks until midnight."""
    attempt = begin(day.second_account)
    day.clock.move_on(hours=11, minutes=59, seconds=59)
    play_some(attempt, 3)
    day.clock.move_on(seconds=1)
    play_out(attempt, seed=3)
    assert "Not finished in time" in day.second_account.get(f"/daily/{TODAY}/").text
    return attempt


def a_form_from_before_midnight_is_sent_after_it(day: Day) -> None:
    before = rows()
    late = client_of(User.objects.create_user("Norah", "norah@example.org", "moon-and-stars-17"))
    for client in (late, *day.cheats.values()):
        assert client.post("/daily/start/", once(day=TODAY)).status_code == 409
    assert rows() == before

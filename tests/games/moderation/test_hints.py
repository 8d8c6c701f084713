"""Who plays from the same place: a hint for moderators only, which nothing follows from by itself."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.utils import timezone

from accounts.models import User
from games.models import Game, Measure, Report
from games.queries.people.reports import history_of
from games.services.talk.moderation import reports
from tests.clients import client_of
from tests.games.moderation.cases import moderator
from tests.play import game_of, person

pytestmark = pytest.mark.django_db

FIREFOX, CHROME = "Mozilla/5.0 (X11) Firefox/140.0", "Mozilla/5.0 (X11) Chrome/140.0"


def visit(user: User, ip: str, browser: str = FIREFOX) -> None:
    """Store a session of a user with this address and browser, as a visit does."""
    UserSession.objects.create(
        user=user,
        session_key=f"{user.pk} {UserSession.objects.count()}",
        ip=ip,
        user_agent=browser,
        last_seen_at=timezone.now(),
        data={},
    )


def places(user: User) -> dict[str, tuple[int, bool]]:
    history = history_of(user, viewer=user)
    return {place.user.username: (place.games, place.is_same_browser) for place in history.same_places}


def test_people_at_one_table_from_one_network_are_a_hint() -> None:
    tobias, second, brother, stranger = (person(name) for name in ("Tobias", "Tobi", "Ben", "Noor"))
    for user in (tobias, second, stranger):
        visit(user, "192.0.2.77")
    visit(brother, "192.0.2.9", CHROME)
    for _number in range(2):
        game_of(tobias, second)
    game_of(tobias, brother)
    game_of(tobias, person("Ines"))
    assert places(tobias) == {"Tobi": (2, True), "Ben": (1, False)}, "Noor has not played with him"
    Game.objects.update(started_at=timezone.now() - timedelta(days=91))
    assert places(tobias) == {}


def test_an_unknown_address_is_no_place() -> None:
    tobias, ines = person("Tobias"), person("Ines")
    for user in (tobias, ines):
        visit(user, "")
    game_of(tobias, ines)
    assert places(tobias) == {}


def test_moderators_see_the_hint_and_nothing_follows_from_it() -> None:
    vera, tobias, second = moderator(), person("Tobias"), person("Tobi")
    for user in (tobias, second):
        visit(user, "192.0.2.77")
    game = game_of(tobias, second)
    report = reports.report(person("Ines"), tobias, Report.About.PLAYER)
    address = f"/moderation/reports/{report.pk}/"
    page = client_of(vera).get(address).text
    assert "same network, and a similar browser" in page
    assert "192.0.2" not in page
    for user in (tobias, second):
        assert client_of(user).get(address).status_code == 404
        assert "same network" not in client_of(user).get(f"/g/{game.key}/").text
        assert "same network" not in client_of(user).get("/people/Tobias/").text
    assert not Measure.objects.exists()

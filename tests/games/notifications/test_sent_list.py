"""What was sent and what was not, as people and administrators see it."""

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.models import Channel, Kind, Notification
from tests.clients import client_of, without_marks
from tests.games.notifications.chosen import PAGE, deliver_all
from tests.play import game_of, mover, person, play_one

pytestmark = pytest.mark.django_db


def test_administrators_see_what_was_sent_by_channel(admin_client: Client, ines: User) -> None:
    game = game_of(ines, person("Tobias"))
    rows = Notification.objects.filter(game=game)
    Notification.objects.create(
        game=game,
        user=ines,
        kind=Kind.NUDGE,
        channel=Channel.PUSH,
        version=1,
        due_at=timezone.now(),
        sent_at=timezone.now(),
    )
    address = "/admin/games/notification/"
    everything = admin_client.get(address).context["cl"].result_count
    assert everything == rows.count()
    [pushed] = admin_client.get(address, {"channel__exact": "push"}).context["cl"].result_list
    assert (pushed.kind, pushed.user) == (Kind.NUDGE, ines)
    page = admin_client.get(address, {"channel__exact": "push"}).text
    assert "push message" in page
    assert game.key in page
    assert client_of(ines).get(address).status_code == 302, "only staff see it"


def test_what_was_sent_says_when_and_why_not(ines: User) -> None:
    game = game_of(ines, person("Tobias"))
    while mover(game) != ines:
        play_one(game)
    deliver_all()
    page = client_of(ines).get(f"{PAGE}sent/").text
    assert "Your turn" in page
    assert "sent 2" in page
    assert client_of(person("Mina")).get(f"{PAGE}sent/").text.count("Nothing was sent to you yet") == 1


def test_what_was_sent_is_listed_before_the_rest_and_names_the_games(
    ines: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    now = timezone.now()
    for name, values in {
        "Tobias": {"sent_at": now},
        "Mina": {},
        "Noor": {"dropped_at": now, "why_dropped": "seen"},
    }.items():
        game = game_of(ines, person(name))
        game.notifications.all().delete()
        game.notifications.create(user=ines, kind=Kind.TURN, version=90, due_at=now, **values)
    client = client_of(ines)
    with django_assert_max_num_queries(12):
        page = without_marks(client.get(f"{PAGE}sent/").text)
    marks = ("Game with Tobias", "<h2>Not sent yet", "Game with Mina", "<h2>Not sent<", "Game with Noor")
    assert sorted(marks, key=page.index) == list(marks)

"""The admin pages of games are read-only and show no secrets."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Action, Game, Hint, Review, SitePart
from tests.clients import client_of
from tests.play import fresh, game_of, mover, person, play_one

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    game = game_of(person("Ines"), person("Tobias"))
    play_one(game)
    return fresh(game)


def test_administrators_see_games_without_their_deals(game: Game, admin_client: Client) -> None:
    notification = game.notifications.first()
    action = Action.objects.get(game=game)
    hint = Hint.objects.create(game=game, number=2, seat=0)
    review = Review.objects.create(game=game)
    for address in (
        "games/game/",
        f"games/game/{game.pk}/change/",
        "games/action/",
        f"games/action/{action.pk}/change/",
        "games/seat/",
        "games/notification/",
        f"games/notification/{notification.pk}/change/",
        "games/hint/",
        f"games/hint/{hint.pk}/change/",
        "games/review/",
        f"games/review/{review.pk}/change/",
        "accounts/user/",
        f"accounts/user/{mover(game).pk}/change/",
        f"games/game/?q={game.key}",
    ):
        response = admin_client.get(f"/admin/{address}")
        assert response.status_code == 200, address
        assert game.deal.salt not in response.text, address
        for quote in ("'", '"', "&quot;", "&#x27;"):
            assert f"{quote}, {quote}".join(game.deal.dealt["deck"][-2:]) not in response.text, address


def test_administrators_cannot_change_a_log(game: Game, admin_client: Client) -> None:
    action = Action.objects.get(game=game)
    for address in (
        f"games/action/{action.pk}/delete/",
        f"games/game/{game.pk}/delete/",
        "games/action/add/",
        "games/game/add/",
    ):
        assert admin_client.post(f"/admin/{address}", {"post": "yes"}).status_code == 403, address
    admin_client.post(f"/admin/games/action/{action.pk}/change/", {"number": 7, "payload": "{}"})
    assert Action.objects.get() == action
    assert Action.objects.get().payload == action.payload


def test_superusers_delete_a_part_of_the_site_that_is_not_used_any_more(admin_client: Client) -> None:
    now = timezone.now()
    SitePart.objects.create(name=SitePart.Name.QUICK, up_since=now, seen_at=now)
    page = "/admin/games/sitepart/quick/delete/"
    staff = person("Mina")
    User.objects.filter(pk=staff.pk).update(is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(content_type__model="sitepart"))
    assert client_of(User.objects.get(pk=staff.pk)).post(page, {"post": "yes"}).status_code == 403
    assert "short tasks" in admin_client.get("/admin/games/sitepart/").text
    assert admin_client.post(page, {"post": "yes"}).status_code == 302
    assert not SitePart.objects.exists()


def test_players_cannot_use_the_admin(game: Game, client: Client) -> None:
    client.force_login(mover(game))
    assert client.get("/admin/games/game/").status_code == 302

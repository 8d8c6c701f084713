"""A site without accounts can be filled with people and results, to measure its pages."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from games.models import Follow, Game, SoloResult, Standing
from games.services.projections.standings import (
    players_with_standings,
    rebuild_score_counts,
    rebuild_standings,
)
from tests.play import person

pytestmark = pytest.mark.django_db


def test_a_filled_site_shows_its_results() -> None:
    call_command("seed_site", players=10, results=120, games=20)
    assert (User.objects.count(), SoloResult.objects.count(), Game.objects.count()) == (10, 120, 140)
    assert {*SoloResult.objects.values_list("kind", flat=True)} == {"free", "daily"}
    assert Follow.objects.filter(user__username="Player-1").count() > 5
    for player in players_with_standings():
        assert rebuild_standings(player, check_only=True) == []
    assert rebuild_score_counts(check_only=True) == []
    assert Standing.objects.filter(measure="average", period="all").exists()
    for path in ("/solo/leaderboard/", "/ratings/", "/people/Player-1/"):
        page = Client().get(path)
        assert page.status_code == 200
        assert "Player-1" in page.text


def test_a_site_with_accounts_is_refused() -> None:
    person("Ines")
    with pytest.raises(CommandError, match="has accounts"):
        call_command("seed_site")
    assert User.objects.count() == 1
    assert not Game.objects.exists()

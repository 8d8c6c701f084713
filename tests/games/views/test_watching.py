"""The page for spectators: which games it shows to whom, in which order, and the search for players."""

import re
from datetime import timedelta
from unittest import mock
from uuid import uuid4

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.models import Game, HiddenPart, PlayerRating, ProfilePart, Watch
from games.queries.browsing.watching import next_to_watch, watched_games
from games.services import tables
from games.services.errors import Conflict
from games.services.private import blocks, profiles
from tests.clients import HTMX, client_of
from tests.play import fresh, game_left_to, game_of, match_of, mover, person, play_one, play_out, solo_of
from tests.titles.play import pairs_game

pytestmark = pytest.mark.django_db


def watched(client: Client, query: str = "") -> list[str]:
    """Return the keys of the games that the page shows, in its order."""
    return [summary.key for summary in client.get(f"/watch/{query}").context["games"]]


def public_game(*names: str) -> Game:
    """Return a listed game in which somebody has moved."""
    game = game_of(*(User.objects.filter(username=name).first() or person(name) for name in names))
    play_one(game)
    return fresh(game)


def game_with_bot(name: str) -> Game:
    """Return a listed game against a bot that counts an action, whoever begins."""
    game = game_of(person(name), bots=("easy",))
    Game.objects.filter(pk=game.pk).update(version=1, moved_at=timezone.now())
    return fresh(game)


def test_visitors_find_running_public_games_and_others_than_their_own() -> None:
    first, second = public_game("Ines", "Tobias"), public_game("Mina", "Noor")
    assert watched(Client()) == [second.key, first.key]
    assert watched(client_of(User.objects.get(username="Noor"))) == [first.key]
    play_one(first)
    page = Client().get("/watch/")
    assert [summary.key for summary in page.context["games"]] == [first.key, second.key]
    assert f'src="/g/{first.key}/preview.webp?v={fresh(first).live_version}"' in page.text
    part = Client().get("/watch/", headers=HTMX).text
    assert first.key in part
    assert "<html" not in part


def test_it_shows_no_game_that_is_private_over_left_to_bots_old_or_closed() -> None:
    left = game_left_to("easy", "easy")
    assert left.is_running
    assert left.moved_at is not None
    ines, tobias = User.objects.get(username="Ines"), person("Tobias")
    private = game_of(ines, tobias, is_public=False)
    play_one(private)
    play_out(game_of(ines, tobias))
    assert all(game.moved_at is not None for game in match_of(person("Mina"), person("Noor")))
    old = public_game("Omar", "Pia")
    Game.objects.filter(pk=old.pk).update(moved_at=timezone.now() - timedelta(days=4))
    assert watched(Client()) == []
    assert "No public game is running right now." in Client().get("/watch/").text


def test_the_strongest_players_can_come_first() -> None:
    strong, weak, unrated = (
        public_game(*names) for names in (("Ines", "Tobias"), ("Mina", "Noor"), ("Omar", "Pia"))
    )
    for name, mean in (("Ines", 1900), ("Tobias", 1700), ("Mina", 1950), ("Noor", 1200)):
        PlayerRating.objects.create(user=User.objects.get(username=name), title="novaluna", mean=mean)
        PlayerRating.objects.create(user=User.objects.get(username=name), title="other", mean=3000 - mean)
    assert watched(Client()) == [unrated.key, weak.key, strong.key]
    assert watched(Client(), "?by=strength") == [strong.key, weak.key, unrated.key]


def test_the_games_that_most_people_look_at_can_come_first() -> None:
    quiet, busy, latest = (
        public_game(*names) for names in (("Ines", "Tobias"), ("Mina", "Noor"), ("Omar", "Pia"))
    )
    omar = client_of(User.objects.get(username="Omar"))
    for address in (
        busy,
        quiet,
        latest,
    ):  # His own game does not count, and the last one that he watches does.
        omar.get(address.get_absolute_url())
    ines = client_of(User.objects.get(username="Ines"))
    ines.get(f"/g/{busy.key}/version/?visible=1&brief=1")
    Client().get(latest.get_absolute_url())
    assert watched(Client(), "?by=watched") == [busy.key, quiet.key, latest.key]
    assert [one.game.spectators for one in watched_games(AnonymousUser())] == [0, 1, 1]
    client_of(User.objects.get(username="Noor")).get(quiet.get_absolute_url())
    page = Client().get("/watch/?by=watched")
    assert [summary.key for summary in page.context["games"]] == [quiet.key, busy.key, latest.key]
    assert "2 people watch" in page.text
    assert "1 person watches" in page.text
    Watch.objects.update(seen_at=timezone.now() - timedelta(minutes=2))
    assert watched(Client(), "?by=watched") == watched(Client())


def test_nobody_counts_as_a_spectator_of_games_that_are_not_public_or_not_running() -> None:
    ines, tobias, mina = person("Ines"), person("Tobias"), person("Mina")
    for game in (game_of(ines, tobias, is_public=False), play_out(game_of(ines, tobias)), solo_of(ines)):
        client_of(mina).get(game.get_absolute_url())
        client_of(mina).get(f"/g/{game.key}/version/?visible=1")
    assert not Watch.objects.exists()


@pytest.mark.parametrize("order", ["latest", "watched", "strength"])
def test_it_shows_games_of_two_people_also_before_the_first_action(order: str) -> None:
    between = public_game("Ines", "Tobias")
    with_bots = game_with_bot("Mina")
    started = game_of(person("Omar"), person("Pia"))
    assert watched(Client(), f"?by={order}") == [started.key, between.key]
    assert next_to_watch(AnonymousUser(), between) == started
    assert "just started" in Client().get("/watch/").text
    assert "at least two people" in Client().get("/watch/").text
    assert with_bots.key in Client().get("/people/Mina/").text


def test_games_of_one_title_need_no_filter() -> None:
    assert "All games" not in Client().get("/watch/").text


@pytest.mark.usefixtures("pairs")
def test_games_of_one_title_can_be_shown_alone() -> None:
    game, other = public_game("Ines", "Tobias"), pairs_game(*map(person, ("Mina", "Noor", "Omar", "Pia")))
    Game.objects.filter(pk=other.pk).update(is_public=True, version=1, moved_at=timezone.now())
    assert watched(Client(), "?title=gone") == [other.key, game.key]
    assert watched(Client(), "?title=pairs&by=strength") == [other.key]
    page = BeautifulSoup(client_of(person("Zoe")).get("/watch/?title=pairs&by=watched").text, "html.parser")
    orders, titles = page.select(".segments")
    assert [one.select_one("[aria-current]").text for one in (orders, titles)] == ["Most watched", "Pairs"]
    assert all("title=pairs" in link["href"] for link in orders.select("a"))
    assert "title=pairs" in page.select_one("#watched")["hx-get"]
    sent = {"is_following": "True", "watched_by": "latest", "watched_title": "pairs"}
    answer = client_of(person("Quentin")).post(f"/g/{other.key}/follow/", sent)
    assert answer.headers["Location"] == f"/watch/?by=latest&title=pairs#watched-{other.key}"


def test_a_game_at_the_live_pace_has_a_mark() -> None:
    game = public_game("Ines", "Tobias")
    assert 'badge--live">live<' not in Client().get("/watch/").text
    Game.objects.filter(pk=game.pk).update(pace=Game.Pace.LIVE)
    assert 'badge--live">live<' in Client().get("/watch/").text


def test_a_game_of_two_guests_who_have_found_each_other_is_shown() -> None:
    for name in ("Guest1", "Guest2"):
        seek = tables.start_looking(User.objects.create(username=name, is_guest=True), "novaluna", uuid4())
    assert seek is not None
    assert seek.game is not None
    play_one(fresh(seek.game))
    assert watched(Client()) == [seek.game.key]


def test_more_games_need_no_more_queries(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    client = client_of(person("Zoe"))
    for names in (("Ines", "Tobias"), ("Mina", "Noor"), ("Omar", "Pia")):
        public_game(*names)
        client.get("/watch/?by=watched", headers=HTMX)  # what is stored for a while
        with django_assert_num_queries(9):
            client.get("/watch/?by=watched", headers=HTMX)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("to", ["Tobias", "Otto", "Ottokar"]),
        ("ott", ["Otto", "Ottokar"]),
        ("TOBI", ["Tobias"]),
        ("Tobais", ["Tobias"]),
        ("guest", []),
        ("xyz", []),
        ("%", []),
    ],
)
def test_players_are_found_by_a_part_of_their_name_and_in_spite_of_a_typo(
    text: str, found: list[str]
) -> None:
    for name in ("Ottokar", "Tobias", "Otto", "Ines"):
        person(name)
    User.objects.create(username="GuestTobi", is_guest=True)
    User.objects.create(username="Tobit", is_active=False)
    page = Client().get("/watch/", {"name": text})
    assert page.status_code == 200
    assert [one.name for one in page.context["people"]] == found


def test_found_players_have_what_their_profiles_show(client: Client) -> None:
    game, zoe = public_game("Tobias", "Tobit"), person("Zoe")
    Game.objects.filter(pk=game.pk).update(pace="live5")
    tobias, tobit = (User.objects.get(username=name) for name in ("Tobias", "Tobit"))
    PlayerRating.objects.create(user=tobias, title="novaluna", mean=1612, deviation=40, games=30)
    HiddenPart.objects.create(user=tobit, part=ProfilePart.RUNNING)
    viewer = client_of(zoe)

    def rows() -> list[str]:
        page = BeautifulSoup(viewer.get("/watch/?name=tob").text, "lxml")
        return [" ".join(row.text.split()) for row in page.select(".find__people > li")]

    first, second = sorted(rows())
    assert first.startswith("Tobias Rating 1612")
    assert "1 game in progress" in first
    assert "Plays now" in first
    assert "Plays now" not in second
    assert "in progress" not in second
    assert 'aria-label="Watch the live game of Tobias">Plays now<' in viewer.get("/watch/?name=tob").text
    sent = {"is_following": "True", "sought": "tob"}
    assert viewer.post("/people/Tobias/follow/", sent).headers["Location"] == "/watch/?name=tob"
    assert "Stop following" in min(rows())
    game.seats.filter(user=tobias).update(has_left=True)
    assert "Plays now" not in min(rows())
    assert "in progress" not in min(rows())
    blocks.block(tobit, zoe)
    assert "Follow" not in max(rows())
    assert "Follow" not in client.get("/watch/?name=tob").text


def test_found_players_need_the_same_queries_however_many_they_are() -> None:
    viewer = client_of(person("Zoe"))

    def count_queries(people: int) -> int:
        for number in range(User.objects.filter(username__startswith="Tob").count(), people):
            person(f"Tob{number}")
        with CaptureQueriesContext(connection) as queries:
            assert len(viewer.get("/watch/?name=tob").context["people"]) == people
        return len(queries)

    count_queries(2)  # what is stored for a while
    assert count_queries(2) == count_queries(12)


def test_a_name_that_somebody_has_leads_to_their_page() -> None:
    person("Tobias")
    assert Client().get("/watch/?name=tobias", follow=True).redirect_chain[-1][0] == "/people/Tobias/"


def test_a_name_that_is_in_many_others_leads_to_its_person() -> None:
    User.objects.bulk_create(User(username=f"a{number}sam") for number in range(200))
    person("Sam")
    assert Client().get("/watch/?name=sam").headers["Location"] == "/people/sam/"


def test_it_shows_no_game_of_a_title_or_of_rules_that_the_site_does_not_have() -> None:
    game = public_game("Ines", "Tobias")
    Game.objects.filter(pk=game.pk).update(title="gone")
    assert watched(Client()) == []
    Game.objects.filter(pk=game.pk).update(title="novaluna", rules_version=99)
    assert watched(Client()) == []


def test_games_of_people_whom_one_follows_come_first() -> None:
    known = public_game("Ines", "Tobias")
    latest = public_game("Mina", "Noor")
    zoe = person("Zoe")
    assert watched(client_of(zoe)) == [latest.key, known.key]
    profiles.follow(zoe, User.objects.get(username="Ines"), is_following=True)
    assert watched(client_of(zoe)) == [known.key, latest.key]
    assert watched(Client()) == [latest.key, known.key]


def test_games_of_people_that_ended_are_found_below_the_running_ones() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    over = play_out(game_of(ines, tobias))
    play_out(game_of(ines, tobias, is_public=False))
    old = play_out(game_of(ines, tobias))
    Game.objects.filter(pk=old.pk).update(moved_at=timezone.now() - timedelta(days=31))
    page = Client().get("/watch/")
    assert [summary.key for summary in page.context["finished"]] == [over.key]
    assert "Recently finished" in page.text
    assert f'href="/g/{over.key}/?at=1"' in page.text, "it can be replayed"
    Game.objects.filter(pk=over.pk).update(moved_at=timezone.now() - timedelta(days=32))
    earlier = Client().get("/watch/").context["finished"]
    assert [summary.key for summary in earlier] == [old.key, over.key], "a visitor always finds something"
    assert client_of(ines).get("/watch/").context["finished"] == []


def test_spectators_read_what_happened_last_and_who_is_ahead() -> None:
    game = public_game("Ines", "Tobias")
    game.seats.update(figures={"discs": 20})
    words = {path: Client().get(path).text for path in ("/watch/", game.get_absolute_url())}
    assert not any("ahead" in text for text in words.values())
    game.seats.filter(user__username="Tobias").update(figures={"discs": 19})
    card, page = (
        BeautifulSoup(Client().get(path).text, "html.parser").select_one(part)
        for path, part in (("/watch/", ".watched__ahead"), (game.get_absolute_url(), "#prompt-detail"))
    )
    assert card.parent.text == "ahead · 19 discs left"
    assert re.fullmatch(r"Tobias is ahead\. \w+ took .+: time 0 → \d\.", " ".join(page.text.split()))
    game.seats.filter(user__username="Tobias").update(has_left=True)
    assert "ahead" not in Client().get("/watch/").text


def test_a_spectator_goes_from_game_to_game_and_meets_all_of_them() -> None:
    games = [public_game(*names) for names in (("Ines", "Tobias"), ("Mina", "Noor"), ("Omar", "Pia"))]
    game, seen = games[0], []
    for _game in games:
        following = next_to_watch(AnonymousUser(), game)
        assert following is not None
        seen.append(following.key)
        game = following
    assert sorted(seen) == sorted(game.key for game in games)
    page = Client().get(games[1].get_absolute_url()).text
    assert "Next game to watch" in page
    assert f'href="{games[0].get_absolute_url()}">' in page
    play_out(games[1])
    assert "Next game to watch" in Client().get(games[1].get_absolute_url()).text
    assert next_to_watch(User.objects.get(username="Ines"), games[1]) == games[2]


def test_an_update_of_a_running_game_looks_for_no_other_game_if_the_page_leads_to_one() -> None:
    game, other = public_game("Ines", "Tobias"), public_game("Mina", "Noor")
    path = game.get_absolute_url()
    headers = {**HTMX, "HX-Trigger": "game"}
    for client in (Client(), client_of(person("Omar"))):
        assert f'href="{other.get_absolute_url()}">' in client.get(path, headers=headers).text
        with mock.patch("games.views.game.game_page.next_to_watch", side_effect=AssertionError):
            kept = client.get(path, headers={**headers, "X-Leads-On": "1"}).text
        assert '<a id="watch-next" data-unchanged></a>' in kept
    play_out(game)
    over = Client().get(path, headers={**headers, "X-Leads-On": "1"}).text
    assert f'href="{other.get_absolute_url()}">' in over


def test_a_player_who_watches_a_game_reads_that_their_turn_is_elsewhere() -> None:
    watched_game, own = public_game("Mina", "Noor"), game_of(person("Ines"), person("Tobias"))
    page = client_of(mover(own)).get(watched_game.get_absolute_url()).text
    assert "Your turn in another game" in page
    assert "Next game</" not in page
    Game.objects.exclude(pk=watched_game.pk).delete()
    play_out(watched_game)
    assert "More games to watch" in Client().get(watched_game.get_absolute_url()).text


def test_the_people_whom_one_follows_are_named_with_links_to_their_pages() -> None:
    ines, tobias, mina = person("Ines"), person("Tobias"), person("Mina")
    assert "You follow" not in Client().get("/watch/").text + client_of(ines).get("/watch/").text
    for other in (tobias, mina):
        profiles.follow(ines, other, is_following=True)
    words = BeautifulSoup(client_of(ines).get("/watch/").text, "html.parser").select_one(".watch__followed")
    assert " ".join(words.text.split()) == "You follow Mina and Tobias"
    assert [link["href"] for link in words.select("a")] == ["/people/Mina/", "/people/Tobias/"]


def test_names_with_marks_have_commas() -> None:
    people = [person(name) for name in ("Ines", "Tobias")]
    game = game_of(*people, bots=("easy", "easy"))
    Game.objects.filter(pk=game.pk).update(version=1, status=Game.Status.OVER)
    names = BeautifulSoup(Client().get("/watch/").text, "html.parser").select_one(".watched__game .names")
    assert names is not None
    after_marks = [str(mark.contents[-1]) for mark in names.select(".names__bot")]
    assert after_marks == ["<span>, </span>", "<span> and </span>"]


def test_the_page_names_some_of_the_people_whom_the_viewer_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.views.watching.FOLLOWED_SHOWN", 2)
    ines = person("Ines")
    for name, shows_all in (("Mina", True), ("Noor", False), ("Omar", False)):
        profiles.follow(ines, person(name), is_following=True)
        page = client_of(ines).get("/watch/")
        assert len(page.context["followed"]) <= 2
        link = BeautifulSoup(page.text, "html.parser").select('.watch__followed a[href="/account/profile/"]')
        assert (link == []) == shows_all


@pytest.mark.parametrize("most", [1, 2])
def test_nobody_follows_more_games_than_the_limit(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(profiles, "MOST_FOLLOWED_GAMES", most)
    games = [public_game("Ines", "Tobias"), public_game("Mina", "Noor"), public_game("Halley", "Ruth")]
    vera = person("Vera")
    for game in games[:most]:
        profiles.follow_game(vera, game, is_following=True)
    with (
        CaptureQueriesContext(connection) as queries,
        pytest.raises(Conflict, match=f"You already follow {most} games"),
    ):
        profiles.follow_game(vera, games[most], is_following=True)
    if connection.features.has_select_for_no_key_update:
        assert any("FOR NO KEY UPDATE" in query["sql"] for query in queries), "others could count meanwhile"

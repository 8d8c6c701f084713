"""No address of the site shows a secret of a running game to a viewer who must not know it.

The walk visits every URL pattern as a visitor and as each player. With another draw pile and another salt, it
visits all again that have read deals or plans: a response that differs depends on the secret. Nova Luna can't
tell other viewers from visitors, and `tests/titles/test_every_address_by_seat.py` walks as each of them.
A new URL pattern fails `test_every_url_is_listed` until `ADDRESSES` or `WITHOUT_GAMES` in
`tests.site.addresses` has it.
"""

import sqlite3
from collections.abc import Container, Iterator
from datetime import datetime, timedelta
from unittest import mock

import pytest
from django.contrib.humanize.templatetags import humanize
from django.core.cache import caches
from django.core.mail import EmailMultiAlternatives
from django.db import OperationalError, connection
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import User
from games.log.replay import Log, secret_log
from games.models import Deal, Game, Hint, Notification, Plan, today
from games.novaluna.board.game_view import GameView
from games.novaluna.engine import action_to_json
from games.queries.mail_links import turn_of_player
from games.replies import Purpose, turn_token
from games.services import hand_overs, hints, reviews
from games.services.errors import Conflict
from games.services.solo import daily
from tests.clients import HTMX, client_of
from tests.play import (
    form_of,
    fresh,
    game_of,
    legal_action,
    legal_fields,
    mover,
    person,
    play_out,
    play_some,
    position_of,
    solo_of,
    turn_mail,
)
from tests.site.addresses import ADDRESSES, WITHOUT_GAMES, Execute, normalise, queries_of, url_names

pytestmark = pytest.mark.django_db

SHOWN_TO_EVERYBODY = {
    "games:home",
    "games:person",
    "games:leaderboard",
    "games:ratings",
    "games:game",
    "games:text",
    "games:display",
    "games:deal",
    "games:preview",
    "games:small_preview",
    "games:updates",
    "games:version",
}
VIEWERS = ("nobody", "mover", "other player")
PICTURES = ("games:preview", "games:small_preview")
# Other pages read no hints.
OF_A_GAME = tuple(name for name, listed in ADDRESSES.items() if "/g/KEY/" in listed[0])
POSTS = (
    "/g/KEY/play/",
    "/g/KEY/text/",
    "/g/KEY/plan/",
    "/g/KEY/text/plan/",
)  # answered with the board and an error when a form is incomplete


def test_every_url_is_listed() -> None:
    names = set(url_names(get_resolver().url_patterns))
    # allauth's pages show only accounts, and `admin_addresses` lists the admin's pages.
    ours = {name for name in names if not name.startswith(("account_", "mfa_", "usersessions_", "admin:"))}
    assert ours - ADDRESSES.keys() - WITHOUT_GAMES == set(), "new URLs: list them here"
    assert (ADDRESSES.keys() | WITHOUT_GAMES) - ours == set(), "these URLs are gone"


def addresses(game: Game, who: str, *names: str) -> list[str]:
    """Return the addresses that this viewer visits, of all URL patterns or of some."""
    tile, token = position_of(game).in_reach[0].code, move_token(game)
    offers = [offer.key for offer in game.seat_offers.all()] or ["AAAAAAAAAAAA"]
    return [
        address.replace("KEY", game.key)
        .replace("TILE", tile)
        .replace("TOKEN", token)
        .replace("OFFER", offers[0])
        .replace("LINE", "1")
        .replace("REPORT", "1")
        .replace("MEASURE", "1")
        for name, listed in ADDRESSES.items()
        # A picture is drawn for nobody in particular, and takes as long as thirty pages.
        if (name not in PICTURES or who == "nobody") and (not names or name in names)
        for address in listed
    ]


def move_token(game: Game) -> str:
    """Return the token of the links in the email about the turn now."""
    assert game.to_move is not None
    turn = turn_of_player(game, mover(game))
    return turn_token(Purpose.MOVE, turn.as_signed, turn.mark)


def client_for(who: str, game: Game) -> Client:
    """Return a client of one of VIEWERS."""
    match who:
        case "nobody":
            return Client()
        case "mover":
            return client_of(mover(game))
        case "other player":
            others = game.seats.exclude(number=game.to_move).exclude(user=None)
            return client_of(others.get().user if others else User.objects.get(username="Tobias"))
    raise ValueError(who)


def visit(
    game: Game, who: str, *names: str, readers: set[str] | None = None, only: Container[str] | None = None
) -> dict[str, bytes]:
    """Return the responses of all addresses, or of some names, to a viewer; normalised.

    Of the addresses, visit `only` some. Those that read deals or plans go into `readers`.
    """
    client, pages = client_for(who, game), {}
    for address in addresses(game, who, *names):
        if only is None or address in only:
            with queries_of(Deal, Plan) as queries:
                pages[address] = normalise(client.get(address).content, address)
            if queries and readers is not None:
                readers.add(address)
    for address in (f"/g/{game.key}/", f"/g/{game.key}/hint/", f"/g/{game.key}/review/"):
        pages[f"htmx {address}"] = normalise(client.get(address, headers=HTMX).content)
    for address in POSTS:
        post = client.post(address.replace("KEY", game.key), {"do": "place"})
        pages[f"post {address}"] = normalise(post.content)
    return pages


def different(before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    """Return the addresses whose second response differs from the first one."""
    assert before.keys() >= after.keys()
    return [address for address in after if before[address] != after[address]]


def age(game: Game) -> Game:
    """Move the times of a game back by days, and return the game.

    The filter `naturaltime` reads the real clock.
    """
    days_ago = timezone.now() - timedelta(days=3, minutes=30)
    Game.objects.filter(pk=game.pk).update(opened_at=days_ago, started_at=days_ago, moved_at=days_ago)
    return fresh(game)


def redeal(game: Game) -> None:
    """Give a game another draw pile and another salt behind the same commitment."""
    deal = fresh(game).deal
    drawn = 68 - position_of(game).draw_pile
    deck = [*deal.dealt["deck"][:drawn], *reversed(deal.dealt["deck"][drawn:])]
    Deal.objects.filter(pk=deal.pk).update(dealt={**deal.dealt, "deck": deck}, salt="5ecre7" * 10)
    # A stored picture would not show the new draw pile.
    caches["previews"].clear()


def plan_refill(game: Game) -> None:
    """Let the player who is not to move plan a refill."""
    planner = client_for("other player", game)
    answer = planner.post(f"/g/{game.key}/plan/", {"number": game.version + 1, "wishes": "refill"})
    assert answer.status_code == 302


@pytest.fixture
def people() -> tuple[User, User]:
    person("Noor")
    return person("Ines"), person("Tobias")


@pytest.fixture(autouse=True)
def stopped_clock() -> Iterator[datetime]:
    """Stop the clock, so that pages show the same times twice."""
    now = timezone.now()
    # The filter `naturaltime` has a clock of its own: two visits may be before and after a full hour.
    with mock.patch.object(timezone, "now", return_value=now), mock.patch.object(humanize, "datetime") as own:
        own.now.return_value = now
        yield now


@pytest.fixture
def game(people: tuple[User, User]) -> Game:
    """A running game of two people, one of whom offers their seat by link."""
    game = play_some(game_of(*people), 5)
    hand_overs.offer(game.key, mover(game), is_public=False)
    return age(game)


@pytest.fixture
def hinted_solo(people: tuple[User, User]) -> Game:
    """A running solo game of Ines, who has a hint."""
    game = solo_of(people[0])
    play_some(game, 3)
    hint = hints.ask(game.key, people[0], fresh(game).version + 1)
    Hint.objects.filter(pk=hint.pk).update(payload=action_to_json(legal_action(game)), value=97.0)
    return age(game)


@pytest.mark.slow
@pytest.mark.parametrize("who", VIEWERS)
def test_no_response_depends_on_the_draw_pile_or_on_another_players_plan(game: Game, who: str) -> None:
    readers: set[str] = set()
    before = visit(game, who, readers=readers)
    offer = game.seat_offers.get().key
    shows_link = [address for address, page in before.items() if offer.encode() in page]
    if who == "mover":
        assert f"/g/{game.key}/hand-over/" in shows_link, "the walk would notice the link"
    else:
        assert {*shows_link} <= {f"/seats/{offer}/"}, "only its player knows the link of an offered seat"
    redeal(game)
    if who != "other player":
        plan_refill(game)
    assert different(before, visit(game, who, only=readers)) == []


@pytest.mark.slow
def test_no_response_to_the_solo_player_depends_on_the_draw_pile(hinted_solo: Game) -> None:
    readers: set[str] = set()
    before = visit(hinted_solo, "mover", readers=readers)
    redeal(hinted_solo)
    assert different(before, visit(hinted_solo, "mover", only=readers)) == []


def picture_of(mail: EmailMultiAlternatives) -> bytes:
    [image] = mail.attachments
    return image.get_payload(decode=True)


def test_the_turn_mail_does_not_depend_on_the_draw_pile(game: Game) -> None:
    before = turn_mail(game, mover(game))
    redeal(game)
    caches["previews"].clear()
    after = turn_mail(fresh(game), mover(game))
    assert [picture_of(after)] == [picture_of(before)]
    assert (after.subject, after.body, after.alternatives) == (
        before.subject,
        before.body,
        before.alternatives,
    )


@pytest.mark.slow
def test_no_response_to_a_player_of_the_daily_deal_depends_on_the_draw_pile(
    people: tuple[User, User],
) -> None:
    game = age(play_some(fresh(daily.begin(people[0], today())), 3))
    readers: set[str] = set()
    before = visit(game, "mover", readers=readers)
    redeal(game)
    assert different(before, visit(game, "mover", only=readers)) == []


@pytest.mark.slow
@pytest.mark.parametrize("who", ["nobody", "other player"])
def test_only_its_player_sees_a_hint(hinted_solo: Game, who: str) -> None:
    hint, board = Hint.objects.get(game=hinted_solo), f"/g/{hinted_solo.key}/"
    player, before = client_for("mover", hinted_solo), visit(hinted_solo, who, *OF_A_GAME)
    own_board = normalise(player.get(board).content)
    another = list(position_of(hinted_solo).legal_actions)[-1]
    assert action_to_json(another) != hint.payload
    Hint.objects.filter(pk=hint.pk).update(payload=action_to_json(another), value=42.0)
    assert different(before, visit(hinted_solo, who, *OF_A_GAME)) == []
    assert normalise(player.get(board).content) != own_board, "the walk would notice a difference"


def test_a_plan_changes_only_the_pages_of_its_player_and_sends_nothing(
    game: Game, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    planner, page, owed = client_for("other player", game), f"/g/{game.key}/", Notification.objects.count()
    own_page = normalise(planner.get(page).content)
    with django_capture_on_commit_callbacks() as callbacks:
        plan_refill(game)
    assert callbacks == [], "nothing is sent or queued"
    assert Notification.objects.count() == owed
    assert normalise(planner.get(page).content) != own_page, "the walk would notice a difference"


def test_the_walk_notices_a_page_that_shows_the_draw_pile(game: Game) -> None:
    """Every page with the heading differs if the heading names the last tile of the deck."""

    def heading(view: GameView) -> str:
        return view.position.setup.deck[-1]

    def whole_log(game: Game, *, seat: int | None) -> Log:
        del seat
        return secret_log(game)

    readers: set[str] = set()
    with (
        mock.patch("games.queries.viewing.public_log", whole_log),
        mock.patch("games.novaluna.board.board.heading", heading),
    ):
        before = visit(game, "nobody", "games:game", readers=readers)
        redeal(game)
        after = visit(game, "nobody", "games:game", only=readers)
    assert f"/g/{game.key}/" in different(before, after)


def test_the_walk_reaches_the_pages_that_everybody_may_see(game: Game) -> None:
    assert ADDRESSES.keys() >= SHOWN_TO_EVERYBODY
    for address in addresses(game, "nobody", *SHOWN_TO_EVERYBODY):
        assert Client().get(address).status_code == 200, address


def test_the_walk_notices_a_deal_that_is_public(people: tuple[User, User]) -> None:
    """After the game the deal is public, so the same comparison finds the deal and the record."""
    game = play_out(game_of(*people))
    before = {address: Client().get(address).content for address in public_addresses(game)}
    deal = game.deal
    Deal.objects.filter(pk=deal.pk).update(salt="5ecre7" * 10)
    after = {address: Client().get(address).content for address in public_addresses(game)}
    assert different(before, after) == public_addresses(game)


def public_addresses(game: Game) -> list[str]:
    return [f"/g/{game.key}/deal/", f"/g/{game.key}/record.json"]


def refuse_writes(execute: Execute, sql: str, params: object, many: bool, context: object) -> object:
    """Refuse a query that writes, as SQLite does on a full disk."""
    if sql.startswith(("INSERT", "UPDATE", "DELETE")):
        cause = sqlite3.OperationalError("database or disk is full")
        cause.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise OperationalError(*cause.args) from cause
    return execute(sql, params, many, context)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_every_page_shows_while_nothing_can_be_stored(game: Game) -> None:
    client = client_for("mover", game)
    with connection.execute_wrapper(refuse_writes):
        answers = {address: client.get(address).status_code for address in addresses(game, "mover")}
        refused = client.post(f"/g/{game.key}/play/", form_of(game, legal_fields(game)))
    assert {address: status for address, status in answers.items() if status >= 500} == {}
    assert refused.status_code == 503
    assert "Nothing can be saved at the moment" in refused.text


def test_no_review_before_the_end(game: Game) -> None:
    with pytest.raises(Conflict):
        reviews.ask(game, User.objects.get(username="Ines"))
    assert Client().get(f"/g/{game.key}/review/").headers["Location"] == game.get_absolute_url()

"""No address, email or post shows a hand, a secret choice, a plan or a spectator's line to a wrong viewer.

The walk visits all addresses of the site as each seat of a game of Pairs, and as people without one. Then it
gives the game other cards, choices, plans and lines of spectators wherever the viewer may not know them, and
visits all again that have read the tables of these: an answer that differs depends on a secret.
"""

import json
import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from random import Random
from unittest import mock

import pytest
from django.contrib.humanize.templatetags import humanize
from django.core.cache import caches
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.log.deals import setup_of
from games.log.records import record_of
from games.log.replay import secret_log
from games.models import (
    Action,
    Channel,
    ChatLine,
    Deal,
    Game,
    Kind,
    Measure,
    Notification,
    Plan,
    Report,
    Watch,
)
from games.notifications.delivery import write_message
from games.queries.feeds import feed_urls
from games.queries.mail_links import MailTurn
from games.queries.people.own_rows import own_rows
from games.replies import Purpose, turn_token
from games.services import hand_overs, plans
from games.services.private import blocks
from games.services.talk import chat
from games.shown.plain.mails import PlainMails
from tests.clients import HTMX, client_of, drawn_for, without_trace
from tests.games.moderation.cases import moderate
from tests.play import fresh, hand_over, person
from tests.site.addresses import ADDRESSES, admin_addresses, normalise, queries_of
from tests.titles.leaks import log_of_first_seat, no_games, plan_of_anybody, whole_log
from tests.titles.pairs.rules import Choose, PairsPosition, PairsRules
from tests.titles.play import choose, pairs_game
from tests.titles.redeals import redeal_pairs

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pairs", "_stopped_clock")]

# Mina has taken the seat of Vera, who had chosen a card in the first round.
SEATS = ("Ines", "Tobias", "Mina", "Noor")
FORMER, SPECTATOR, GUEST, KEEPER, NOBODY = "Vera", "Halley", "Amber-Comet", "keeper", ""
# Somebody whom a player has blocked, and staff who have proved no second factor.
BLOCKED, HELPER = "Bruno", "helper"
# People about whom the moderator has decided.
MUTED, SUSPENDED, MODERATOR = "Mute", "Susan", "Quinn"
OTHERS = (FORMER, SPECTATOR, GUEST, BLOCKED, KEEPER, HELPER, NOBODY, MUTED, SUSPENDED, MODERATOR)
VIEWERS = (*SEATS, *OTHERS)
# These do not read what spectators write while the game runs.
NO_SPECTATORS = (*SEATS, FORMER, GUEST, BLOCKED, NOBODY)
# These see what others of the list see, so their walks are in the whole suite only.
LIKE_OTHERS = ("Mina", "Noor", SPECTATOR, GUEST, BLOCKED, HELPER, MUTED, SUSPENDED)
# These send the forms that Tobias or the moderator sends.
WITH_FORMS_OF_OTHERS = (*LIKE_OTHERS, "Ines")
WALKS, SENDERS = (
    [pytest.param(one, id=one or "nobody", marks=[pytest.mark.whole] * (one in whole)) for one in VIEWERS]
    for whole in (LIKE_OTHERS, WITH_FORMS_OF_OTHERS)
)
DEALT = {"hands": [[3, 6, 7], [1, 2, 4], [3, 5, 7], [1, 2, 4]], "bonuses": [5, 3, 4]}
FIRST_ROUND = (3, 1, 5, 2)
# In the second round, seats 0 and 3 have chosen, and plan their next choice.
CHOSEN = {0: 6, 3: 4}
PLANNED = {0: 7, 3: 1}
# What asks for a card of Pairs, held or not, in addition to what the walk over Nova Luna asks.
ASKED = (
    *(f"/g/KEY/{part}?choice=choose+{card}" for card in range(1, 8) for part in ("", "text/")),
    *(f"/g/KEY/{part}?at={number}" for number in range(7) for part in ("", "text/")),
    *(f"/move/TOKEN/?move=choose+{card}" for card in range(1, 8)),
    *(f"/g/KEY/{part}?plan=1" for part in ("", "text/")),
)
HTMX_ASKED = ("/g/KEY/", "/g/KEY/?at=5", "/g/KEY/?plan=1", "/g/KEY/?choice=choose+7", "/g/KEY/chat/")
# Of messages about a running game; those about nudges, votes and caretakers name only people.
KINDS = (Kind.TURN, Kind.STARTED, Kind.REMINDER, Kind.SEAT, Kind.CHAT)
ABOUT_SEAT = frozenset({Kind.TURN, Kind.REMINDER})

Answers = dict[str, tuple[object, ...]]
Names = set[str] | None


@pytest.fixture
def _stopped_clock() -> Iterator[None]:
    """Stop the clock, so that pages show the same times twice."""
    now = timezone.now()
    with mock.patch.object(timezone, "now", return_value=now), mock.patch.object(humanize, "datetime") as own:
        own.now.return_value = now
        yield


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A listed game in its second round, with a seat that changed hands, one on offer, plans and a chat."""
    User.objects.create_user(GUEST, is_guest=True)
    User.objects.create_superuser(KEEPER, "keeper@example.org", "moon-and-stars-17")
    User.objects.create_user(
        HELPER, "helper@example.org", "moon-and-stars-17", is_staff=True, is_superuser=True
    )
    halley = person(SPECTATOR)
    vera, mina = person(FORMER), person("Mina")
    ines, tobias, noor = (person(name) for name in ("Ines", "Tobias", "Noor"))
    monkeypatch.setattr(PairsRules, "deal", lambda *_arguments: DEALT)
    game = pairs_game(ines, tobias, vera, noor, pace="day", caretaker="easy")
    Game.objects.filter(pk=game.pk).update(is_public=True)
    players = (ines, tobias, vera, noor)
    for user, card in zip(players, FIRST_ROUND, strict=True):
        choose(game, user, card)
    hand_over(game, vera, mina)
    for seat, card in CHOSEN.items():
        choose(game, players[seat], card)
    for seat, card in PLANNED.items():
        number = fresh(game).version
        plans.change(game.key, players[seat], [Choose(-1, card)], number, outlasts_reveals=True)
    blocks.block(ines, person(BLOCKED))
    hand_overs.offer(game.key, tobias, is_public=False)
    chat.write(game.key, ines, "Good luck!", uuid.uuid4())
    chat.write(game.key, halley, "Ines should take the three.", uuid.uuid4())
    moderate(game, tobias, muted=MUTED, suspended=SUSPENDED, moderator_name=MODERATOR)
    User.objects.filter(is_guest=False).update(feed_number=1)
    days_ago = timezone.now() - timedelta(days=3, minutes=30)
    Game.objects.filter(pk=game.pk).update(opened_at=days_ago, started_at=days_ago)
    return fresh(game)


def user_of(viewer: str) -> User | None:
    return User.objects.get(username=viewer) if viewer else None


def seat_of(viewer: str) -> int | None:
    return SEATS.index(viewer) if viewer in SEATS else None


def position_of(game: Game) -> PairsPosition:
    position = secret_log(fresh(game)).position
    assert isinstance(position, PairsPosition)
    return position


def deal_anew(game: Game, viewer: str) -> None:
    """Change every card, choice, plan, bonus and line that a viewer may not know, and the salt."""
    before, own = position_of(game), seat_of(viewer)
    known = replace(
        before, chosen=tuple(card if seat == own else None for seat, card in enumerate(before.chosen))
    )
    rng = Random(1)
    while True:
        dealt = redeal_pairs(setup_of(game), known, own, rng)
        hands, bonuses = dealt["hands"], dealt["bonuses"]
        assert isinstance(hands, list)
        left = {seat: _left(hands[seat], FIRST_ROUND[seat]) for seat in range(4) if seat != own}
        if bonuses != list(before.bonuses) and all(
            set(cards).isdisjoint(before.hands[seat]) for seat, cards in left.items()
        ):
            break
    salt = "5ecre7" * 10
    Deal.objects.filter(pk=game.deal.pk).update(dealt=dealt, salt=salt)
    for seat, (chosen, planned) in left.items():
        secret = Action.objects.filter(game=game, seat=seat, number__gt=4)
        secret.update(payload={"seat": seat, "do": "choose", "card": chosen})
        wishes = [{"seat": seat, "do": "choose", "card": planned}]
        Plan.objects.filter(game=game, user__username=SEATS[seat]).update(wishes=wishes)
    if viewer in NO_SPECTATORS:
        ChatLine.objects.filter(watched=game).update(text="Tobias should take the five.")
    caches["previews"].clear()


def _left(hand: list[int], played: int) -> list[int]:
    """Return the cards of a hand of which one was played."""
    left = list(hand)
    left.remove(played)
    return left


def addresses_of(game: Game, viewer: str) -> list[str]:
    """Return the addresses that a viewer visits, with the link of an email about the turn of a player."""
    user, seat = user_of(viewer), seat_of(viewer)
    if viewer == FORMER:
        seat = 2
    token = "nonsense"
    if user is not None and seat is not None:
        turn = MailTurn(game, user, seat, game.version + 1)
        token = turn_token(Purpose.MOVE, turn.as_signed, turn.mark)
    listed = [address for some in ADDRESSES.values() for address in some]
    offer = game.seat_offers.latest("pk").key
    numbers = {
        "LINE": game.chat_lines.latest("pk").pk,
        "REPORT": Report.objects.latest("pk").pk,
        "MEASURE": Measure.objects.latest("pk").pk,
    }
    for word, number in numbers.items():
        listed = [address.replace(word, str(number)) for address in listed]
    own = [url.partition("//")[2].partition("/")[2] for url in (feed_urls(user).values() if user else ())]
    found = [
        address.replace("KEY", game.key).replace("TOKEN", token).replace("OFFER", offer)
        for address in (*listed, *ASKED)
    ]
    return [*found, *(f"/{path}" for path in own), *(admin_addresses() if viewer in (KEEPER, HELPER) else ())]


def client_for(viewer: str) -> Client:
    """Return a client of a viewer; the helper's has proved no second factor."""
    user = user_of(viewer)
    if user is not None and viewer != HELPER:
        return client_of(user)
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def visit(game: Game, viewer: str, part: str = "", readers: Names = None, only: Names = None) -> Answers:
    """Return all answers to a viewer: of addresses with this part, of forms, and of htmx, with statuses.

    Of the addresses, visit `only` some. Those that read a table that `deal_anew` changes go into `readers`.
    """
    client = client_for(viewer)
    Watch.objects.all().delete()  # A walk makes its viewer a spectator, whom lists count.
    answers: Answers = {}

    def note(name: str, answer: HttpResponse) -> None:
        answers[name] = answer.status_code, answer.headers.get("Location"), normalise(answer.content, name)

    for address in addresses_of(game, viewer):
        if part in address and (only is None or address in only):
            with queries_of(Deal, Action, Plan, ChatLine) as queries:
                note(address, client.get(address))
            if queries and readers is not None:
                readers.add(address)
    if part:
        return answers
    for address in HTMX_ASKED:
        path = address.replace("KEY", game.key)
        note(f"htmx {path}", client.get(path, headers=HTMX))
    answers |= board_in_stream(game, viewer)
    # No hand has this card, so forms with it are answered with the page and change nothing.
    action = json.dumps([{"do": "choose", "seat": seat_of(viewer) or 0, "card": 9}])
    form = {"do": "play", "number": 7, "action": action}
    for path in ("play/", "text/", "plan/", "text/plan/"):
        note(f"post {path}", client.post(f"/g/{game.key}/{path}", form))
    return answers


def board_in_stream(game: Game, viewer: str) -> Answers:
    """Return the board that an open page of a viewer gets in its stream, if any, and those before it."""
    user = user_of(viewer)
    since = max(fresh(game).live_version - 3, 0)
    drawn = drawn_for(client_for(viewer), game, user, since=since) if user else None
    boards = (drawn.html, *drawn.between) if drawn else ()
    return {"stream": tuple(normalise(html.encode()) for html in boards)}


def messages_to(game: Game, user: User) -> Answers:
    """Return what the site would send to a player on each channel."""
    game = fresh(game)
    versions = {
        Kind.SEAT: game.seat_offers.earliest("pk").pk,
        Kind.CHAT: game.chat_lines.earliest("pk").pk,
    }
    seated = game.seats.filter(user=user).exists()
    rows = [
        Notification(
            pk=1,
            game=game,
            user=user,
            kind=kind,
            channel=channel,
            version=versions.get(kind, game.version),
            created_at=game.started_at,
            due_at=game.started_at,
        )
        for kind in KINDS
        for channel in Channel
        if seated or kind not in ABOUT_SEAT
    ]
    return {f"{row.kind} {row.channel}": (repr(write_message([row])),) for row in rows}


def different(before: Answers, after: Answers) -> list[str]:
    assert after.keys() <= before.keys()
    return [name for name in after if before[name] != after[name]]


def walk_twice(game: Game, viewer: str, part: str = "") -> list[str]:
    """Return the names of the answers to a viewer that depend on what they may not know."""
    readers: set[str] = set()
    before = visit(game, viewer, part, readers)
    deal_anew(game, viewer)
    return different(before, visit(game, viewer, part, only=readers))


@pytest.mark.slow
@pytest.mark.parametrize("viewer", WALKS)
def test_no_answer_depends_on_what_its_viewer_may_not_know(game: Game, viewer: str) -> None:
    assert walk_twice(game, viewer) == []


@pytest.mark.slow
@pytest.mark.parametrize("viewer", SENDERS)
def test_every_address_answers_an_empty_form_of_everybody(game: Game, viewer: str) -> None:
    """Answers may refuse it or ask for a log-in, and none is a failure of the site."""
    client, statuses = client_for(viewer), {}
    for address in addresses_of(game, viewer):
        with without_trace(client):
            statuses[address] = client.post(address).status_code
    assert [address for address, status in statuses.items() if status >= 500] == []


def test_staff_without_a_second_factor_reach_no_page_of_the_admin(game: Game) -> None:
    client = client_for(HELPER)
    for address in admin_addresses():
        answer = client.get(address, follow=True)
        assert answer.redirect_chain[-1][0].startswith("/account/security/?next=/admin/"), address
        assert client.post(address).status_code == 302


@pytest.mark.parametrize("viewer", [*SEATS, FORMER])
def test_no_message_and_no_export_depends_on_what_its_reader_may_not_know(
    game: Game, viewer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A title that draws all it is given shows that pictures are of what their reader sees."""
    monkeypatch.setattr(PlainMails, "draw_turn", lambda _pages, view: repr(view.newest).encode())
    user = User.objects.get(username=viewer)
    messages, rows = messages_to(game, user), list(own_rows(user))
    assert game.key in repr(rows)
    deal_anew(game, viewer)
    assert different(messages, messages_to(game, user)) == []
    assert list(own_rows(user)) == rows


@pytest.mark.parametrize(
    ("place", "leak", "viewer", "part"),
    [
        ("games.queries.viewing.public_log", whole_log, NOBODY, "?at="),
        ("games.queries.viewing.public_log", log_of_first_seat, "Noor", "?at="),
        ("games.queries.viewing._plan", plan_of_anybody, "Noor", "text/"),
        ("games.views.game.deals.public_record", record_of, SPECTATOR, "record.json"),
        ("games.models.games.GameQuerySet.with_hidden_actions", no_games, KEEPER, "/admin/games/action/"),
    ],
    ids=["log", "another seat", "plan", "record", "admin"],
)
def test_the_walk_notices_a_leak(
    game: Game, place: str, leak: object, viewer: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, leak)
    assert walk_twice(game, viewer, part) != []


def test_the_walk_reaches_the_hand_of_its_viewer(game: Game) -> None:
    """What Tobias knows is dealt anew too, so each answer that shows it differs."""
    before = visit(game, "Tobias", game.key) | visit(game, "Tobias", "/move/")
    deal_anew(game, NOBODY)
    after = visit(game, "Tobias", game.key) | visit(game, "Tobias", "/move/")
    shown, own = {*different(before, after)}, f"/g/{game.key}/"
    assert {own, f"{own}text/", f"{own}?at=0", f"{own}text/?at=5"} <= shown
    assert [address for address in shown if address.startswith("/move/")] != []


def test_the_stream_shows_the_hand_of_its_viewer_and_nobody_without_a_seat_one(game: Game) -> None:
    before = board_in_stream(game, "Tobias")
    deal_anew(game, NOBODY)
    assert different(before, board_in_stream(game, "Tobias")) == ["stream"]
    assert board_in_stream(game, FORMER) == {"stream": ()}


def test_who_has_handed_a_seat_over_gets_no_page_of_the_game(game: Game) -> None:
    answers = visit(game, FORMER, game.key)
    shown = [name for name, (status, *_rest) in answers.items() if status == 200]
    assert shown == [f"/g/{game.key}/{part}" for part in ("deal/", "version/", "version/?visible")]


def test_a_message_with_the_whole_log_would_be_noticed(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.queries.viewing.public_log", whole_log)
    user = User.objects.get(username="Tobias")
    before = messages_to(game, user)
    deal_anew(game, "Tobias")
    assert "turn mail" in different(before, messages_to(game, user))

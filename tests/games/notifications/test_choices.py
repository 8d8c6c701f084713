"""What people choose about notifications: kinds and channels, silent games, and links that stop emails."""

from datetime import timedelta
from random import Random
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.core import mail
from django.core.signing import Signer
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.models import Channel, Game, Kind, Notification, Seat, wanted_channels
from games.notifications import delivery
from games.notifications.registry import KINDS
from games.queries.mail_links import stop_url
from games.services import notifications, presence
from tests.clients import client_of, without_marks
from tests.frozen import frozen_clock
from tests.play import fresh, game_of, mover, person, play_one, play_out

pytestmark = pytest.mark.django_db

PAGE = "/account/notifications/"
FORM = {
    "digest_hour": "7",
    "time_zone": "Europe/Berlin",
    "turn": ["mail", "digest"],
    "over": "digest",
}


def wants_turn_mails(user: User) -> bool:
    return Channel.MAIL in wanted_channels(user)[Kind.TURN]


def deliver_all(kind: Kind | None = None) -> None:
    """Deliver every notification, or those of one kind, as if all were due and nobody had a page open."""
    Seat.objects.update(seen_at=None)
    Notification.objects.update(due_at=timezone.now())
    rows = Notification.objects.pending().order_by("pk")
    for one in rows.filter(kind=kind) if kind else rows:
        delivery.deliver(one.pk)


def subjects() -> list[str]:
    return [one.subject for one in mail.outbox]


def test_the_page_stores_the_channels_of_each_kind(ines: User) -> None:
    client = client_of(ines)
    assert "ines@example.org" in client.get(PAGE).text
    assert "Your settings are saved" in client.post(PAGE, FORM, follow=True).text
    assert wanted_channels(ines) == {
        Kind.TURN: {Channel.MAIL, Channel.DIGEST},
        Kind.STARTED: set(),
        Kind.OVER: {Channel.DIGEST},
        Kind.MATCH: set(),
        Kind.TABLE: set(),
        Kind.INVITATION: set(),
        Kind.LEFT: set(),
        Kind.REMINDER: set(),
        Kind.CARETAKER: set(),
        Kind.NUDGE: set(),
        Kind.VOTE: set(),
        Kind.SEAT: set(),
        Kind.CHAT: set(),
    }
    page = client.get(PAGE).text
    assert page.count(" checked") == 4, "three boxes, and the answer about replies"
    assert '<option value="Europe/Berlin" selected>' in page


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{not json",
        "turn=mail",
        "digest_hour=24",
        "digest_hour=7&turn=moon",
        "digest_hour=7&time_zone=Moon",
    ],
)
def test_a_damaged_form_changes_nothing(ines: User, body: str) -> None:
    client = client_of(ines)
    before = wanted_channels(ines)
    response = client.post(PAGE, body, content_type="application/x-www-form-urlencoded")
    assert response.status_code == 400
    assert 'class="errorlist"' in response.text
    assert wanted_channels(ines) == before


def test_the_page_asks_to_log_in_and_to_confirm_the_address(client: Client) -> None:
    assert client.get(PAGE).url == f"/account/login/?next={PAGE}"
    page = client_of(person("Mina", confirmed=False)).get(PAGE).text
    assert "To get emails, confirm <b>mina@example.org</b>" in page
    assert 'action="/account/settings/confirm-address/"' in page


@pytest.mark.parametrize("kind", [Kind.TURN, Kind.STARTED, Kind.OVER])
def test_each_kind_is_sent_once_and_stopped_by_its_switch(kind: Kind) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    notifications.choose_channels(tobias, {one: set() for one in Kind.values})
    game = game_of(ines, tobias)
    if kind is Kind.OVER:
        play_out(game)
    deliver_all(kind)
    deliver_all(kind)
    mine = Notification.objects.filter(user=ines, kind=kind)
    assert [one.to for one in mail.outbox] == [[f"Ines <{ines.email}>"]] * mine.exclude(sent_at=None).count()
    assert (
        not Notification.objects.filter(user=tobias)
        .exclude(why_dropped="unwanted")
        .filter(kind=kind)
        .exists()
    )
    notifications.choose_channels(ines, {kind: set()})
    mail.outbox.clear()
    Notification.objects.filter(kind=kind).update(sent_at=None, dropped_at=None)
    deliver_all(kind)
    assert not mail.outbox


def test_the_start_is_news_for_those_who_do_not_move_first() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias)
    deliver_all(Kind.STARTED)
    other = tobias if mover(game) == ines else ines
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == (
        [f"{other.username} <{other.email}>"],
        f"Your game against {mover(game).username} has started",
    )
    assert f"{mover(game).username} is to move first" in sent.body


def test_the_start_is_news_for_all_who_want_no_notification_of_turns() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    for user in (ines, tobias):
        notifications.stop(user, Kind.TURN, Channel.MAIL)
    game = game_of(ines, tobias)
    first = mover(game)
    deliver_all(Kind.STARTED)
    texts = {one.to[0].split()[0]: one.body for one in mail.outbox}
    assert texts.keys() == {"Ines", "Tobias"}
    assert "you are to move first" in texts.pop(first.username)
    assert f"{first.username} is to move first" in texts.popitem()[1]


def test_a_start_is_no_news_after_a_turn_that_was_wanted_on_its_channel() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    while not Notification.objects.filter(kind=Kind.TURN, version__gt=0).exists():
        play_one(game)
    started = Notification.objects.get(kind=Kind.STARTED)
    assert KINDS[Kind.STARTED].why_unwanted(started) == "newer turn"
    started.channel = Channel.DIGEST
    assert KINDS[Kind.STARTED].why_unwanted(started) != "newer turn"


def test_nobody_is_told_of_a_start_or_an_end_that_they_saw() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    Seat.objects.update(seen_at=timezone.now() + timedelta(seconds=1))
    started = Notification.objects.get(kind=Kind.STARTED)
    past = timezone.now() - timedelta(hours=1)
    Game.objects.update(started_at=past)
    Seat.objects.update(seen_at=past + timedelta(minutes=1))
    delivery.deliver(started.pk)
    started.refresh_from_db()
    assert started.why_dropped == "seen"

    play_out(game)
    by = fresh(game).actions.latest("number").made_by
    Seat.objects.update(seen_at=None)
    for over in Notification.objects.filter(kind=Kind.OVER):
        delivery.deliver(over.pk)
    assert [one.to for one in mail.outbox if "over" in one.subject or "won" in one.subject] == [
        [f"{seat.user.username} <{seat.user.email}>"] for seat in game.seats.exclude(user=by)
    ]


def test_all_mails_of_a_game_are_one_conversation() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    play_out(game)
    deliver_all()
    first = mover_free_references(game)
    assert len(first) == 1
    assert {one.extra_headers["Auto-Submitted"] for one in mail.outbox} == {"auto-generated"}


def mover_free_references(game: Game) -> set[str]:
    """Return the references of the mails to one person."""
    name = mail.outbox[0].to
    return {one.extra_headers["References"] for one in mail.outbox if one.to == name}


def test_a_silent_game_sends_nothing_until_it_is_silent_no_more() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    user = mover(game)
    client = client_of(user)
    assert client.post(f"/g/{game.key}/silence/", {"is_silent": "True"}).url == f"/g/{game.key}/"
    deliver_all(Kind.TURN)
    assert not mail.outbox
    assert "Send me notifications about this game again" in client.get(f"/g/{game.key}/").text
    assert Notification.objects.get(user=user, kind=Kind.TURN).why_dropped == "silent game"
    client.post(f"/g/{game.key}/silence/", {"is_silent": "False"})
    play_one(game, Random(1))
    deliver_all(Kind.TURN)
    assert len(mail.outbox) == 1


def test_turns_that_begin_at_about_the_same_time_share_one_mail(settings: object) -> None:
    settings.TURN_MAILS_WAIT = 120
    ines = person("Ines")
    others = [person(name) for name in ("Tobias", "Mina", "Noor", "Halley", "Caspar")]
    games = [game_of(ines, other) for other in others]
    mine = [game for game in games if mover(game) == ines]
    while len(mine) < 2:
        game = game_of(ines, person(f"More{len(games)}"))
        games.append(game)
        mine += [game] if mover(game) == ines else []
    rows = Notification.objects.filter(user=ines, kind=Kind.TURN)
    assert len(set(rows.values_list("due_at", flat=True))) == 1
    assert rows[0].due_at > timezone.now() + timedelta(seconds=60)
    assert rows[0].pk not in delivery.due_ids()
    Seat.objects.update(seen_at=None)
    rows.update(due_at=timezone.now())
    for row in rows:
        delivery.deliver(row.pk)
    [sent] = mail.outbox
    assert sent.subject == f"It is your turn in {len(mine)} games"
    for game in mine:
        assert f"/g/{game.key}/" in sent.body
    assert rows.filter(sent_at=None).count() == 0


def test_the_daily_mail_is_one_over_all_games_with_turns_first(ines: User) -> None:
    notifications.choose_channels(ines, {kind: {Channel.DIGEST} for kind in Kind.values})
    over, started, turn = (game_of(ines, person(name)) for name in ("Tobias", "Mina", "Noor"))
    play_out(over)
    while mover(turn) != ines:
        play_one(turn)
    Notification.objects.exclude(user=ines).delete()
    rows = Notification.objects.filter(user=ines)
    assert set(rows.values_list("channel", flat=True)) == {Channel.DIGEST}
    assert not set(delivery.due_ids()) & set(rows.values_list("pk", flat=True))
    deliver_all()
    sent = [one for one in mail.outbox if one.to == [f"Ines <{ines.email}>"]]
    assert len(sent) == 1
    body = sent[0].body
    assert f"/g/{started.key}/" in body
    if fresh(over).actions.latest("number").made_by != ines:
        assert body.index(f"/g/{turn.key}/") < body.index(f"/g/{over.key}/")


def test_the_daily_mail_has_turns_by_deadline_then_by_wait(ines: User) -> None:
    notifications.choose_channels(ines, {kind: {Channel.DIGEST} for kind in Kind.values})
    games = [game_of(ines, person(name)) for name in ("Tobias", "Mina", "Noor", "Emil")]
    for game in games:
        while mover(game) != ines:
            play_one(game)
    waits_longest, waits, due_late, due_soon = games
    for game, hours in ((due_late, 20), (due_soon, 4)):
        Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + timedelta(hours=hours))
    for hours, game in enumerate((waits, waits_longest), start=1):
        turns = Notification.objects.filter(game=game, user=ines, kind=Kind.TURN)
        turns.update(created_at=timezone.now() - timedelta(hours=hours))
    deliver_all()
    [sent] = [one for one in mail.outbox if one.to == [f"Ines <{ines.email}>"]]
    places = [sent.body.index(f"/g/{game.key}/") for game in (due_soon, due_late, waits_longest, waits)]
    assert places == sorted(places)


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


def test_a_page_that_is_open_does_not_split_the_daily_mail(ines: User) -> None:
    notifications.choose_channels(ines, {kind: {Channel.DIGEST} for kind in Kind.values})
    games = [game_of(ines, person(name)) for name in ("Tobias", "Mina")]
    for game in games:
        while mover(game) != ines:
            play_one(game)
    Seat.objects.update(seen_at=None)
    presence.mark(games[0].key, ines.pk)
    rows = Notification.objects.filter(user=ines, kind=Kind.TURN)
    rows.update(due_at=timezone.now())
    delivery.deliver(rows[0].pk)
    [sent] = mail.outbox
    assert all(f"/g/{game.key}/" in sent.body for game in games)


def test_no_daily_mail_when_there_is_nothing(ines: User) -> None:
    notifications.choose_channels(ines, {Kind.TURN: {Channel.DIGEST}, Kind.STARTED: set(), Kind.OVER: set()})
    game = game_of(ines, person("Tobias"))
    while mover(game) != ines:
        play_one(game)
    while mover(game) == ines:
        play_one(game)
    Seat.objects.update(seen_at=None)
    rows = Notification.objects.filter(user=ines)
    rows.update(due_at=timezone.now())
    for row in rows:
        delivery.deliver(row.pk)
    assert not mail.outbox


def test_the_daily_mail_is_due_at_the_chosen_hour_in_the_persons_zone(ines: User) -> None:
    client_of(ines).post(PAGE, FORM)
    game_of(ines, person("Tobias"))
    game = game_of(ines, person("Mina"))
    play_out(game)
    daily = Notification.objects.filter(user=ines, channel=Channel.DIGEST)
    assert daily
    for row in daily:
        local = row.due_at.astimezone(ZoneInfo("Europe/Berlin"))
        assert local.hour == 7


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        (PAGE, {"digest_hour": "9", "time_zone": "Asia/Tokyo"}),
        ("/account/hours/", {"time_zone": "Asia/Tokyo", "sleep_start": "", "sleep_end": "", "day_off": ""}),
    ],
)
def test_the_daily_mail_that_waits_follows_the_hour_and_the_zone(
    ines: User, address: str, fields: dict[str, str]
) -> None:
    notifications.choose_channels(ines, {kind: {Channel.DIGEST} for kind in Kind.values})
    with frozen_clock():  # noon in UTC
        game_of(ines, person("Tobias"))
        client_of(ines).post(address, fields | {"turn": "digest"})
        ines.refresh_from_db()
        assert ines.time_zone == "Asia/Tokyo"
        [due_at] = Notification.objects.filter(user=ines).values_list("due_at", flat=True)
        local = due_at.astimezone(ZoneInfo("Asia/Tokyo"))
        assert (local.hour, local.minute) == (ines.digest_hour, 0)


def test_a_daily_mail_that_is_due_or_is_being_sent_again_does_not_move(ines: User) -> None:
    notifications.choose_channels(ines, {kind: {Channel.DIGEST} for kind in Kind.values})
    game_of(ines, person("Tobias"))
    rows = Notification.objects.filter(user=ines)
    now = timezone.now()
    for values in ({"due_at": now}, {"due_at": now + timedelta(minutes=1), "attempts": 1}):
        rows.update(**values)
        notifications.choose_digest_hour(ines, 9)
        assert rows.get().due_at == values["due_at"]


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


def test_the_link_in_a_mail_shows_a_button_that_stops_its_kind(client: Client, ines: User) -> None:
    url = stop_url(ines, Kind.TURN, Channel.MAIL)
    assert url.startswith(settings.SITE_URL + "/")
    path = urlsplit(url).path

    page = client.get(path).text
    assert "Stop these emails?" in page
    assert '<a class="btn" href="/">Keep them</a>' in page
    assert wants_turn_mails(ines)  # malware scanners open the links in emails
    assert "These emails are off" in client.post(path).text
    assert not wants_turn_mails(ines)
    assert Channel.MAIL in wanted_channels(ines)[Kind.OVER]
    assert "These emails are off" in client.get(path).text


def test_the_link_in_a_mail_about_several_kinds_stops_them_all(client: Client, ines: User) -> None:
    client.post(urlsplit(stop_url(ines, "", Channel.MAIL)).path)
    assert not any(Channel.MAIL in channels for channels in wanted_channels(ines).values())


def test_links_in_old_mails_still_work(client: Client, ines: User) -> None:
    token = Signer(salt="accounts.mail_links.unsubscribe", sep=".").sign(str(ines.pk))
    assert client.post(f"/account/turn-mails/off/{token}/").status_code == 200
    assert not wants_turn_mails(ines)


def test_mail_programs_unsubscribe_with_one_post(ines: User) -> None:
    """RFC 8058 allows no cookie, no CSRF token and no redirect."""
    mail_program = Client(enforce_csrf_checks=True)
    path = urlsplit(stop_url(ines, Kind.TURN, Channel.MAIL)).path
    assert mail_program.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not wants_turn_mails(ines)


def test_nobody_can_unsubscribe_others(client: Client, ines: User) -> None:
    tobias = person("Tobias")
    path = urlsplit(stop_url(ines, Kind.TURN, Channel.MAIL)).path
    swapped = path.replace(f"/{ines.pk}:", f"/{tobias.pk}:")
    assert swapped != path
    for damaged in (swapped, path[:-4] + "/", "/account/turn-mails/off/moon/"):
        for response in (client.get(damaged), client.post(damaged)):
            assert response.status_code == 404
            assert "This link does not work" in response.text
    assert wants_turn_mails(tobias)
    assert wants_turn_mails(ines)


def test_the_link_of_a_deleted_user_is_not_found(client: Client, ines: User) -> None:
    path = urlsplit(stop_url(ines, Kind.TURN, Channel.MAIL)).path
    ines.delete()
    assert client.post(path).status_code == 404

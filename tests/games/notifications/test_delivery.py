"""Turn mails: owed with the action, held back while the game is open, retried, dropped when moot."""

from datetime import timedelta
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.utils import timezone

from games.models import Game, Notification, Seat
from games.notifications import delivery
from games.services import presence
from tests.clients import HTMX, client_of
from tests.play import form_of, fresh, game_of, mover, person, play_one, solo_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """A game in which somebody was told of the first turn, and the mail is sent."""
    return game_of(person("Ines"), person("Tobias"))


def nobody_is_here() -> None:
    """Let the minute pass after which a page no longer counts as open."""
    Seat.objects.update(seen_at=None)


def until_the_turn_passes(game: Game) -> Notification:
    """Play until the turn has come to the other player, and return what is owed to them."""
    first = mover(game)
    while mover(game) == first:
        play_one(game)
    nobody_is_here()
    return Notification.objects.get(game=game, user=mover(game), version=fresh(game).version)


def deliver_as_if_later(notification: Notification, later: timedelta = timedelta(0)) -> Notification:
    if later:
        Notification.objects.filter(pk=notification.pk).update(due_at=notification.due_at - later)
    delivery.deliver(notification.pk)
    return Notification.objects.get(pk=notification.pk)


def test_a_turn_that_passes_on_is_told_once(game: Game) -> None:
    owed = until_the_turn_passes(game)
    assert deliver_as_if_later(owed).sent_at is not None
    deliver_as_if_later(owed)

    [sent] = mail.outbox
    assert sent.to == [f"{owed.user.username} <{owed.user.email}>"]
    mover_before = game.seats.exclude(user=owed.user).get().user
    assert mover_before.username in sent.subject
    assert f"{mover_before.username} took" in sent.body
    assert f"/g/{game.key}/" in sent.body
    [(html, kind)] = [(part.content, part.mimetype) for part in sent.alternatives]
    assert kind == "text/html"
    assert f"/g/{game.key}/" in html
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_two_turns_running_are_one_mail() -> None:
    for _deal in range(20):
        game = game_of(person(f"Ines{_deal}"), person(f"Tobias{_deal}"))
        user = until_the_turn_passes(game).user
        owed = Notification.objects.filter(game=game).count()
        play_one(game)
        if mover(game) == user:
            assert Notification.objects.filter(game=game).count() == owed
            return
    raise AssertionError("nobody moved twice running in twenty deals")


def test_who_plays_opens_joins_or_loads_a_page_is_in_front_of_it() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias)
    assert presence.is_here(game.key, ines.pk)
    assert presence.is_here(game.key, tobias.pk)
    nobody_is_here()
    user = mover(game)
    play_one(game)
    assert presence.is_here(game.key, user.pk)
    nobody_is_here()
    client = client_of(user)
    client.get(game.get_absolute_url(), headers=HTMX)
    assert not presence.is_here(game.key, user.pk), "a hidden tab may have asked for the part"
    client.get(game.get_absolute_url())
    assert presence.is_here(game.key, user.pk)


def test_the_mail_waits_while_the_game_is_open_and_goes_once_it_is_not(game: Game) -> None:
    owed = until_the_turn_passes(game)
    presence.mark(game.key, owed.user_id)
    held = deliver_as_if_later(owed)
    assert held.sent_at is None
    assert held.due_at > timezone.now() + timedelta(seconds=50)

    nobody_is_here()
    assert deliver_as_if_later(held, timedelta(minutes=2)).sent_at is not None
    assert len(mail.outbox) == 1


def test_having_another_game_open_holds_nothing_back(game: Game) -> None:
    owed = until_the_turn_passes(game)
    presence.mark("another-game", owed.user_id)
    assert deliver_as_if_later(owed).sent_at is not None


def test_a_visible_poll_counts_as_having_it_open_and_a_hidden_one_does_not(game: Game) -> None:
    user = mover(game)
    client = client_of(user)
    nobody_is_here()
    client.get(f"/g/{game.key}/version/")
    assert not presence.is_here(game.key, user.pk)
    client.get(f"/g/{game.key}/version/?visible")
    assert presence.is_here(game.key, user.pk)


def test_no_mail_for_a_turn_that_is_over(game: Game) -> None:
    owed = until_the_turn_passes(game)
    until_the_turn_passes(game)
    dropped = deliver_as_if_later(owed)

    assert (dropped.sent_at, dropped.why_dropped) == (None, "turn over")
    assert not mail.outbox


def test_no_mail_to_an_address_that_is_not_confirmed_until_it_is() -> None:
    game = game_of(person("Ines", confirmed=False), person("Tobias", confirmed=False))
    owed = until_the_turn_passes(game)
    waiting = deliver_as_if_later(owed)
    assert (waiting.sent_at, waiting.dropped_at) == (None, None)
    EmailAddress.objects.update(verified=True)
    assert deliver_as_if_later(waiting, timedelta(hours=1)).sent_at is not None


def test_no_mail_to_who_wants_none(game: Game) -> None:
    owed = until_the_turn_passes(game)
    owed.user.turn_mails = False
    owed.user.save()
    assert deliver_as_if_later(owed).why_dropped == "unwanted"
    assert not mail.outbox


def test_a_mail_server_that_is_down_is_tried_again(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    owed = until_the_turn_passes(game)
    with monkeypatch.context() as down:
        down.setattr("django.core.mail.EmailMessage.send", _raising(SMTPServerDisconnected("down")))
        put_off = deliver_as_if_later(owed)
    assert (put_off.sent_at, put_off.attempts) == (None, 1)
    assert put_off.due_at > timezone.now()
    assert "SMTPServerDisconnected" in put_off.error
    Notification.objects.filter(pk=owed.pk).update(attempts=1000)
    with monkeypatch.context() as still_down:
        still_down.setattr("django.core.mail.EmailMessage.send", _raising(SMTPServerDisconnected("down")))
        put_off = deliver_as_if_later(put_off, timedelta(hours=2))
    assert put_off.attempts == 1001
    assert put_off.due_at < timezone.now() + timedelta(hours=2), "it does not wait ever longer"
    assert deliver_as_if_later(put_off, timedelta(hours=2)).sent_at is not None


def test_an_address_that_the_server_refuses_for_good_is_not_tried_again(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    owed = until_the_turn_passes(game)
    refusal = SMTPRecipientsRefused({owed.user.email: (550, b"no such person")})
    monkeypatch.setattr("django.core.mail.EmailMessage.send", _raising(refusal))
    assert deliver_as_if_later(owed).why_dropped == "address refused"


def test_nobody_is_mailed_about_a_solo_game() -> None:
    game = solo_of(person("Ines"))
    play_one(game)
    assert not Notification.objects.exists()


def test_the_sweep_finds_what_is_due_and_nothing_else(game: Game) -> None:
    owed = until_the_turn_passes(game)
    assert owed.pk in delivery.due_ids()
    deliver_as_if_later(owed)
    assert owed.pk not in delivery.due_ids()


def test_a_refused_action_owes_nothing(game: Game) -> None:
    before = Notification.objects.count()
    client = client_of(mover(game))
    client.post(f"/g/{game.key}/play/", form_of(game, {"do": "refill"}))
    assert Notification.objects.count() == before


def _raising(error: Exception) -> object:
    def send(*args: object, **kwargs: object) -> None:
        raise error

    return send

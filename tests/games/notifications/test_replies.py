"""Moves by reply: played once, or answered at the confirmed address; nothing happens after forged ones."""

import re
import uuid
from datetime import timedelta
from email.message import EmailMessage

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts import outbox
from accounts.addresses import confirmed_address
from accounts.models import AccountMail, User
from accounts.outbox import deliver as deliver_account_mail
from games.models import Action, Channel, Game, Kind, Notification, Nudge, Plan, ReceivedReply, Seat
from games.notifications import delivery, replies
from games.notifications.invitation_replies import MOST_ANSWERS
from games.notifications.replies import Receipt, receive
from games.novaluna.board.notation import read_action
from games.novaluna.board.plan_notation import tiles_ahead
from games.novaluna.engine import Cell, Place
from games.queries.mail_links import MailTurn, invitation_reply_address, reply_address_for
from games.replies import Purpose, turn_token
from games.services import invitations, tables
from games.services.play import play
from tests.clients import client_of
from tests.play import fresh, game_of, mover, person, play_one, play_out, play_some, position_of, turn_mail

pytestmark = pytest.mark.django_db

SENDER = "ines@example.org"


@pytest.fixture
def game() -> Game:
    game = play_some(game_of(person("Ines"), person("Tobias")), 4)
    Seat.objects.update(seen_at=None)
    Notification.objects.all().delete()
    return game


def turn_now(game: Game) -> MailTurn:
    game = fresh(game)
    assert game.to_move is not None
    return MailTurn(game, mover(game), game.to_move, game.version + 1)


def address_of(game: Game) -> str:
    return reply_address_for(turn_now(game))


def email(text: str, **fields: str) -> bytes:
    message = EmailMessage()
    defaults = {"From": SENDER, "Subject": "Re: Your turn", "Message_ID": f"<{uuid.uuid4()}@example.org>"}
    for name, value in (defaults | fields).items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return bytes(message)


def good_move(game: Game) -> str:
    """Return the first move that the turn email lists."""
    found = re.search(
        r"^or reply with: (take .*|refill)$", turn_mail(fresh(game), mover(game)).body, re.MULTILINE
    )
    assert found
    return found[1]


def count_actions(game: Game) -> int:
    return Action.objects.filter(game=game).count()


def test_the_turn_email_says_how_to_answer_it(game: Game) -> None:
    sent = turn_mail(game, mover(game))
    assert sent.reply_to == [address_of(game)]
    assert sent.body.startswith("#-# ")
    html = str(sent.alternatives[0].content)
    for text in (sent.body, html):
        assert "Free cells" in text
        assert good_move(game) in text
        assert "resign" in text
    assert len(html.encode()) < 100_000


def test_a_reply_plays_its_move(game: Game) -> None:
    user, number = mover(game), game.version + 1
    quoted = "\n".join(f"> {line}" for line in turn_mail(game, user).body.splitlines())
    text = (
        f"{good_move(game)}\n\nOn 22 Nov 2026 at 10:14, Nova Luna <moon@nova-luna.example> wrote:\n{quoted}"
    )
    assert receive(email(text), address_of(game), SENDER) is Receipt.HANDLED
    action = Action.objects.get(game=game, number=number)
    assert action.made_by == user
    assert ReceivedReply.objects.get().outcome == "played"
    assert not Seat.objects.filter(seen_at__isnull=False).exists(), "the next email must not wait"


def test_an_email_that_arrives_twice_plays_once(game: Game) -> None:
    raw, address = email(good_move(game)), address_of(game)
    for _copy in range(3):
        assert receive(raw, address, SENDER) is Receipt.HANDLED
    assert count_actions(game) == 5
    assert ReceivedReply.objects.count() == 1


def test_a_wrong_reply_is_answered_once_to_the_confirmed_address(game: Game) -> None:
    raw = email("take 9 at E1", From="stranger@example.com", Message_ID="<17@example.com>")
    address, user, asked = address_of(game), mover(game), turn_mail(game, mover(game))
    for _copy in range(2):
        receive(raw, address, "stranger@example.com")
    assert count_actions(game) == 4
    [owed] = AccountMail.objects.all()
    deliver_account_mail(owed.pk)
    [sent] = mail.outbox
    assert sent.to == [user.email]
    assert sent.subject.startswith("Re: Your turn against")
    assert "The next tiles are" in sent.body
    assert good_move(game) in sent.body
    assert sent.reply_to == [address]
    assert sent.extra_headers["Auto-Submitted"] == "auto-replied"
    assert sent.extra_headers["In-Reply-To"] == "<17@example.com>"
    conversation = asked.extra_headers["References"]
    assert sent.extra_headers["References"] == f"{conversation} <17@example.com>"
    assert sent.subject == f"Re: {asked.subject}", "some programs compare subjects too"
    receive(email(good_move(game)), sent.reply_to[0], SENDER)
    assert count_actions(game) == 5


def test_the_answer_to_a_move_that_leads_to_another_is_the_next_turn_email(game: Game) -> None:
    for _turn in range(30):
        user = mover(game)
        Notification.objects.all().delete()
        receive(email(good_move(game)), address_of(game), SENDER)
        [owed] = Notification.objects.filter(kind=Kind.TURN)
        assert (owed.user, owed.version) == (mover(game), fresh(game).version)
        if mover(game) == user:
            delivery.deliver(owed.pk)
            assert mail.outbox[-1].reply_to == [address_of(game)]
            return
    raise AssertionError("nobody had two turns in a row")


def test_an_email_about_several_turns_has_an_address_for_each() -> None:
    ines, games = person("Ines"), []
    for name in ("Tobias", "Mina"):
        game = game_of(ines, person(name))
        while mover(game) != ines:
            play_one(game)
        games.append(fresh(game))
    rows = [Notification(pk=pk, game=game, user=ines, kind=Kind.TURN) for pk, game in enumerate(games, 1)]
    for row in rows:
        row.created_at, row.channel = timezone.now(), Channel.MAIL
    text = delivery.write_message(rows).text
    for game in games:
        assert address_of(game) in text
        receive(email(""), address_of(game), SENDER)
        assert "Your reply is empty" in AccountMail.objects.latest("pk").text
        receive(email(good_move(game)), address_of(game), SENDER)
        assert fresh(game).version == game.version + 1


def test_who_ends_a_game_by_reply_gets_the_result() -> None:
    table = tables.open_table(person("Ines"), tables.TableOptions(2, is_public=True, pace="slow"))
    Game.objects.filter(pk=table.pk).update(options={"discs": 1})
    tables.join(table.key, person("Tobias"))
    Seat.objects.update(seen_at=None)
    while not fresh(table).is_over:
        last = mover(table)
        receive(email(good_move(table)), address_of(table), SENDER)
    delivery.deliver(Notification.objects.get(kind=Kind.OVER, user=last).pk)
    [sent] = mail.outbox
    assert sent.to == [f"{last.username} <{last.email}>"]
    assert "You won against" in sent.body


@pytest.mark.parametrize("kind", [Kind.NUDGE, Kind.REMINDER])
def test_the_emails_that_ask_again_for_a_move_can_be_answered_too(game: Game, kind: Kind) -> None:
    user, now = mover(game), timezone.now()
    Game.objects.filter(pk=game.pk).update(deadline=now + timedelta(hours=6))
    Nudge.objects.create(game=game, user=user, at=now)
    row = Notification(pk=1, game=fresh(game), user=user, kind=kind, channel=Channel.MAIL)
    message = delivery.write_message([row])
    assert message.reply_to == address_of(game)
    assert message.text.startswith("#-# ")
    for text in (message.text, message.html):
        assert "An empty answer gets you a list of moves." in text
    receive(email(""), message.reply_to, SENDER)
    assert good_move(game) in AccountMail.objects.get().text
    receive(email(good_move(game)), message.reply_to, SENDER)
    assert count_actions(game) == 5


def test_a_reply_resigns(game: Game) -> None:
    receive(email("Resign."), address_of(game), SENDER)
    assert fresh(game).is_over


@pytest.mark.parametrize("fields", [{"Auto_Submitted": "auto-replied"}, {"X_Autoreply": "yes"}])
def test_automatic_emails_are_ignored(game: Game, fields: dict[str, str]) -> None:
    assert receive(email(good_move(game), **fields), address_of(game), SENDER) is Receipt.IGNORED
    assert receive(email("I am away", **fields), address_of(game), "") is Receipt.IGNORED
    assert count_actions(game) == 4
    assert not AccountMail.objects.exists()
    assert not ReceivedReply.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [{"Precedence": "bulk"}, {"List_Id": "<moon.example.org>"}, {"Return_Path": "<>"}],
    ids=lambda fields: next(iter(fields)),
)
def test_an_email_that_may_be_automatic_is_answered_once_and_its_move_is_played(
    game: Game, fields: dict[str, str]
) -> None:
    for _email in range(3):
        receive(email("I am away", **fields), address_of(game), SENDER)
    assert AccountMail.objects.count() == 1
    receive(email(good_move(game), **fields), address_of(game), SENDER)
    assert count_actions(game) == 5


def forged(game: Game) -> str:
    return address_of(game).replace("@", "x@")


def for_links(game: Game) -> str:
    return f"reply+{turn_token(Purpose.MOVE, turn_now(game).as_signed)}@nova-luna.example"


def of_a_player_who_wants_no_replies(game: Game) -> str:
    address = address_of(game)
    User.objects.update(plays_by_reply=False)
    return address


def of_a_player_without_a_confirmed_address(game: Game) -> str:
    EmailAddress.objects.update(verified=False)
    return address_of(game)


def of_a_deactivated_player(game: Game) -> str:
    User.objects.update(is_active=False)
    return address_of(game)


@pytest.mark.parametrize(
    "make_address",
    [
        forged,
        for_links,
        of_a_player_who_wants_no_replies,
        of_a_player_without_a_confirmed_address,
        of_a_deactivated_player,
    ],
)
def test_nothing_happens_at_an_address_that_is_not_valid(game: Game, make_address: object) -> None:
    move = good_move(game)
    assert callable(make_address)
    assert receive(email(move), make_address(game), SENDER) is Receipt.NO_SUCH_ADDRESS
    assert count_actions(game) == 4
    assert not AccountMail.objects.exists()


def test_a_reply_to_an_earlier_turn_plays_nothing_and_is_answered(game: Game) -> None:
    turn, move = turn_now(game), good_move(game)
    address = reply_address_for(turn)
    play_one(game)
    assert receive(email("take 9 at W9"), address, SENDER) is Receipt.HANDLED
    assert count_actions(game) == 5
    [owed] = AccountMail.objects.all()
    assert (owed.address, owed.reply_to) == (turn.user.email, reply_address_for(turn._replace(number=6)))
    assert "You answered an email about an earlier turn" in owed.text
    assert ReceivedReply.objects.get().outcome == "late"
    play_out(game)
    assert "earlier turn" in answered(move, address).text


def test_a_program_that_answers_every_answer_gets_few(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    address = address_of(game)
    for number in range(8):
        receive(email(f"Thank you for your message {number}"), address, SENDER)
    assert AccountMail.objects.count() == replies.MOST_ANSWERS_A_TURN
    assert "last answer" in AccountMail.objects.order_by("pk")[replies.MOST_ANSWERS_A_TURN - 1].text
    receive(email(good_move(game)), address, SENDER)
    assert count_actions(game) == 5, "a move is played all the same"
    for number in range(8):
        receive(email(f"Thank you again {number}"), address, SENDER)
    assert AccountMail.objects.count() == replies.MOST_ANSWERS_A_TURN
    monkeypatch.setattr(replies, "MOST_AN_HOUR", 8)
    move, address, user = good_move(game), address_of(game), mover(game)
    ReceivedReply.objects.update(user=user)
    receive(email(move), address, SENDER)
    assert count_actions(game) == 5


def waiting(game: Game) -> MailTurn:
    """Return what the address of the player of two who waits allows, in an answer that is sent now."""
    seat = game.seats.select_related("user").exclude(number=fresh(game).to_move).get()
    assert seat.user is not None
    return MailTurn(fresh(game), seat.user, seat.number, fresh(game).version + 1)


def answer_to(text: str, address: str) -> AccountMail | None:
    """Return the email that answers a reply; None without one."""
    AccountMail.objects.all().delete()
    assert receive(email(text), address, SENDER) is Receipt.HANDLED
    return AccountMail.objects.first()


def answered(text: str, address: str) -> AccountMail:
    answer = answer_to(text, address)
    assert answer is not None
    return answer


def test_a_plan_is_made_shown_changed_and_dropped_by_reply(game: Game) -> None:
    turn = waiting(game)
    cells = [cell.name for cell in position_of(game).displays[turn.seat].free_cells]
    tiles = [tile.code for tile in tiles_ahead(position_of(game))]
    made = answered(f"plan take 5 at {cells[0]}; else take 4 at {cells[1]}", reply_address_for(turn))
    assert "Your plan is saved." in made.text
    plan = Plan.objects.get(user=turn.user)
    assert [(wish.tile, Cell(wish.x, wish.y).name) for wish in plan.actions] == [
        (tiles[4], cells[0]),
        (tiles[3], cells[1]),
    ]
    assert not plan.outlasts_reveals
    shown = answered("Plan?", made.reply_to)
    assert f"at {cells[0]}" in shown.text
    answered(f"plan\ntake 4 at {cells[1]}\nor refill\nalso after a refill\nThanks!", shown.reply_to)
    plan.refresh_from_db()
    assert (len(plan.wishes), plan.outlasts_reveals) == (2, True)
    assert "You have no plan any more." in answered("Please drop my plan", shown.reply_to).text
    assert not Plan.objects.exists()
    assert ReceivedReply.objects.filter(outcome="refused").count() == 4, "as every answered reply"
    assert not Seat.objects.filter(seen_at__isnull=False).exists()


def test_a_plan_has_the_numbers_of_the_email_that_is_answered() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    _first, second, _third, _fourth, fifth, *_far = tiles_ahead(position_of(game))
    play(game.key, mover(game), Place(-1, second.code, 0, 0), 1, uuid.uuid4())
    turn = waiting(game)._replace(number=1)
    cell = next(iter(position_of(game).displays[turn.seat].free_cells)).name
    answered(f"plan take 5 at {cell}", reply_address_for(turn))
    assert [wish.tile for wish in Plan.objects.get().actions if isinstance(wish, Place)] == [fifth.code]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("plan take 2 at W9", "You can't place the tile at"),
        ("plan take 40 at E1", "The next tiles are"),
        ("plan tkae 2 at E1", "We don't understand"),
        ("plan resign 1", "We don't understand"),
        ("plan take 2; else take 2", "Where?"),
        ("take 2", "It is not your turn."),
    ],
)
def test_a_plan_that_is_not_understood_is_answered_with_the_reason(
    game: Game, text: str, problem: str
) -> None:
    answer = answered(text, reply_address_for(waiting(game)))
    assert problem in answer.text
    assert "Tiles on the wheel" in answer.text
    assert not Plan.objects.exists()


def test_who_is_to_move_or_whose_game_is_over_cannot_plan_by_reply(game: Game) -> None:
    address = address_of(game)
    assert "It is your turn now" in answered("plan refill", address).text
    play_out(game)
    assert "while a game with others is running" in answered("plan refill", address).text
    assert not Plan.objects.exists()


def test_the_answer_to_a_move_says_how_to_plan_the_next_one(game: Game) -> None:
    turn, move = turn_now(game), good_move(game)
    while (
        position_of(game).apply(read_action(move, position_of(game), turn.seat)).position.to_move == turn.seat
    ):
        play_one(game)
        turn, move = turn_now(game), good_move(game)
    answer = answered(move, reply_address_for(turn))
    assert "Your move is played." in answer.text
    assert "plan take 1" in answer.text
    assert answer.reply_to == reply_address_for(waiting(game))
    assert answer_to(move, reply_address_for(turn)) is None


def test_no_mail_about_a_plan_goes_to_anybody_else(game: Game) -> None:
    turn = waiting(game)
    cell = next(iter(position_of(game).displays[turn.seat].free_cells)).name
    answered(f"plan take 5 at {cell}", reply_address_for(turn))
    assert Plan.objects.filter(user=turn.user).exists()
    assert [owed.address for owed in AccountMail.objects.all()] == [turn.user.email]
    assert not Notification.objects.exists()
    other = turn_mail(game, mover(game))
    Plan.objects.all().delete()
    assert other.body == turn_mail(game, mover(game)).body


def test_a_person_switches_replies_off_on_the_page(game: Game) -> None:
    user = mover(game)
    client, page = client_of(user), "/account/notifications/"
    assert "plays_by_reply" in client.get(page).text
    chosen = {"digest_hour": 18, "time_zone": "", "turn": ["mail"]}
    client.post(page, chosen | {"plays_by_reply": "False"})
    user.refresh_from_db()
    assert not user.plays_by_reply
    sent = turn_mail(game, user)
    assert sent.reply_to == []
    assert "#-#" not in sent.body


def test_a_site_without_an_address_for_replies_offers_none(game: Game, settings: Settings) -> None:
    settings.REPLY_ADDRESS = ""
    assert turn_mail(game, mover(game)).reply_to == []
    client, page = client_of(mover(game)), "/account/notifications/"
    assert "plays_by_reply" not in client.get(page).text
    client.post(page, {"digest_hour": 18, "time_zone": "", "turn": ["mail"]})
    assert mover(game).plays_by_reply, "a choice that the page does not show stays"


def invitation_of(*, who: str) -> tuple[Game, str]:
    """Return a table of Ines, and the address for replies to the email that invites this person."""
    ines = person("Ines")
    table = tables.open_table(ines, tables.TableOptions(2))
    client_of(ines).post(f"/g/{table.key}/invite/", {"who": who})
    Notification.objects.update(due_at=timezone.now())
    for notification in Notification.objects.filter(kind=Kind.INVITATION):
        delivery.deliver(notification.pk)
    for owed in AccountMail.objects.all():
        deliver_account_mail(owed.pk)
    [sent] = mail.outbox
    assert "Or answer this email with yes or no" in sent.body
    [address] = sent.reply_to
    return table, address


def test_yes_to_an_invitation_makes_an_account_that_its_owner_can_claim() -> None:
    table, address = invitation_of(who="noor@example.com")
    for _copy in range(2):
        assert receive(email("Yes, gladly"), address, "noor@example.com") is Receipt.HANDLED
    game = fresh(table)
    assert game.is_running
    new = User.objects.get(email="noor@example.com")
    assert game.seats.filter(user=new, seen_at=None).exists()
    assert (new.is_guest, new.has_usable_password()) == (False, False)
    assert confirmed_address(new) == "noor@example.com"
    [welcome] = AccountMail.objects.all()
    assert "/rules/\n" in welcome.text, "who plays by email alone must find them"
    client = Client()
    found = re.search(r"http://[^/]+(/\S*key/\S+)", welcome.text)
    assert found
    page = client.get(found[1], follow=True)
    password = {"password1": "moon-and-stars-17", "password2": "moon-and-stars-17"}
    client.post(page.redirect_chain[-1][0], password)
    assert User.objects.get(pk=new.pk).check_password("moon-and-stars-17")


def test_the_latest_answer_to_an_invitation_counts_until_the_game_starts() -> None:
    table, address = invitation_of(who="noor@example.com")
    no = email("Nein, danke")
    receive(no, address, "noor@example.com")
    assert not table.seats.kept().exists()
    [declined] = AccountMail.objects.all()
    assert (declined.address, declined.reply_to) == ("noor@example.com", address)
    assert "declined" in declined.text
    assert "We read: “Nein, danke”" in declined.text
    receive(email("Well, sorry"), address, "noor@example.com")
    assert fresh(table).is_open, "doubt changes nothing"
    receive(email("yes"), declined.reply_to, "noor@example.com")
    assert fresh(table).is_running
    receive(no, address, "noor@example.com")
    assert fresh(table).is_running, "a copy of an earlier answer counts for nothing"
    receive(email("No!"), address, "noor@example.com")
    assert fresh(table).is_running
    assert "The game has started" in AccountMail.objects.latest("pk").text


def test_who_has_accepted_by_reply_can_decline_and_accept_again_before_the_game_starts() -> None:
    ines, tobias, mina = person("Ines"), person("Tobias"), person("Mina")
    table = tables.open_table(ines, tables.TableOptions(3))
    for other in (tobias, mina):
        invitations.invite(table.key, ines, other)
    seat = table.seats.get(invited=tobias)
    address = invitation_reply_address(seat)
    for text, has_seat in (("ok", True), ("No", False), ("Yes", True), ("Yes, please", True)):
        receive(email(text), address, tobias.email)
        assert table.seats.filter(user=tobias).exists() == has_seat, text
    texts = [owed.text for owed in AccountMail.objects.order_by("pk")]
    assert ["accepted" in text for text in texts] == [True, False, True]
    assert table.seats.get(invited=mina).number != seat.number


@pytest.mark.parametrize("who", ["noor@example.com", "Tobias"])
def test_the_opener_can_ask_a_person_who_has_declined_by_reply_once_more(who: str) -> None:
    person("Tobias")
    table, _address = invitation_of(who=who)
    table.seats.kept().update(invited_at=timezone.now() - timedelta(days=1))
    address = invitation_reply_address(table.seats.kept().get())
    receive(email("no"), address, SENDER)
    ines, page = client_of(User.objects.get(username="Ines")), f"/g/{table.key}/invite/"
    ines.post(page, {"who": who})
    again = invitation_reply_address(table.seats.kept().get())
    receive(email("no"), again, SENDER)
    assert "has declined a seat at this table" in ines.post(page, {"who": who}).text
    assert not table.seats.kept().exists()
    receive(email("yes"), address, SENDER)
    assert fresh(table).is_running, "both emails can be answered"


def test_an_unclear_answer_to_an_invitation_is_answered_and_a_program_gets_few() -> None:
    table, address = invitation_of(who="noor@example.com")
    receive(email("What is this?", Auto_Submitted="auto-replied"), address, "noor@example.com")
    assert not AccountMail.objects.exists(), "programs get no answer"
    for _email in range(3):
        receive(email("What is this?", Precedence="bulk"), address, "noor@example.com")
    [owed] = AccountMail.objects.all()
    assert (owed.address, owed.reply_to) == ("noor@example.com", address)
    assert "“yes”" in owed.text
    assert "“no”" in owed.text
    assert "We read: “What is this?”" in owed.text
    assert outbox.build(owed).extra_headers["References"] == owed.in_reply_to
    for text in ("Thank you for your message", "Hm", "", "No problem", "Not tonight", "Yes and no", "Maybe"):
        receive(email(text), owed.reply_to, "noor@example.com")
    assert AccountMail.objects.count() == MOST_ANSWERS
    assert table.seats.kept().exists()
    receive(email("yes"), owed.reply_to, "noor@example.com")
    assert fresh(table).is_running


def test_players_answer_invitations_by_reply_too() -> None:
    tobias = person("Tobias")
    table, address = invitation_of(who="Tobias")
    receive(email("I am not sure"), address, SENDER)
    assert fresh(table).is_open
    assert AccountMail.objects.get().address == tobias.email
    receive(email("Oui!"), address, SENDER)
    assert fresh(table).seats.filter(user=tobias).exists()
    assert fresh(table).is_running


def test_an_invitation_that_was_withdrawn_cannot_be_accepted() -> None:
    table, address = invitation_of(who="noor@example.com")
    invitations.withdraw(table.key, User.objects.get(username="Ines"), 1)
    receive(email("yes"), address, "noor@example.com")
    assert receive(email("yes"), address.replace("@", "x@"), SENDER) is Receipt.NO_SUCH_ADDRESS
    assert fresh(table).is_open
    assert not User.objects.filter(email="noor@example.com").exists()

"""Emails of a title with hands and partners, in which all choose at the same time: each shows one hand."""

import re
import uuid
from email.message import EmailMessage
from unittest import mock

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import Client

from accounts.models import AccountMail, User
from games.log.replay import secret_log
from games.models import Action, Channel, Game, Kind, Notification, Seat
from games.notifications import delivery
from games.notifications.delivery import write_message
from games.notifications.kind import Message
from games.notifications.replies import Receipt, receive
from games.services import invitations, tables
from games.services.play import play
from games.shown.plain.mails import PlainMails
from games.titles import registry
from games.titles.view import AnyView
from tests.clients import client_of
from tests.play import cancel_game, fresh, person, turn_mail
from tests.titles.pairs.rules import Choose, PairsPosition

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pairs", "template_fields_exist")]

NAMES = ("Ines", "Tobias", "Mina", "Noor")
# Cards of which no two hands share one, so that a card in an email says whose hand it shows.
HANDS = ((101, 102, 103), (201, 202, 203), (301, 302, 303), (401, 402, 403))


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game of four people in which each hand has cards of its own."""
    dealt = {"hands": [list(hand) for hand in HANDS], "bonuses": [5, 4, 3]}
    monkeypatch.setattr("games.services.deals.mixed_deal", lambda *_arguments: dealt)
    table = tables.open_table(person(NAMES[0]), tables.TableOptions(4, title="pairs"))
    for name in NAMES[1:]:
        tables.join(table.key, person(name))
    Seat.objects.update(seen_at=None)
    return fresh(table)


def user_of(seat: int) -> User:
    return User.objects.get(username=NAMES[seat])


def choose(game: Game, seat: int, card: int) -> None:
    play(game.key, user_of(seat), Choose(seat, card), fresh(game).version + 1, uuid.uuid4())
    Seat.objects.update(seen_at=None)


def play_rounds(game: Game, cards: tuple[tuple[int, ...], ...]) -> Game:
    """Let each seat choose these cards, round after round."""
    for chosen in cards:
        for seat, card in enumerate(chosen):
            choose(game, seat, card)
    return fresh(game)


def cards_in(*texts: object) -> set[int]:
    """Return the cards of `HANDS` that texts name, tokens and addresses left out."""
    shown = " ".join(
        re.sub(r"https?://\S+|style=\"[^\"]*\"|cid:\S+|\S+@\S+", " ", str(text)) for text in texts
    )
    return {card for hand in HANDS for card in hand if re.search(rf"(?<![\w.#-])({card})(?![\w.%])", shown)}


def parts_of(mail: EmailMultiAlternatives) -> tuple[str, str, str]:
    return mail.subject, str(mail.body), str(mail.alternatives[0].content)


def reply(address: str, text: str) -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "somebody@example.org", "Re: Your turn"
    message["Message-ID"] = f"<{uuid.uuid4()}@example.org>"
    message.set_content(text)
    assert receive(bytes(message), address, "somebody@example.org") is Receipt.HANDLED


def position_of(game: Game) -> PairsPosition:
    position = secret_log(fresh(game)).position
    assert isinstance(position, PairsPosition)
    return position


def links_in(mail: EmailMultiAlternatives) -> list[str]:
    return re.findall(r"^https?://[^/]+(/move/\S+)$", str(mail.body), re.MULTILINE)


def test_all_four_are_owed_an_email_and_each_shows_the_own_hand_only(game: Game) -> None:
    owed = Notification.objects.filter(game=game, kind=Kind.TURN, channel=Channel.MAIL)
    assert {one.user.username for one in owed} == {*NAMES}
    for seat, hand in enumerate(HANDS):
        mail = turn_mail(game, user_of(seat))
        assert cards_in(*parts_of(mail)) == {*hand}
        assert cards_in(mail.body) == {*hand}
        assert not mail.attachments
        others = [name for number, name in enumerate(NAMES) if number % 2 != seat % 2]
        assert mail.subject == f"Pairs: Your turn against {others[0]} and {others[1]}", (
            "a partner is no opponent"
        )
        for text in parts_of(mail)[1:]:
            assert "choose at the same time" in " ".join(text.split())
            assert f"choose {hand[0]}" in text, "the line of a reply"


def test_the_cards_of_a_hand_stay_apart_without_their_boxes(game: Game) -> None:
    html = parts_of(turn_mail(game, user_of(0)))[2]
    assert "101 102 103" in " ".join(re.sub(r"<[^>]+>", "", html).split())


def test_each_link_of_an_email_plays_its_card_after_a_press_and_none_before(game: Game) -> None:
    mails = [turn_mail(game, user_of(seat)) for seat in range(4)]
    for seat, mail in enumerate(mails):
        links = links_in(mail)
        assert len(links) == 3
        html = str(mail.alternatives[0].content).replace("&amp;", "&")
        assert all(f'{link}"' in html for link in links)
        page = Client().get(links[1])
        assert f"Choose the {HANDS[seat][1]}" in page.text
        assert cards_in(page.text.partition("<main")[2]) <= {*HANDS[seat]}
        assert fresh(game).version == seat, "GET plays nothing"
        answer = Client().post(links[1], follow=True)
        assert "Your move is played" in answer.text
        assert fresh(game).version == seat + 1
        # A second press plays nothing.
        Client().post(links[1])
        assert fresh(game).version == seat + 1
    assert position_of(game).played == ((102, 202, 302, 402),)


def test_replies_by_all_four_to_emails_of_the_same_moment_play(game: Game) -> None:
    mails = [turn_mail(game, user_of(seat)) for seat in range(4)]
    for seat, mail in enumerate(mails):
        quoted = "\n".join(f"> {line}" for line in str(mail.body).splitlines())
        reply(mail.reply_to[0], f"choose {HANDS[seat][0]}\n\nOn Monday, Nova Luna wrote:\n{quoted}")
    assert position_of(game).played == ((101, 201, 301, 401),)
    assert not AccountMail.objects.exclude(text__contains="plan").exists(), "nothing is wrong"


def test_a_reply_with_a_card_that_is_not_held_is_answered_with_those_that_are(game: Game) -> None:
    mail = turn_mail(game, user_of(0))
    reply(mail.reply_to[0], "choose 202")
    assert not Action.objects.filter(game=game).exists()
    [answer] = AccountMail.objects.all()
    assert answer.address == user_of(0).email
    assert answer.subject == f"Re: {mail.subject}"
    assert "choose 101" in answer.text
    assert "“choose 202” is not possible" in answer.text
    assert cards_in(answer.text) == {*HANDS[0], 202}, "202 is what they wrote"


def test_a_forwarded_email_lets_nobody_see_another_hand(game: Game) -> None:
    """Whoever has an email of a player has the hand of that player, and no more by any address in it."""
    mail, seen = turn_mail(game, user_of(0)), set()
    for address in re.findall(r"https?://[^/]+(/[^\s\"<>]+)", str(mail.body)):
        answer = Client().get(address, follow=True)
        seen |= cards_in(answer.text.partition("<main")[2])
    assert seen <= {*HANDS[0]}
    assert {*HANDS[0]} - seen == set(), "the pages that confirm a card show the hand"


def test_the_next_email_says_what_was_revealed_and_shows_no_card_of_another_hand(game: Game) -> None:
    game = play_rounds(game, ((101, 201, 301, 401),))
    for seat, hand in enumerate(HANDS):
        mail = turn_mail(game, user_of(seat))
        assert cards_in(*parts_of(mail)) == {*hand} | {101, 201, 301, 401}
        assert "The cards were revealed" in mail.body, "also for the player whose card was the last"
    choose(game, 0, 102)
    for seat in (1, 2, 3):
        words = parts_of(turn_mail(game, user_of(seat)))
        assert 102 not in cards_in(*words)
        assert "Ines has chosen" in words[1]


def test_the_email_about_the_end_names_both_winners(game: Game) -> None:
    game = play_rounds(game, tuple(zip(*HANDS, strict=True)))
    assert game.is_over
    for seat in range(4):
        row = Notification.objects.filter(game=game, kind=Kind.OVER, user=user_of(seat)).first()
        assert row is not None
        message = message_of(row, Channel.MAIL)
        winners, losers = ("Tobias", "Noor"), ("Ines", "Mina")
        partner = NAMES[(seat + 2) % 4]
        expected = (
            f"You and {partner} won against {losers[0]} and {losers[1]}"
            if seat % 2
            else f"{winners[0]} and {winners[1]} won against you and {partner}"
        )
        assert message.subject == f"Pairs: {expected}"
        for text in (message.text, message.html.partition("<h1")[2]):
            words = " ".join(re.sub(r"<[^>]+>", " ", text).split())
            assert "The cards were revealed" in words
            assert "12 points" in words
            assert "Rematch" in words
            assert "expert" not in words, "the title has no reviews"
            assert words.count("won") == 1


def test_the_email_about_a_cancelled_game_names_no_winner(game: Game) -> None:
    game = cancel_game(game)
    row = Notification.objects.filter(game=game, kind=Kind.OVER, user=user_of(0)).first()
    assert row is not None
    message = message_of(row, Channel.MAIL)
    assert message.subject == "Pairs: Your game against Tobias and Noor was cancelled"
    assert cards_in(message.subject, message.text, message.html) <= {*HANDS[0]}


@pytest.mark.parametrize("kind", [Kind.STARTED, Kind.OVER])
def test_every_subject_names_the_title_where_the_site_has_several(game: Game, kind: Kind) -> None:
    row = Notification(game=cancel_game(game), user=user_of(0), kind=kind, version=game.version)
    assert message_of(row, Channel.MAIL).subject.startswith("Pairs: ")
    with mock.patch.dict(registry._titles, {"pairs": registry.TITLES["pairs"]}, clear=True):
        assert "Pairs" not in message_of(row, Channel.MAIL).subject


def test_an_invitation_names_the_title_and_says_what_it_is(game: Game) -> None:
    table = tables.open_table(user_of(0), tables.TableOptions(4, title="pairs"))
    invitations.invite(table.key, user_of(0), user_of(1))
    message = message_of(
        Notification.objects.filter(game=table, kind=Kind.INVITATION).latest("pk"), Channel.MAIL
    )
    assert message.subject == "Pairs: Ines invites you to a game"
    for text in (message.text, message.html):
        assert "Pairs is played in turns." in " ".join(text.split())


@pytest.mark.parametrize("channel", [Channel.PUSH, Channel.WEBHOOK, Channel.DIGEST])
@pytest.mark.parametrize("kind", [Kind.TURN, Kind.STARTED, Kind.OVER])
def test_posts_and_daily_emails_show_no_hand(game: Game, kind: Kind, channel: Channel) -> None:
    """Others can read posts, and pushed messages are shown on a locked screen."""
    version = game.version
    choose(game, 1, 201)
    if kind == Kind.OVER:
        cancel_game(game)
    row = Notification(game=fresh(game), user=user_of(0), kind=kind, version=version)
    message = message_of(row, channel)
    assert cards_in(message.subject, message.text, message.html) == set()


def test_links_show_the_picture_of_the_site_because_the_title_has_none(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(is_public=True)
    answer = Client().get(f"/g/{game.key}/preview.jpg")
    assert answer.status_code == 302
    assert "link" in answer["Location"]


def test_a_picture_is_of_what_its_reader_sees_and_a_preview_of_what_everybody_sees(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A title that draws everything it is given draws no other hand, and no stored picture is shared."""

    def draw(_pages: PlainMails, view: AnyView) -> bytes:
        return repr(view.newest).encode()

    monkeypatch.setattr(PlainMails, "draw_turn", draw)
    monkeypatch.setattr(PlainMails, "draw_preview", draw)
    for seat, hand in enumerate(HANDS):
        row = Notification(game=game, user=user_of(seat), kind=Kind.TURN, version=game.version)
        picture = message_of(row, Channel.MAIL).picture
        assert picture is not None
        assert cards_in(picture.jpeg.decode()) == {*hand}
    Game.objects.filter(pk=game.pk).update(is_public=True)
    answer = client_of(user_of(0)).get(f"/g/{game.key}/preview.jpg")
    assert b"PairsPosition" in answer.content
    assert cards_in(answer.content.decode()) == set(), "not even for a player: caches would keep it"


def message_of(row: Notification, channel: Channel) -> Message:
    row.channel = channel
    row.pk = row.pk or 1
    row.created_at = row.created_at or row.game.started_at
    return write_message([row])


def test_a_delivered_email_about_a_turn_is_sent_once_to_each(game: Game, mailoutbox: list) -> None:
    owed = Notification.objects.filter(game=game, kind=Kind.TURN, channel=Channel.MAIL)
    owed.update(due_at=game.started_at)
    for one in list(owed) * 2:
        delivery.deliver(one.pk)
    assert sorted(mail.to[0].split()[0] for mail in mailoutbox) == sorted(NAMES)


def test_the_foot_says_only_who_made_the_title_of_the_game(game: Game) -> None:
    letter = turn_mail(game, user_of(0))
    for part in (letter.body, letter.alternatives[0].content):
        assert "fan project" not in str(part)

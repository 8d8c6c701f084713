"""The title of `docs/recipes/title.md`, as it is written there, works on the whole site."""

import importlib
import re
import uuid
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import Client

from accounts.models import AccountMail, User
from games.models import Game, Seat
from games.notifications.replies import Receipt, receive
from games.services import tables
from games.shown.plain.pages import PlainPages
from tests.clients import client_of
from tests.play import fresh, person, turn_mail
from tests.titles.recipe.example import installed_example

pytestmark = [pytest.mark.django_db]

NAMES = ("Ines", "Tobias", "Mina")
DECK = [8, 2, 3, 7, 6, 5, 4, 1, 1, 2, 3, 4, 5, 6, 7, 8]


@pytest.fixture
def fifteen(tmp_path: Path) -> Iterator[None]:
    """Let the site offer the title of the recipe too."""
    with installed_example(tmp_path):
        yield


def table_of(seats: int) -> Game:
    users = [person(name) for name in NAMES[:seats]]
    table = tables.open_table(users[0], tables.TableOptions(seats, title="fifteen"))
    for user in users[1:]:
        tables.join(table.key, user)
    return table


@pytest.fixture
def game(fifteen: None, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game of two, in which the secret cards are 8 and 2, and the next ones 3, 7, 6 and 5."""
    monkeypatch.setattr("games.services.deals.mixed_deal", lambda *_arguments: {"deck": DECK})
    game = fresh(table_of(2))
    Seat.objects.update(seen_at=None)
    return game


def user_of(seat: int) -> User:
    return User.objects.get(username=NAMES[seat])


def words_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def mail_to(game: Game, seat: int) -> EmailMultiAlternatives:
    Seat.objects.update(seen_at=None)
    return turn_mail(fresh(game), user_of(seat))


def reply(mail: EmailMultiAlternatives, text: str) -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "somebody@example.org", f"Re: {mail.subject}"
    message["Message-ID"] = f"<{uuid.uuid4()}@example.org>"
    message.set_content(text)
    assert receive(bytes(message), mail.reply_to[0], "somebody@example.org") is Receipt.HANDLED


def play_on_page(game: Game, seat: int, part: str, label: str) -> str:
    """Choose an action on a page by its label and confirm it; return the words of the page after that."""
    client, address = client_of(user_of(seat)), f"{game.get_absolute_url()}{part}"
    link = re.search(rf'href="([^"]*\?choice=[^"#]*)#\w+"[^>]*>{label}<', client.get(address).text)
    assert link, label
    page = client.get(link[1]).text
    form = re.search(r'<form[^>]*action="([^"]*)"(?:(?!</form>).)*name="action".*?</form>', page, re.DOTALL)
    assert form
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[0].replace("&quot;", "'")))
    fields["action"] = fields["action"].replace("'", '"')
    return words_of(client.post(form[1], fields, follow=True).text)


def test_its_own_test_passes(fifteen: None) -> None:
    importlib.import_module("fifteen.test_fifteen").test_fifteen()


@pytest.mark.parametrize("part", ["", "text/"], ids=["page", "text mode"])
def test_two_people_play_it_on_pages(game: Game, part: str) -> None:
    assert "You drew a card. The card is the 3" in play_on_page(game, 0, part, "Draw a card")
    assert "Ines drew a card. The card is the 3" in play_on_page(game, 1, part, "Draw a card")
    play_on_page(game, 0, part, "Stop")
    page = play_on_page(game, 1, part, "Stop")
    assert "Ines wins" in page
    assert fresh(game).is_over


def test_two_people_play_it_by_mail(game: Game) -> None:
    first = mail_to(game, 0)
    assert first.subject == "Fifteen: Your turn against Tobias"
    reply(first, "draw")
    reply(mail_to(game, 1), "draw")
    reply(mail_to(game, 0), "stop")
    reply(mail_to(game, 1), "Stop, please.")
    assert fresh(game).is_over
    assert not AccountMail.objects.exists()


def test_the_next_mail_says_what_the_own_action_revealed(game: Game) -> None:
    reply(mail_to(game, 0), "draw")
    reply(mail_to(game, 1), "draw")
    mail = mail_to(game, 0)
    for text in (str(mail.body), str(mail.alternatives[0].content)):
        since = words_of(text).partition("Since your last turn")[2]
        assert since.index("You drew a card. The card is the 3") < since.index("Tobias drew a card")


def test_the_page_says_above_the_actions_what_the_own_action_revealed(game: Game) -> None:
    reply(mail_to(game, 0), "draw")
    reply(mail_to(game, 1), "stop")
    page = play_on_page(game, 0, "", "Draw a card")
    before, _actions, _after = page.partition("Your actions")
    assert "Since your last turn You drew a card. The card is the 7." in before


def test_a_reply_with_an_action_that_is_not_possible_is_answered_with_those_that_are(game: Game) -> None:
    for seat, line in ((0, "draw"), (1, "stop"), (0, "draw"), (0, "draw"), (0, "draw")):
        reply(mail_to(game, seat), line)
    [answer] = AccountMail.objects.all()
    assert "“draw” is not possible now. Write one of these: stop." in answer.text


@pytest.mark.parametrize("line", ["Draw a card", "draw a card.", "  DRAW A  CARD  ", "Draw a card, please!"])
def test_a_reply_can_copy_the_label_of_an_action(game: Game, line: str) -> None:
    mail = mail_to(game, 0)
    assert "Draw a card." in str(mail.body)
    reply(mail, line)
    assert not AccountMail.objects.exists()
    assert fresh(game).version == 1


def test_a_reply_with_the_label_of_an_action_that_is_not_possible_is_answered_with_those_that_are(
    game: Game,
) -> None:
    for seat, line in ((0, "draw"), (1, "stop"), (0, "draw"), (0, "draw"), (0, "Draw a card")):
        reply(mail_to(game, seat), line)
    [answer] = AccountMail.objects.all()
    assert "“Draw a card” is not possible now. Write one of these: stop." in answer.text


@pytest.mark.parametrize("line", ["Draw your own conclusions", "Stop it, this is unfair"])
def test_a_reply_that_only_begins_like_an_action_is_not_understood(game: Game, line: str) -> None:
    reply(mail_to(game, 0), line)
    [answer] = AccountMail.objects.all()
    assert f"We don't understand “{line}”" in answer.text
    assert fresh(game).version == 0


def link_in(mail: EmailMultiAlternatives, line: str) -> str:
    return re.findall(rf"^https?://[^/]+(/move/\S+={line})$", str(mail.body), re.MULTILINE)[0]


def test_the_page_of_a_link_says_that_the_game_is_over_and_how_it_ended(game: Game) -> None:
    links = []
    for seat in (0, 1):
        links.append(link_in(mail_to(game, seat), "stop"))
        page = Client().post(links[-1], follow=True).text
    for text in (page, Client().get(links[1]).text):
        assert "Your move is played, and the game is over. Ines wins." in words_of(text)
        assert "when it is your turn" not in text
        assert game.get_absolute_url() in text
    assert "Your move is played, and the game is over. You win." in words_of(Client().get(links[0]).text)


def test_the_plan_of_a_title_without_plans_is_not_offered(game: Game) -> None:
    for part in ("", "text/"):
        for query in ("", "?plan=1"):
            page = client_of(user_of(1)).get(f"{game.get_absolute_url()}{part}{query}").text
            assert "Waiting for" in words_of(page)
            assert 'plan=1#plan"' not in page
            assert "Your plan" not in page
            assert "Plan: choose" not in page


def test_two_of_three_share_first_place(fifteen: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.services.deals.mixed_deal", lambda *_arguments: {"deck": [8, 8, 7, *DECK]})
    game = fresh(table_of(3))
    for seat in range(3):
        play_on_page(game, seat, "text/", "Stop")
    for seat, heading in enumerate([*2 * ["You share first place"], "Ines and Tobias share first place"]):
        for part in ("", "text/"):
            page = client_of(user_of(seat)).get(f"{game.get_absolute_url()}{part}").text
            assert heading in words_of(page)
            assert "You win" not in words_of(page)


@pytest.mark.parametrize("name", ["Tobias", ""], ids=["member", "visitor"])
def test_an_invitation_says_what_the_title_is_and_has_its_rules(fifteen: None, name: str) -> None:
    table = tables.open_table(person("Ines"), tables.TableOptions(2, title="fifteen"))
    page = (client_of(person(name)) if name else Client()).get(table.get_absolute_url()).text
    assert "Fifteen is a card game of a few minutes." in words_of(page)
    assert "The highest sum wins that is not above the limit." in words_of(page)
    assert "Limit: 15" in words_of(page)


def test_an_invitation_shows_no_length_of_a_title_without_options(
    fifteen: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tables.open_table(person("Ines"), tables.TableOptions(2, title="fifteen"))
    monkeypatch.setattr(PlainPages, "describe_options", lambda *_arguments: "")
    assert "Length" not in words_of(Client().get(table.get_absolute_url()).text)


def test_the_form_of_a_new_table_says_what_the_title_is(fifteen: None) -> None:
    client = client_of(person("Ines"))
    assert "Fifteen is a card game of a few minutes." in client.get("/new/?title=fifteen").text
    assert "Fifteen is a card game" not in client.get("/new/").text


@pytest.mark.parametrize("part", ["", "text/"], ids=["page", "text mode"])
def test_the_page_of_a_game_names_the_title(game: Game, part: str) -> None:
    def visible() -> str:
        page = client_of(user_of(0)).get(f"{game.get_absolute_url()}{part}").text
        assert re.search(r"<h1[^>]*>[^<]*(<span[^>]*>[^<]*</span>)* ·\s+Fifteen</h1>", page)
        assert "Fifteen" in re.findall(r"<title>[^<]*</title>", page)[0]
        return words_of(re.sub(r"<h1.*?</h1>|<title>.*?</title>", "", page, flags=re.DOTALL))

    assert part or "Fifteen" in visible()
    visible()
    for line, seat in (("stop", 0), ("stop", 1)):
        reply(mail_to(game, seat), line)
    assert part or "Fifteen" in visible()


def test_a_table_says_how_long_a_game_takes(fifteen: None) -> None:
    opener = person("Ines")
    table = tables.open_table(opener, tables.TableOptions(3, title="fifteen"))
    assert "About 6 minutes" in Client().get(table.get_absolute_url()).text

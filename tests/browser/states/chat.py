"""The chat of a game and of a table and a private note, as players see them."""

import uuid

from django.urls import reverse
from playwright.sync_api import Page

from accounts.models import User
from games.models import Game, Kind
from games.services import tables
from games.services.private import blocks
from games.services.private.notes import keep_note
from games.services.talk import chat
from tests.browser.states.catalogue import Visit, minor_state, state
from tests.browser.states.making import finished_game, game_of_three, people
from tests.browser.states.notifications import mail_about, show_mail

LINES = (
    ("Tobias", "Good luck, everybody!"),
    ("Mina", "Thanks, you too. I read the rules again at https://example.org/nova-luna?page=2 last night."),
    ("Ines", "Then I am in trouble 🌙"),
    ("Tobias", "Who took the blue 2? I had planned four goals around it, and now I have to think again."),
)


def write_lines(game: Game) -> User:
    """Write a conversation, and return Ines, who has not read its end."""
    for name, text in LINES:
        chat.write(game.key, people(name)[0], text, uuid.uuid4())
    return people("Ines")[0]


def open_chat(page: Page) -> None:
    page.locator("#chat").evaluate("chat => { chat.open = true; chat.scrollIntoView({ block: 'end' }); }")


@state
def game_chat() -> Visit:
    game = game_of_three()
    return Visit(game.get_absolute_url(), write_lines(game), after=open_chat)


@minor_state
def game_chat_unread() -> Visit:
    game = game_of_three()
    return Visit(game.get_absolute_url(), write_lines(game))


@minor_state
def game_chat_of_people_apart() -> Visit:
    def open_hidden(page: Page) -> None:
        open_chat(page)
        page.locator(".chat__people").first.evaluate("hidden => { hidden.open = true; }")

    game, [tobias] = game_of_three(), people("Tobias")
    ines = write_lines(game)
    blocks.block(tobias, ines)
    return Visit(game.get_absolute_url(), ines, after=open_hidden)


@minor_state
def game_chat_of_spectator() -> Visit:
    game = finished_game()
    write_lines(game)
    return Visit(game.get_absolute_url(), after=open_chat)


def watch_and_talk(game: Game) -> User:
    """Write what people who watch a game say, and return one of them."""
    noor, kenji = people("Noor", "Kenji")
    for user, text in (
        (noor, "Ines has the better wheel now."),
        (kenji, "Look at action 3: why not the red 2?"),
    ):
        chat.write(game.key, user, text, uuid.uuid4())
    return noor


@state
def game_chat_of_spectators() -> Visit:
    game = game_of_three()
    write_lines(game)
    return Visit(game.get_absolute_url(), watch_and_talk(game), after=open_chat)


@minor_state
def game_chat_of_spectators_closed() -> Visit:
    game = game_of_three()
    watch_and_talk(game)
    return Visit(game.get_absolute_url(), after=open_chat)


@minor_state
def game_chat_of_all() -> Visit:
    game = finished_game()
    ines = write_lines(game)
    watch_and_talk(game)
    return Visit(game.get_absolute_url(), ines, after=open_chat)


@minor_state
def mail_chat() -> Visit:
    game = game_of_three()
    write_lines(game)
    return show_mail(mail_about((Kind.CHAT, game), version=0))


@minor_state
def chat_page() -> Visit:
    game = game_of_three()
    return Visit(reverse("games:chat", args=[game.key]), write_lines(game))


@minor_state
def chat_of_table() -> Visit:
    ines, tobias, mina = people("Ines", "Tobias", "Mina")
    table = tables.open_table(ines, tables.TableOptions(4, is_public=True, pace="slow"))
    for user in (tobias, mina):
        tables.join(table.key, user)
    return Visit(table.get_absolute_url(), write_lines(table))


@minor_state
def chat_in_text_mode() -> Visit:
    game = game_of_three()
    return Visit(reverse("games:text", args=[game.key]) + "#chat-lines", write_lines(game))


@minor_state
def game_note() -> Visit:
    def open_note(page: Page) -> None:
        page.locator(".note-fold").evaluate(
            "note => { note.open = true; note.scrollIntoView({ block: 'end' }); }"
        )

    game, [ines] = game_of_three(), people("Ines")
    keep_note(game.key, ines, "Tobias needs two more blue tiles: leave him the red 3, and take the yellow 1.")
    return Visit(game.get_absolute_url(), ines, after=open_note)

"""Which notifications a person wants, what was sent, the emails themselves, and the links that stop them."""

from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlsplit

from allauth.account.adapter import get_adapter
from allauth.core.context import request_context
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts import outbox
from accounts.models import AccountMail
from games.models import Browser, Channel, Game, Kind, Notification, Nudge, SeatChange
from games.notifications.delivery import write_message
from games.notifications.mail import build_mail
from games.notifications.replies import receive
from games.novaluna.board.offers import offers
from games.queries.mail_links import MailTurn, move_url, reply_address_for, stop_url, url_for_reader
from games.queries.viewing import view_game
from games.services import invitations, seat_changes, tables
from games.services.channels import browsers, webhooks
from games.services.play import resign_for
from games.views.invitations import owe_mail
from novaluna_site.mailbox import Mail, parse_mail
from tests import play
from tests.browser.states.catalogue import Visit, minor_state, render_here, state
from tests.browser.states.clocks import paced_game
from tests.browser.states.making import finished_game, game_of_three, people, resign, start_game

MAIL_NAME = "01763683200000000000-5eed5eed"  # the time, and a random part


@state
def notifications() -> Visit:
    return Visit(reverse("games:notifications"), people("Ines")[0])


@minor_state
def notifications_on_devices() -> Visit:
    [ines] = people("Ines")
    for name in ("Firefox, Linux", "Chrome, Android"):
        browsers.add(ines, endpoint=f"https://push.example.org/{name}", public_key="", auth="", name=name)
    off = {"off_at": timezone.now(), "why_off": Browser.WhyOff.LOGGED_OUT}
    Browser.objects.filter(name="Firefox, Linux").update(**off)
    webhooks.store(ines, "https://discord.com/api/webhooks/1234/moon", "discord")
    return Visit(reverse("games:notifications"), ines)


@minor_state
def log_out_of_browser_with_messages() -> Visit:
    def subscribe(page: Page) -> None:
        page.evaluate(
            """async (url) => {
                const { headers } = await (await fetch(url)).json();
                const keys = { public_key: "B".repeat(87), auth: "a".repeat(22) };
                const values = { endpoint: "https://push.example.org/1", ...keys };
                await fetch(url, { method: "POST", body: new URLSearchParams(values), headers });
            }""",
            reverse("games:add_browser"),
        )
        page.goto(reverse("account_logout"))

    return Visit(reverse("games:rules"), people("Ines")[0], after=subscribe)


@minor_state
def notifications_feeds() -> Visit:
    [ines] = people("Ines")
    ines.renew_feeds()
    return Visit(reverse("games:notifications"), ines)


@minor_state
def notifications_sent() -> Visit:
    [ines] = people("Ines")
    game, now = game_of_three(), timezone.now()
    for number, values in enumerate(
        [
            {"due_at": now + timedelta(hours=3), "channel": Channel.DIGEST},
            {"due_at": now + timedelta(minutes=1), "error": "Connection refused"},
            {"sent_at": now},
            {"dropped_at": now, "why_dropped": "turn over"},
        ]
    ):
        fields = {"game": game, "user": ines, "kind": Kind.TURN, "version": 90 + number, "due_at": now}
        Notification.objects.create(**fields | values)
    return Visit(reverse("games:notifications_sent"), ines)


@minor_state
def unsubscribe() -> Visit:
    return Visit(urlsplit(stop_url(people("Ines")[0], Kind.TURN, Channel.MAIL)).path)


@minor_state
def mail_of_somebody_else() -> Visit:
    game = game_of_three()
    ines, mina = people("Ines", "Mina")
    url = urlsplit(url_for_reader(game.get_absolute_url(), ines))
    return Visit(f"{url.path}?{url.query}", mina)


def move_link(game: Game, moves_ago: int = 0, move: str = "") -> str:
    """Return the link of the first offered move for the player to move, or of a move of some turns ago."""
    view = view_game(game, play.mover(game))
    assert view.viewer is not None
    turn = MailTurn(game, play.mover(game), view.viewer, game.version + 1 - moves_ago)
    url = urlsplit(move_url(turn, move or offers(view)[0].line))
    return f"{url.path}?{url.query}"


@state
def mail_move() -> Visit:
    return Visit(move_link(play.fresh(game_of_three())))


@minor_state
def mail_move_of_somebody_else() -> Visit:
    return Visit(move_link(play.fresh(game_of_three())), people("Mina")[0])


@minor_state
def mail_move_moved_on() -> Visit:
    return Visit(move_link(play.fresh(game_of_three()), moves_ago=1))


@minor_state
def mail_move_impossible() -> Visit:
    return Visit(move_link(play.fresh(game_of_three()), move="take 9"), is_refused=True)


@minor_state
def mail_move_played() -> Visit:
    def confirm(page: Page) -> None:
        page.locator(".mail-move form button").click()
        # The page has no form while it loads, too.
        expect(page.locator(".mail-move:not(:has(form)) .btn--main")).to_be_visible()

    return Visit(move_link(play.fresh(game_of_three())), after=confirm)


@minor_state
def unsubscribe_done() -> Visit:
    def confirm(page: Page) -> None:
        page.locator("main form button").click()
        # The page has no form while it loads, too.
        expect(page.locator("main:not(:has(form))")).to_be_visible()

    return Visit(urlsplit(stop_url(people("Ines")[0], Kind.TURN, Channel.MAIL)).path, after=confirm)


@minor_state
def unsubscribe_stale() -> Visit:
    return Visit(reverse("games:unsubscribe", args=["moon"]), is_refused=True)


def mail_about(
    *kinds_and_games: tuple[Kind, Game], channel: Channel = Channel.MAIL, version: int | None = None
) -> Mail:
    """Return an email to Ines as the mailbox of a site without a mail server stores it."""
    [ines] = people("Ines")
    rows = [
        Notification(
            pk=number,
            game=play.fresh(game),
            user=ines,
            kind=kind,
            channel=channel,
            version=game.version if version is None else version,
        )
        for number, (kind, game) in enumerate(kinds_and_games, 1)
    ]
    for row in rows:
        row.created_at = timezone.now() - timedelta(hours=5 * row.pk)
    sent = build_mail(write_message(rows), ines, ines.email)
    return parse_mail(MAIL_NAME, sent.message().as_bytes())


def show_mail(mail: Mail) -> Visit:
    """Visit the page of an email in the mailbox."""
    visit = render_here(reverse("mailbox_mail", args=[mail.name]), "mailbox/mail.html", {"mail": mail})

    def before(page: Page) -> None:
        visit.before(page)
        page.route("**/html/", lambda route: route.fulfill(content_type="text/html", body=mail.html))

    return replace(visit, before=before)


@minor_state
def mailbox() -> Visit:
    mails = [mail_about((Kind.TURN, game_of_three()))] * 3
    return render_here(reverse("mailbox"), "mailbox/list.html", {"mails": mails, "shown": 200})


@minor_state
def mailbox_empty() -> Visit:
    return render_here(reverse("mailbox"), "mailbox/list.html", {"mails": [], "shown": 200})


@minor_state
def mailbox_mail() -> Visit:
    return show_mail(mail_about((Kind.TURN, game_of_three())))


@minor_state
def mail_game_started() -> Visit:
    return show_mail(mail_about((Kind.STARTED, start_game("Ines", "Tobias", "Mina"))))


@minor_state
def mail_invitation() -> Visit:
    tobias, ines = people("Tobias", "Ines")
    table = tables.open_table(tobias, tables.TableOptions(3))
    invitations.invite(table.key, tobias, ines)
    return show_mail(mail_about((Kind.INVITATION, table)))


@minor_state
def mail_invitation_of_address() -> Visit:
    [tobias] = people("Tobias")
    table = tables.open_table(tobias, tables.TableOptions(3))
    invitations.invite_address(table.key, tobias, "olga@example.org", lambda _table: None)
    owe_mail(play.fresh(table), tobias, "olga@example.org")
    sent = outbox.build(AccountMail.objects.get())
    return show_mail(parse_mail(MAIL_NAME, sent.message().as_bytes()))


@minor_state
def mail_player_left() -> Visit:
    game = start_game("Ines", "Tobias", "Mina")
    resign(game, people("Tobias")[0])
    return show_mail(mail_about((Kind.LEFT, game)))


@minor_state
def mail_player_out() -> Visit:
    game = start_game("Ines", "Tobias", "Mina")
    resign_for(game, game.seats.get(user=people("Ines")[0]), "time")
    return show_mail(mail_about((Kind.LEFT, game), version=1))


@minor_state
def mail_followed_game_over() -> Visit:
    people("Ines")
    game = start_game("Tobias", "Mina")
    return show_mail(mail_about((Kind.FOLLOWED, play.play_out(game))))


@minor_state
def mail_game_over() -> Visit:
    return show_mail(mail_about((Kind.OVER, finished_game())))


@minor_state
def mail_reminder() -> Visit:
    return show_mail(mail_about((Kind.REMINDER, paced_game())))


@minor_state
def mail_bot_plays() -> Visit:
    game, [ines] = paced_game(), people("Ines")
    seat_changes.hand_to_bot(game, game.seats.get(user=ines), "medium", SeatChange.Reason.TIME)
    return show_mail(mail_about((Kind.CARETAKER, game)))


@minor_state
def mail_table_closes() -> Visit:
    table = tables.open_table(people("Ines")[0], tables.TableOptions(2))
    Game.objects.filter(pk=table.pk).update(closes_at=timezone.now() + timedelta(days=7))
    return show_mail(mail_about((Kind.TABLE, play.fresh(table))))


@minor_state
def mail_nudge() -> Visit:
    game, [ines, tobias] = game_of_three(), people("Ines", "Tobias")
    Game.objects.filter(pk=game.pk).update(moved_at=timezone.now() - timedelta(days=2))
    Nudge.objects.create(game=game, user=ines, sender=tobias, at=timezone.now())
    return show_mail(mail_about((Kind.NUDGE, play.fresh(game))))


@minor_state
def mail_turns_together() -> Visit:
    games = [start_game("Ines", name, seed=seed) for seed, name in enumerate(("Tobias", "Mina"))]
    return show_mail(mail_about(*((Kind.TURN, game) for game in games)))


@minor_state
def mail_answer() -> Visit:
    """The answer to a reply that is no move."""
    game = play.fresh(game_of_three())
    view = view_game(game, play.mover(game))
    assert view.viewer is not None
    address = reply_address_for(MailTurn(game, play.mover(game), view.viewer, game.version + 1))
    receive(b"From: ines@example.org\nMessage-ID: <1@example.org>\n\ntake the moon", address)
    sent = outbox.build(AccountMail.objects.get())
    return show_mail(parse_mail(MAIL_NAME, sent.message().as_bytes()))


def show_account_mail(name: str, **facts: str) -> Visit:
    """Visit an email about an account."""
    [ines] = people("Ines")
    request = RequestFactory().post("/")
    request.user = ines
    with request_context(request):
        get_adapter().send_mail(f"account/email/{name}", ines.email, {"user": ines, **facts})
    sent = outbox.build(AccountMail.objects.get())
    return show_mail(parse_mail(MAIL_NAME, sent.message().as_bytes()))


@minor_state
def mail_confirmation() -> Visit:
    return show_account_mail(
        "email_confirmation_signup", activate_url="http://testserver/account/confirm-email/key/"
    )


@minor_state
def mail_code() -> Visit:
    return show_account_mail("login_code", code="4829-13")


@minor_state
def mail_daily() -> Visit:
    games = [start_game("Ines", name, seed=seed) for seed, name in enumerate(("Tobias", "Mina", "Noor"))]
    items = [
        (Kind.TURN, games[0]),
        (Kind.TURN, games[1]),
        (Kind.STARTED, games[2]),
        (Kind.OVER, finished_game()),
    ]
    return show_mail(mail_about(*items, channel=Channel.DIGEST))

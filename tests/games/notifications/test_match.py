"""The end of a duplicate match: who is notified, of what, and how often."""

import uuid

import pytest
from django.contrib.humanize.templatetags.humanize import ordinal
from django.core import mail
from django.utils import timezone

from accounts.models import User
from games.models import Channel, Game, Kind, Notification, Seat
from games.notifications import delivery
from games.notifications.facts import Facts
from games.notifications.match import MatchKind
from games.novaluna.engine import Resign
from games.services.notifications import choose_channels
from games.services.play import play
from tests.play import fresh, match_of, mover, person, play_bots, play_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def users() -> list[User]:
    return [person(name) for name in ("Ines", "Tobias", "Noor", "Mina")]


def owed() -> set[str]:
    return {one.user.username for one in Notification.objects.filter(kind=Kind.MATCH).select_related("user")}


def names(game: Game) -> set[str]:
    return {seat.user.username for seat in game.seats.select_related("user") if seat.user}


def sent(kind: Kind) -> dict[str, str]:
    """Deliver the notifications of a kind twice, as if nobody had a page open; return bodies by name."""
    mail.outbox.clear()
    Seat.objects.update(seen_at=None)
    for one in [*Notification.objects.filter(kind=kind)] * 2:
        delivery.deliver(one.pk)
    found = {one.to[0].split()[0]: one.body for one in mail.outbox}
    assert len(found) == len(mail.outbox), "one email each"
    return found


def resign(game: Game, user: User) -> None:
    play(game.key, user, Resign(0), fresh(game).version + 1, uuid.uuid4())


def test_only_the_last_table_ends_the_match_and_its_players_learn_it_with_their_result(
    users: list[User],
) -> None:
    first, second = match_of(*users)
    play_out(first)
    assert owed() == set()
    bodies = sent(Kind.OVER)
    assert bodies
    assert all("standings of the duplicate match follow" in body for body in bodies.values())
    play_out(second)
    assert owed() == names(first)
    bodies = sent(Kind.MATCH)
    assert bodies.keys() == names(first)
    for name, body in bodies.items():
        assert "of 4 in the duplicate match." in body
        assert "Yours was table 1." in body
        assert f"{first.duplicate.get_absolute_url()}?for=" in body
        assert body.count("You: ") == 1
        for other in {user.username for user in users} - {name}:
            assert f"{other}: " in body
    Notification.objects.filter(kind=Kind.OVER, game=first).delete()
    assert all("The duplicate match is over too, and you came" in body for body in sent(Kind.OVER).values())


def test_the_standings_in_the_email_are_those_of_the_page(users: list[User]) -> None:
    first, second = match_of(*users)
    resign(first, users[0])
    resign(second, mover(second))
    Notification.objects.exclude(kind=Kind.MATCH).delete()
    [(name, body)] = sent(Kind.MATCH).items()
    assert {name} == names(first) - {users[0].username}, "who has left gets none"
    lines = [line for line in body.splitlines() if line.endswith("%")]
    assert [line.split(": ")[1] for line in lines] == sorted(
        (line.split(": ")[1] for line in lines), key=lambda percent: -int(percent[:-1])
    )
    own = next(line for line in lines if "You: " in line)
    assert f"You came {ordinal(own.split('.')[0])} of 4" in body


def test_a_table_of_bots_and_a_person_who_left_end_nothing(users: list[User]) -> None:
    """Bots go on at their tables after people have finished, and nobody is notified again."""
    tables = match_of(users[0], tables=3)
    mine = next(game for game in tables if game.seats.filter(user=users[0]).exists())
    assert sum(game.seats.filter(bot="").exists() for game in tables) == 1
    resign(mine, users[0])
    play_bots(mine)
    for game in tables:
        play_bots(game)
    assert all(fresh(game).is_over for game in tables)
    assert owed() == set(), "it was the only table with people"


def test_brief_messages_name_the_first_and_lead_to_the_match(users: list[User]) -> None:
    first, second = match_of(*users)
    play_out(first)
    play_out(second)
    notification = Notification.objects.filter(kind=Kind.MATCH).first()
    message = MatchKind().brief(Facts(notification))
    assert message.url.endswith(first.duplicate.get_absolute_url())
    assert message.text.startswith("1. ")
    assert message.text.count("%") == 4
    assert message.subject.startswith("Duplicate match over: you came ")


def test_the_daily_email_has_it_too(users: list[User]) -> None:
    first, second = match_of(*users)
    play_out(first)
    play_out(second)
    Notification.objects.exclude(kind=Kind.MATCH).delete()
    Notification.objects.update(channel=Channel.DIGEST, due_at=timezone.now())
    notification = Notification.objects.first()
    choose_channels(notification.user, {Kind.MATCH: {Channel.DIGEST}})
    delivery.deliver(notification.pk)
    assert "Duplicate match over: you came " in mail.outbox[-1].body
    assert f"{first.duplicate.get_absolute_url()}?for=" in mail.outbox[-1].body

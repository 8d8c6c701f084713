"""Reports and moderators for tests."""

import uuid

from accounts.models import User
from games.models import ChatLine, Game, Measure, Report
from games.services.talk import chat
from games.services.talk.moderation import decisions, reports
from tests.clients import add_second_factor
from tests.play import game_of, person


def moderator(name: str = "Vera") -> User:
    """Return a new moderator with a second factor, who is no staff."""
    user = person(name)
    user.is_moderator = True
    user.save(update_fields=["is_moderator"])
    add_second_factor(user)
    return user


def line_of(game: Game, user: User, text: str = "You are a fool.") -> ChatLine:
    """Return a new line of a chat."""
    chat.write(game.key, user, text, uuid.uuid4())
    return ChatLine.objects.latest("pk")


def reported_line() -> Report:
    """Return a report of Ines about a line that Tobias wrote in a game of theirs."""
    ines, tobias = person("Ines"), person("Tobias")
    line = line_of(game_of(ines, tobias), tobias)
    return reports.report(ines, tobias, Report.About.LINE, "He is rude.", line=line)


def reported_person() -> Report:
    """Return a report of Ines about how Tobias plays."""
    return reports.report(person("Ines"), person("Tobias"), Report.About.PLAYER)


def moderate(game: Game, reporter: User, *, muted: str, suspended: str, moderator_name: str) -> User:
    """Mute and suspend new people, who object, and leave a report to the moderator, who is returned.

    Everybody has read what was decided.
    """
    decider, about = moderator(moderator_name), Report.About
    for name, kind in ((muted, Measure.Kind.MUTE), (suspended, Measure.Kind.SUSPEND)):
        report = reports.report(reporter, person(name), about.PLAYER)
        measure = decisions.take(report.pk, decider, kind, Measure.Rule.CHAT, "Be kind.", days=7)
        decisions.object_to(measure.pk, measure.user, "I was kind.")
    line = game.chat_lines.latest("pk")
    assert line.author is not None
    reports.report(reporter, line.author, about.LINE, "Rude.", line=line)
    User.objects.update(has_unread_decision=False)
    return decider

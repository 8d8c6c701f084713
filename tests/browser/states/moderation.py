"""Reports, what moderators see of them, and what people see of decisions."""

from django.urls import reverse

from accounts.models import User
from games.models import Measure, Report
from games.services.talk.moderation import decisions, reports
from tests.browser.states.catalogue import Visit, minor_state, state
from tests.browser.states.chat import open_chat, write_lines
from tests.browser.states.making import game_of_three, people
from tests.clients import add_second_factor

TEXT = (
    "You wrote to Ines that she should give up the game. Please let people play in peace, also when you win."
)


def moderators() -> tuple[User, User]:
    """Return two moderators."""
    User.objects.filter(pk__in=[user.pk for user in people("Vera", "Noor")]).update(is_moderator=True)
    vera, noor = people("Vera", "Noor")
    add_second_factor(noor)
    return vera, noor


def reported_line() -> Report:
    """Return a report of Ines about a line of Tobias, which Mina has reported too."""
    game = game_of_three()
    ines = write_lines(game)
    tobias, mina = people("Tobias", "Mina")
    line = game.chat_lines.filter(author=tobias).latest("pk")
    reports.report(mina, tobias, Report.About.LINE, line=line)
    return reports.report(ines, tobias, Report.About.LINE, "He does this in each game.", line=line)


def muted() -> Measure:
    """Return a measure about Tobias, to which he has objected."""
    vera, _noor = moderators()
    measure = decisions.take(reported_line().pk, vera, Measure.Kind.MUTE, Measure.Rule.CHAT, TEXT, days=7)
    decisions.object_to(measure.pk, measure.user, "I meant it as a joke, and she laughed.")
    return measure


@state
def report_line() -> Visit:
    game = game_of_three()
    ines = write_lines(game)
    line = game.chat_lines.filter(author__username="Tobias").latest("pk")
    return Visit(reverse("games:report_line", args=[game.key, line.pk]), ines)


@minor_state
def report_game() -> Visit:
    game = game_of_three()
    return Visit(reverse("games:report_game", args=[game.key]), people("Ines")[0])


@minor_state
def reports_own() -> Visit:
    measure = muted()
    [ines, mina] = people("Ines", "Mina")
    report = reports.report(ines, measure.user, Report.About.NAME)
    decisions.dismiss(report.pk, people("Vera")[0])
    reports.report(measure.user, mina, Report.About.PLAYER)
    return Visit(reverse("games:reports"), measure.user)


@minor_state
def reports_of_reporter() -> Visit:
    measure = muted()
    [ines] = people("Ines")
    report = reports.report(ines, measure.user, Report.About.NAME)
    decisions.dismiss(report.pk, people("Vera")[0])
    reports.report(ines, people("Mina")[0], Report.About.PLAYER)
    return Visit(reverse("games:reports"), ines)


@minor_state
def moderation_queue() -> Visit:
    muted()
    [ines, tobias, mina] = people("Ines", "Tobias", "Mina")
    reports.report(ines, tobias, Report.About.NAME)
    reports.report(tobias, mina, Report.About.PLAYER)
    return Visit(reverse("games:moderation"), people("Vera")[0])


@state
def moderation_case() -> Visit:
    vera, _noor = moderators()
    return Visit(reverse("games:moderation_report", args=[reported_line().pk]), vera)


@minor_state
def moderation_closed() -> Visit:
    report = reported_line()
    User.objects.filter(pk=report.subject_id).update(is_moderator=True)
    [tobias] = people("Tobias")
    return Visit(reverse("games:moderation_report", args=[report.pk]), tobias, is_refused=True)


@minor_state
def moderation_measure() -> Visit:
    measure = muted()
    return Visit(reverse("games:moderation_measure", args=[measure.pk]), people("Noor")[0])


@minor_state
def moderation_trail() -> Visit:
    muted()
    return Visit(reverse("games:moderation_trail"), people("Vera")[0])


@minor_state
def house_rules() -> Visit:
    return Visit(reverse("games:house_rules"))


@state
def suspended() -> Visit:
    vera, _noor = moderators()
    report = reported_line()
    decisions.take(report.pk, vera, Measure.Kind.SUSPEND, Measure.Rule.CHAT, TEXT, days=30)
    [tobias] = people("Tobias")
    return Visit("/", tobias, is_refused=True)


@minor_state
def game_chat_with_hidden_line() -> Visit:
    vera, _noor = moderators()
    report = reported_line()
    decisions.take(report.pk, vera, Measure.Kind.HIDE_LINE, Measure.Rule.CHAT, TEXT)
    assert report.game is not None
    return Visit(report.game.get_absolute_url(), people("Mina")[0], after=open_chat)

"""What moderators write: emails to people about measures, objections and reports. Pages say the same.

Guests have no address, so a page tells them: `has_unread_decision` shows a line on every page until then.
"""

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, override

from accounts import outbox
from accounts.addresses import confirmed_address
from accounts.languages import language_of
from accounts.models import User
from games.models import Measure, Report
from games.services.talk.moderation.who_decides import moderators_with_only


def tell_of_measure(measure: Measure) -> None:
    """Tell a person what moderators have decided about them, and why."""
    _tell(measure.user, "measure", measure=measure)


def tell_of_answer(measure: Measure) -> None:
    """Tell a person that a measure was lifted, or what became of their objection."""
    _tell(measure.user, "answer", measure=measure)


def tell_of_decision(report: Report) -> None:
    """Tell a person what became of their report, and nothing about the other person."""
    if report.reporter is not None:
        _tell(report.reporter, "decision", report=report)


def call_moderators(case: Report | Measure) -> None:
    """Tell each moderator for whom nothing else waits that a new report or objection does."""
    for moderator in moderators_with_only(case):
        _mail(moderator, "waiting", {})


def _tell(user: User, name: str, **facts: object) -> None:
    User.objects.filter(pk=user.pk).update(has_unread_decision=True)
    _mail(user, name, facts)


def _mail(user: User, name: str, facts: dict[str, object]) -> None:
    address = confirmed_address(user)
    if not address:
        return
    values = {
        **facts,
        "user": user,
        "reports_url": settings.SITE_URL + reverse("games:reports"),
        "moderation_url": settings.SITE_URL + reverse("games:moderation"),
        "rules_url": settings.SITE_URL + reverse("games:house_rules"),
    }
    with override(language_of(user) or get_language()):
        subject = render_to_string(f"mail/moderation/{name}_subject.txt", values)
        text = render_to_string(f"mail/moderation/{name}.txt", values)
    outbox.owe(address, " ".join(subject.split()), text)

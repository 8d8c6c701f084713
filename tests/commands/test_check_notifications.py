"""`manage.py check_notifications`, which a monitor runs."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from games.models import Notification
from tests.play import game_of, person

pytestmark = pytest.mark.django_db


def test_an_overdue_notification_makes_it_exit_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    game_of(person("Ines"), person("Tobias"))
    Notification.objects.update(due_at=timezone.now() - timedelta(minutes=9))
    call_command("check_notifications")
    assert "No notification is overdue." in capsys.readouterr().out
    Notification.objects.update(due_at=timezone.now() - timedelta(minutes=11))
    with pytest.raises(SystemExit) as exited:
        call_command("check_notifications")
    assert exited.value.code == 1
    assert f"{Notification.objects.pending().count()} notifications are overdue" in capsys.readouterr().out

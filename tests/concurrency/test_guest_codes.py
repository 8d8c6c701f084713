"""A code of a guest works once, also in two browsers at the same moment."""

import pytest
from django.utils import timezone

from accounts import guest_codes
from accounts.models import GuestCode, User
from tests.concurrency.simultaneous import run_simultaneously

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


def test_a_code_that_is_sent_at_the_same_time_works_once() -> None:
    amber = User.objects.create_user("Amber-Comet", is_guest=True, last_login=timezone.now())
    code = guest_codes.make(amber)
    assert sum(run_simultaneously([lambda: int(guest_codes.use(code) is not None)] * 4)) == 1
    assert not GuestCode.objects.exists()

"""Guests: people who play without an account. Only a session in their browser belongs to them.

A guest who signs up keeps their row, and so their games (`AccountAdapter.new_user`).
"""

import uuid
from datetime import timedelta
from itertools import chain, count

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import QuerySet
from django.dispatch import Signal
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import drawn_names, pots, refusals
from accounts.models import User
from accounts.taken_names import is_retired

# Sent with the argument `user` before a guest takes another name. A receiver returns why they may not.
renaming = Signal()
# In the session: the guest as whom somebody played in this browser before they logged in.
BEFORE = "guest_before"
KEPT = timedelta(days=30)  # after the last visit
# Each day of visits is stored once.
VISITS_STORED_EVERY = timedelta(days=1)
# A form that is sent twice, such as by a double click, is sent again within this time.
SENT_TWICE_WITHIN = timedelta(minutes=1)


def user_or_guest(request: HttpRequest, request_id: uuid.UUID) -> User:
    """Return the user of the request or, for a visitor, a new guest, who is logged in from now on.

    A form that a visitor sends twice makes one guest. Raises ImmediateHttpResponse, a page, if there were too
    many new guests from one IP address or in all.
    """
    if isinstance(request.user, User):
        return request.user
    guest = _guest_of(request_id)
    if guest is None:
        _check_limits(request)
        guest = _create(request_id)
    log_in(request, guest)
    return guest


def log_in(request: HttpRequest, guest: User) -> None:
    """Log a guest in for 30 days; the CSRF token stays the same.

    So a second click and other open pages still work. What a visitor could do, a forged request could do too.
    """
    token = request.META.get("CSRF_COOKIE")
    login(request, guest)
    if token:
        request.META["CSRF_COOKIE"] = token
    request.session.set_expiry(KEPT)


def name_guest(request: HttpRequest, guest: User, name: str) -> None:
    """Give a guest the name that they have chosen. Raises ValidationError if that is not possible."""
    cleaned = get_adapter(request).clean_username(name)
    try:
        with transaction.atomic():
            guest.username = cleaned
            guest.save(update_fields=["username"])
    except IntegrityError:
        guest.refresh_from_db(fields=["username"])
        raise ValidationError(_("Another user has this name already.")) from None


def why_no_new_name(guest: User) -> str | None:
    """Return why a guest may take no other name now; None if they may."""
    answers = (answer for _receiver, answer in renaming.send(User, user=guest))
    return next((answer for answer in answers if answer), None)


def note_visit(request: HttpRequest, guest: User) -> None:
    """Keep the guest and their session for another 30 days."""
    now = timezone.now()
    if guest.last_login and now - guest.last_login < VISITS_STORED_EVERY:
        return
    try:
        User.objects.filter(pk=guest.pk).update(last_login=now)
    except DatabaseError:
        return  # Pages show even while nothing can be stored. The next visit is stored instead.
    request.session.set_expiry(KEPT)


def remember_guest(request: HttpRequest, guest: User) -> None:
    """Remember who played in this browser as a guest before its log-in, until the session ends."""
    request.session[BEFORE] = guest.pk


def guest_before(request: HttpRequest) -> User | None:
    """Return the guest as whom somebody played in this browser before they logged in."""
    pk = request.session.get(BEFORE)
    return User.objects.filter(pk=pk, is_guest=True).first() if pk else None


def forget_guest(request: HttpRequest) -> None:
    """Forget the guest who played in this browser."""
    request.session.pop(BEFORE, None)


def abandoned() -> QuerySet[User]:
    """Return the guests whose last visit is too long ago, so that no browser has their session."""
    return User.objects.filter(is_guest=True, last_login__lt=timezone.now() - KEPT - VISITS_STORED_EVERY)


def _guest_of(request_id: uuid.UUID) -> User | None:
    """Return the guest whom this request has made just now."""
    since = timezone.now() - SENT_TWICE_WITHIN
    return User.objects.filter(is_guest=True, guest_request=request_id, date_joined__gt=since).first()


def _check_limits(request: HttpRequest) -> None:
    if not ratelimit.consume(request, action="guest"):
        raise ImmediateHttpResponse(refusals.page(request, "guest"))
    half = pots.half_of(request, "guests")
    if half is None:
        raise ImmediateHttpResponse(refusals.page(request, "guests"))
    pots.take(request, half)


def _create(request_id: uuid.UUID) -> User:
    now = timezone.now()
    # A page that was kept open sends the same id again later. Then somebody else may sit at the browser.
    User.objects.filter(guest_request=request_id, date_joined__lte=now - SENT_TWICE_WITHIN).update(
        guest_request=None
    )
    for _attempt in range(5):
        # The log-in may fail, and a guest without any visit would never count as abandoned.
        guest = User(username=free_name(), is_guest=True, guest_request=request_id, last_login=now)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save()
        except IntegrityError:
            # Another request has taken the name, or it is the same request and has made the guest.
            if earlier := _guest_of(request_id):
                return earlier
        else:
            return guest
    raise RuntimeError(f"No guest could be made for the request {request_id}.")


def free_name() -> str:
    """Return a name that nobody has: a drawn one, with a number if it is taken."""
    name = drawn_names.draw()
    taken = {
        taken.lower()
        for taken in User.objects.filter(username__istartswith=name).values_list("username", flat=True)
    }
    names = chain([name], (f"{name}-{number}" for number in count(2)))
    return next(one for one in names if one.lower() not in taken and not is_retired(one))

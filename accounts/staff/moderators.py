"""Who moderates: people with that role and superusers, with a second factor, as the admin demands."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import second_factors
from accounts.models import User

# In the session: the page for which somebody adds a second factor, and to which they return.
WANTED = "wanted_page"


def moderators() -> QuerySet[User]:
    """Return everybody who decides about reports, also those who add a second factor for it first."""
    is_free = Q(suspended_until=None) | Q(suspended_until__lte=timezone.now())
    return User.objects.filter(is_free, Q(is_moderator=True) | Q(is_superuser=True), is_active=True)


def ready_moderators() -> QuerySet[User]:
    """Return the moderators who can decide now, because they have a second factor."""
    return second_factors.with_any(moderators())


def for_moderators(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let only moderators who have proved a second factor open a page; it does not exist for others."""

    @wraps(view)
    def checked(request: HttpRequest, *arguments: Any, **options: Any) -> HttpResponse:
        user = request.user
        if not isinstance(user, User):
            return redirect_to_login(request.get_full_path())
        if not user.moderates:
            raise Http404
        if second_factors.is_proved(request, second_factors.STAFF_PROOF):
            request.session.pop(WANTED, None)
            return view(request, *arguments, **options)
        request.session[WANTED] = request.get_full_path()
        return ask_for_proof(request, user, _("Only moderators with a second factor can open this page."))

    return checked


def ask_for_proof(request: HttpRequest, user: User, why: str, following: str = "") -> HttpResponse:
    """Redirect to the page on which a user proves a second factor, or adds the first one."""
    following = following or request.get_full_path()
    if second_factors.has_any(user):
        return redirect_to_login(following, second_factors.page_to_prove(user))
    messages.info(request, _("%(why)s You can add one here.") % {"why": why})
    return redirect_to_login(following, "mfa_index")

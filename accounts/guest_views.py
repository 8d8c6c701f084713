"""The pages by which a guest plays on in another browser, or in the installed app."""

from base64 import b64encode
from http import HTTPStatus

from allauth.core import ratelimit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import guest_codes, guests, refusals
from accounts.models import GuestCode, User
from accounts.second_factors import Adapter


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def other_browser(request: HttpRequest) -> HttpResponseBase:
    """Say how to play on in another browser; a POST shows a guest a new code, its link and its QR code."""
    context: dict[str, object] = {"minutes": GuestCode.LIVES.seconds // 60}
    user = request.user
    if request.method == "POST" and isinstance(user, User) and user.is_guest:
        if not ratelimit.consume(request, action="guest_code_made", user=user):
            return refusals.page(request, "guest_code_made")
        code = guest_codes.make(user)
        url = settings.SITE_URL + reverse("accounts:guest_link", args=[code])
        picture = b64encode(Adapter().build_totp_svg(url).encode()).decode()
        context |= {"code": code, "url": url, "picture": f"data:image/svg+xml;base64,{picture}"}
    return render(request, "accounts/other_browser.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def guest_link(request: HttpRequest, code: str = "") -> HttpResponseBase:
    """Ask in the other browser for the code, or whether to play on as its guest; then log the guest in.

    Who types the code is asked only if another guest plays in that browser, whose games leave it.
    Who is logged in to an account there is asked on the home page whether to move the games to it.
    """
    code = request.POST.get("code", code)
    if code and not ratelimit.consume(request, action="guest_code"):
        return refusals.page(request, "guest_code")
    guest = guest_codes.guest_of(code) if code else None
    if guest is None:
        status = HTTPStatus.BAD_REQUEST if code else HTTPStatus.OK
        return render(request, "accounts/guest_link.html", {"is_wrong": bool(code)}, status=status)
    user = request.user
    is_another = isinstance(user, User) and user.is_guest and user != guest
    if request.method != "POST" or (is_another and "is_warned" not in request.POST):
        return render(request, "accounts/guest_link.html", {"guest": guest, "code": code})
    if guest_codes.use(code) is None:
        return render(request, "accounts/guest_link.html", {"is_wrong": True}, status=HTTPStatus.BAD_REQUEST)
    if isinstance(user, User) and not user.is_guest:
        guests.remember_guest(request, guest)
    else:
        guests.log_in(request, guest)
        messages.success(request, _("You play as %(name)s here too.") % {"name": guest.username})
    return redirect("games:home")

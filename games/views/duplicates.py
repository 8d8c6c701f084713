"""Duplicate matches: to open one, and its page before, during and after its games."""

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.guests import user_or_guest
from accounts.models import User
from games.forms.once import OnceForm
from games.forms.tables import MatchForm, NewMatchForm
from games.http import PlayerRequest, SiteRequest, needs_talent, no_store, nonce_of, wants_partial
from games.models import DuplicateMatch
from games.queries.deals.duplicates import access_match, view_match
from games.services.errors import Refused
from games.services.tables import duplicates
from games.titles.registry import Title, has_talent, title_named, title_with
from games.titles.talents import Talent


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@no_store
@needs_talent(Talent.DUPLICATE)
def new(request: PlayerRequest) -> HttpResponse:
    """Open a duplicate match of a title, by default of the first one that has such matches."""
    sent = request.POST if request.method == "POST" else None
    form = NewMatchForm(_title_named((request.GET if sent is None else sent).get("title", "")), sent)
    if not form.is_valid():
        return render(
            request, "games/new_duplicate.html", {"form": form}, status=400 if form.is_bound else 200
        )
    try:
        match = duplicates.open_match(request.user, **form.cleaned_data, nonce=nonce_of(request))
    except Refused as refused:
        form.add_error(None, refused.message)
        return render(request, "games/new_duplicate.html", {"form": form}, status=refused.status)
    return redirect(match)


def _title_named(key: str) -> Title:
    """Return the title of this key, or the first one without a key. Raises Http404 if it has no matches."""
    if not key:
        return title_with(Talent.DUPLICATE)
    if not has_talent(key, Talent.DUPLICATE):
        raise Http404
    return title_named(key)


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def duplicate(request: SiteRequest, key: str) -> HttpResponse:
    """Show a duplicate match; on POST, enter, leave, start or close it. A visitor enters as a guest."""
    match = access_match(key)
    if request.method != "POST":
        return _show(request, match)
    form = MatchForm(title_named(match.deal.title), request.POST)
    if not form.is_valid():
        raise BadRequest("not a way to change a match")
    user = _user_of(request, match, form)
    if user is None:
        return redirect_to_login(match.get_absolute_url())
    try:
        _change(request, match, user, form)
    except Refused as refused:
        return _show(request, access_match(key), str(refused.message), refused.status)
    return redirect("games:home") if form.cleaned_data["do"] == "close" else redirect(match)


def _user_of(request: SiteRequest, match: DuplicateMatch, form: MatchForm) -> User | None:
    """Return the user; for a visitor who enters, a new guest, or None if they need an account."""
    if isinstance(request.user, User):
        return request.user
    once = OnceForm(request.POST)
    is_guest = form.cleaned_data["do"] == "enter" and not match.changes_ratings
    if not is_guest or "log_in" in request.POST or not once.is_valid():
        return None
    return user_or_guest(request, once.cleaned_data["request_id"])


def _change(request: SiteRequest, match: DuplicateMatch, user: User, form: MatchForm) -> None:
    match form.cleaned_data["do"]:
        case "enter":
            duplicates.enter(match.key, user, nonce_of(request), team=form.cleaned_data["team"])
        case "leave":
            duplicates.leave(match.key, user)
        case "start":
            duplicates.start(match.key, user, form.cleaned_data["level"])
        case "close":
            duplicates.close(match.key, user)


def _show(request: SiteRequest, match: DuplicateMatch, error: str = "", status: int = 200) -> HttpResponse:
    title = title_named(match.deal.title)
    context = {
        "match": match,
        "view": view_match(match, request.user),
        "is_opener": match.opened_by_id is not None and match.opened_by_id == request.user.pk,
        "title": title,
        "words": title.pages.deal_words,
        "bots_form": MatchForm(title),
        "once_form": OnceForm(),
        "share_url": request.build_absolute_uri(match.get_absolute_url()),
        "commitment": match.deal.commitment,
        "error": error,
    }
    template = "games/_match.html" if wants_partial(request) else "games/duplicate.html"
    return render(request, template, context, status=status)

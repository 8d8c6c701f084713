"""The lessons, the rules and the help. The address of a lesson is the only record of a learner's progress.

Addresses that name no title belong to the first one that has lessons, or pages with its rules.
"""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts import guests
from games.forms.once import OnceForm
from games.http import SiteRequest, wants_partial
from games.shown.addresses import lesson_url, rules_url
from games.shown.chapters import search
from games.shown.help import help_chapters
from games.titles.registry import TITLES, Title, offers, titles_with
from games.titles.talents import Talent


@require_http_methods(["GET", "HEAD", "POST"])
def learn(request: SiteRequest, title: str = "", number: int = 1) -> HttpResponse:
    """Show lesson `number`, counted from 1, or check the action that was posted as its answer."""
    shown = _title_with(Talent.LESSONS, title)
    pages = shown.lesson_pages
    if not 1 <= number <= pages.lesson_count:
        raise Http404
    problem = pages.problem_with_answer(number, request.POST) if request.method == "POST" else ""
    if request.method == "POST" and not problem:
        # The fragment replaces that of the form's address, which leads to a problem below the fold of a
        # phone.
        return redirect(f"{lesson_url(shown.key, number + 1)}#main")
    context = {
        **pages.lesson(number, request.GET, is_corrected=bool(problem)),
        "title_key": shown.key,
        "number": number,
        "last": pages.lesson_count,
        "is_last": number == pages.lesson_count,
        "problem": problem,
        "once_form": OnceForm(),
    }
    template = pages.lesson_part if wants_partial(request) else pages.lesson_page
    response = render(request, template, context)
    response["HX-Push-Url"] = request.path
    return response


@require_safe
def rules(request: SiteRequest, title: str = "") -> HttpResponse:
    """Show the chapters of the rules, or only the chapters that contain every word of the search."""
    shown = _title_with(Talent.RULES, title)
    pages = shown.rules_pages
    template = pages.rules_part if wants_partial(request) else pages.rules_page
    values = pages.show_rules(request.GET.get("q", "").strip()[:100])
    ways = {
        "url": rules_url(shown.key),
        "other_url": reverse("games:help"),
        "other_name": _("Search the help"),
    }
    return render(request, template, {**values, **ways, "title_key": shown.key})


@require_safe
def help_page(request: SiteRequest) -> HttpResponse:
    """Show the chapters about the site, or only those that contain every word of the search."""
    query, chapters = request.GET.get("q", "").strip()[:100], help_chapters(guests.KEPT.days)
    has_rules = offers(Talent.RULES)
    context = {
        "query": query,
        "contents": chapters,
        "found": search(chapters, query) if query else chapters,
        "other_words": _("Try another word: clock, rating, hint, deal, email."),
        "url": request.path,
        "has_rules": has_rules,
        "other_url": reverse("games:rules") if has_rules else "",
        "other_name": _("Search the rules"),
    }
    template = "games/_rules_found.html" if wants_partial(request) else "games/help.html"
    return render(request, template, context)


def _title_with(talent: Talent, key: str) -> Title:
    """Return the title with this key, or without one the first title; it has the talent. Raises Http404."""
    for each in titles_with(talent):
        if key in ("", each):
            return TITLES[each]
    raise Http404

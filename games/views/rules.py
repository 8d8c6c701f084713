"""The rules, chapter by chapter, searched by the server."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.http import SiteRequest, wants_part
from games.rules import chapters, examples, search


@require_safe
def rules(request: SiteRequest) -> HttpResponse:
    """Show the chapters of the rules, or those in which all the words asked for occur."""
    query = request.GET.get("q", "").strip()[:100]
    context = {
        "query": query,
        "contents": chapters(),
        "found": search(query) if query else chapters(),
        "examples": examples(),
    }
    template = "games/rules/_found.html" if wants_part(request) else "games/rules/rules.html"
    return render(request, template, context)

"""The lessons and the rules. The address of a lesson is the only record of a learner's progress."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.forms.actions import ChoiceForm
from games.forms.once import OnceForm
from games.http import SiteRequest, wants_partial
from games.novaluna.board.board import build_board
from games.novaluna.engine import EngineError, Place, Refill
from games.novaluna.learning.lessons import LESSONS, YOU, Lesson, describe_luna, problem_with, view_lesson
from games.novaluna.learning.rules import chapters, examples, search


@require_http_methods(["GET", "HEAD", "POST"])
def learn(request: SiteRequest, number: int = 1) -> HttpResponse:
    """Show lesson `number`, counted from 1, or check the action that was posted as its answer."""
    if not 1 <= number <= len(LESSONS):
        raise Http404
    lesson = LESSONS[number - 1]
    if request.method != "POST":
        return _show(request, number, lesson)
    problem = _problem(request, number, lesson)
    if problem:
        return _show(request, number, lesson, problem, status=422)
    # The fragment replaces that of the form's address, which leads to a problem below the fold of a phone.
    return redirect(f"{reverse('games:learn_step', args=[number + 1])}#main")


def _show(
    request: SiteRequest, number: int, lesson: Lesson, problem: str = "", status: int = 200
) -> HttpResponse:
    view = view_lesson(number - 1, is_corrected=bool(problem))
    luna_steps = len(LESSONS[number - 2].luna_actions) if number > 1 else 0
    context = {
        "board": build_board(view, ChoiceForm.read(request).choice),
        "luna_events": [describe_luna(step, view) for step in view.steps[view.version - luna_steps :]],
        "lesson": lesson,
        "number": number,
        "last": len(LESSONS),
        "is_last": number == len(LESSONS),
        "expects_refill": isinstance(lesson.expected, Refill),
        "problem": problem,
        "once_form": OnceForm(),
    }
    template = "games/learn/_lesson.html" if wants_partial(request) else "games/learn/lesson.html"
    response = render(request, template, context, status=status)
    response["HX-Push-Url"] = request.path
    if problem:
        # Without scrolling to the top, because the bar, where the learner has just confirmed, shows it.
        response["HX-Reswap"] = "outerHTML"
    return response


def _problem(request: HttpRequest, number: int, lesson: Lesson) -> str:
    """Return what is wrong with the posted action, in words; empty if it is the lesson's answer."""
    try:
        if request.POST.get("do") == "refill":
            action: Place | Refill = Refill(YOU)
        else:
            x, y = int(request.POST.get("x", "")), int(request.POST.get("y", ""))
            action = Place(YOU, request.POST.get("tile", ""), x, y)
        step = view_lesson(number - 1).newest.apply(action)
    except (EngineError, ValueError):
        return _("You can't do that here. Choose a tile in the moonlight, and a dashed cell for it.")
    return problem_with(lesson, step)


@require_safe
def rules(request: SiteRequest) -> HttpResponse:
    """Show the chapters of the rules, or only the chapters that contain every word of the search."""
    query = request.GET.get("q", "").strip()[:100]
    context = {
        "query": query,
        "contents": chapters(),
        "found": search(query) if query else chapters(),
        "examples": examples(),
    }
    template = "games/rules/_found.html" if wants_partial(request) else "games/rules/rules.html"
    return render(request, template, context)

"""The first game, lesson by lesson; what has been played is in the address, and nothing is stored."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.board import board
from games.engine import EngineError, Mode, Place, Position, Refill, Setup, start
from games.forms import ChoiceForm
from games.http import SiteRequest, wants_part
from games.lessons import DECK, DISCS, LESSONS, LUNA, YOU, Lesson, is_answer, people, steps_before
from games.words import told


@require_http_methods(["GET", "HEAD", "POST"])
def learn(request: SiteRequest, number: int = 1) -> HttpResponse:
    """Show lesson `number`, counted from 1, or judge the action that was posted as its answer."""
    if not 1 <= number <= len(LESSONS):
        raise Http404
    lesson = LESSONS[number - 1]
    if request.method != "POST":
        return _show(request, number, lesson)
    problem = _problem(request, number, lesson)
    if problem:
        return _show(request, number, lesson, problem, status=422)
    return redirect("games:learn_step", number + 1)


def _show(
    request: SiteRequest, number: int, lesson: Lesson, problem: str = "", status: int = 200
) -> HttpResponse:
    asked = ChoiceForm(request.GET)
    asked.full_clean()
    steps = steps_before(number - 1)
    shown = board(
        _position(number),
        steps,
        people(),
        YOU,
        asked.choice,
        now_showing=None if lesson.asks else len(steps),  # nothing can be chosen where nothing is asked
    )
    told_of = steps[-len(LESSONS[number - 2].then) :] if number > 1 and LESSONS[number - 2].then else ()
    context = {
        "board": shown,
        "told": [told(step, people(), YOU) for step in told_of],
        "lesson": lesson,
        "number": number,
        "last": len(LESSONS),
        "is_last": number == len(LESSONS),
        "asks_refill": isinstance(lesson.asks, Refill),
        "problem": problem,
    }
    template = "games/learn/_lesson.html" if wants_part(request) else "games/learn/lesson.html"
    response = render(request, template, context, status=status)
    response["HX-Push-Url"] = request.path
    return response


def _position(number: int) -> Position:
    steps = steps_before(number - 1)
    return steps[-1].position if steps else start(Setup(Mode.MULTIPLAYER, 2, DISCS, (YOU, LUNA), DECK))


def _problem(request: HttpRequest, number: int, lesson: Lesson) -> str:
    """Return what is wrong with the posted action, in words; empty where it is what the lesson asks for."""
    try:
        if request.POST.get("do") == "refill":
            action: Place | Refill = Refill(YOU)
        else:
            x, y = int(request.POST.get("x", "")), int(request.POST.get("y", ""))
            action = Place(YOU, request.POST.get("tile", ""), x, y)
        step = _position(number).apply(action)
    except (EngineError, ValueError):
        return _("That can't be done here. Choose a tile in the moonlight, and a dashed cell for it.")
    if lesson.asks is None:
        return _("There is nothing to do in this lesson. Go on.")
    return "" if is_answer(lesson, step) else str(lesson.nudge)

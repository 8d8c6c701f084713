"""Error pages."""

from django.urls import reverse

from tests.browser.states.catalogue import MakeVisit, Visit, add_state, render_here, state


def visit_error(status: int, template: str = "") -> MakeVisit:
    return lambda: render_here(f"/an-error/{status}/", template or f"{status}.html", {})


for status in (400, 403, 404, 429, 500):
    add_state(f"error-{status}", visit_error(status), is_minor=status in (400, 403, 429))
add_state("error-csrf", visit_error(403, "403_csrf.html"), is_minor=True)
add_state("error-unknown-rules", visit_error(503, "errors/unknown_rules.html"), is_minor=True)


@state
def offline() -> Visit:
    return Visit(reverse("offline"))

"""The pages of errors, as the site draws them."""

from django.urls import reverse

from tests.browser.states.catalogue import Look, Make, drawn_here, named, state


def error(status: int, template: str = "") -> Make:
    """Look at the page of an error as the site draws it."""
    return lambda: drawn_here(f"/an-error/{status}/", template or f"{status}.html", {})


for status in (400, 403, 404, 429, 500):
    named(f"error-{status}", error(status), much_like_others=status in (400, 403, 429))
named("error-csrf", error(403, "403_csrf.html"))


@state
def offline() -> Look:
    return Look(reverse("offline"))

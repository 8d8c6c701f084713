"""What a state is, and the list of all of them, which the modules beside this one fill."""

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.test import RequestFactory
from playwright.sync_api import Page, Route

from accounts.models import User

Do = Callable[[Page], None]


def nothing(page: Page) -> None:
    """Leave the page as it is."""


@dataclass(frozen=True)
class Look:
    """A page to look at: its address, who looks, what is done before it is opened and after."""

    path: str
    viewer: User | None = None
    before: Do = nothing
    after: Do = nothing
    refused: bool = False  # whether the page answers with an error, which the browser reports


Make = Callable[[], Look]

STATES: dict[str, Make] = {}
MUCH_LIKE_OTHERS: set[str] = set()


def state(make: Make) -> Make:
    """Add a state, named as the function that prepares it is."""
    return named(make.__name__.replace("_", "-"), make)


def much_like_others(make: Make) -> Make:
    """Add a state whose page differs little from those of others: looked at with the whole games."""
    return named(make.__name__.replace("_", "-"), make, much_like_others=True)


def named(name: str, make: Make, *, much_like_others: bool = False) -> Make:
    """Add a state by a name of its own."""
    STATES[name] = make
    if much_like_others:
        MUCH_LIKE_OTHERS.add(name)
    return make


def drawn_here(path: str, template: str, context: dict[str, object]) -> Look:
    """Look at a page that the site has at no address, or at none that a test can bring about."""

    def answer(route: Route) -> None:
        request: HttpRequest = RequestFactory().get(path)
        request.user = AnonymousUser()
        route.fulfill(content_type="text/html", body=render_to_string(template, context, request))

    return Look(path, before=lambda page: page.route(f"**{path}", answer))

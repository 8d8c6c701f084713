"""The list of states, and the decorators by which the other modules of this package add to it.

A state is a page in one situation. Its function prepares the situation and returns the visit that shows it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.urls import set_urlconf
from playwright.sync_api import Page, Route

from accounts.models import User

PageAction = Callable[[Page], None]


def do_nothing(page: Page) -> None:
    """Do nothing on the page."""


@dataclass(frozen=True)
class Visit:
    """A page to open: its path, the user who opens it, and actions before and after it is opened."""

    path: str
    viewer: User | None = None
    before: PageAction = do_nothing
    after: PageAction = do_nothing
    is_refused: bool = False  # whether a response has an error status, which the browser logs


MakeVisit = Callable[[], Visit]

STATES: dict[str, MakeVisit] = {}
MINOR_STATES: set[str] = set()


def state(make: MakeVisit) -> MakeVisit:
    """Add a state with the name of its function."""
    return add_state(make.__name__.replace("_", "-"), make)


def minor_state(make: MakeVisit) -> MakeVisit:
    """Add a state whose page is much like that of another state; only `make test-all` checks it."""
    return add_state(make.__name__.replace("_", "-"), make, is_minor=True)


def add_state(name: str, make: MakeVisit, *, is_minor: bool = False) -> MakeVisit:
    """Add a state with this name."""
    STATES[name] = make
    if is_minor:
        MINOR_STATES.add(name)
    return make


def render_here(path: str, template: str, context: dict[str, object], urls: str | None = None) -> Visit:
    """Visit a page that no address of the test server can show: this process renders its template.

    `urls` is the module of addresses, if it is another one.
    """

    def answer(route: Route) -> None:
        request: HttpRequest = RequestFactory().get(path)
        request.user = AnonymousUser()
        set_urlconf(urls)
        try:
            route.fulfill(content_type="text/html", body=render_to_string(template, context, request))
        finally:
            set_urlconf(None)

    return Visit(path, before=lambda page: page.route(f"**{path}", answer))

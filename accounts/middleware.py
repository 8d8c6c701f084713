"""Middleware that activates a user's language and corrects the status of allauth's responses."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.utils import translation
from django.utils.decorators import sync_and_async_middleware
from django.utils.deprecation import MiddlewareMixin

from accounts.languages import language_of

Response = HttpResponseBase | Awaitable[HttpResponseBase]


class LanguageMiddleware(MiddlewareMixin):
    """Activates the language of the logged-in user, on all their devices."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], args: object, kwargs: object
    ) -> None:
        # The async views are streams without text. Looking up the user would keep a database connection open
        # until the stream closes.
        if not iscoroutinefunction(view) and (language := language_of(request.user)):
            translation.activate(language)
            request.LANGUAGE_CODE = translation.get_language()


@sync_and_async_middleware
class WrongInputMiddleware:
    """Sets status 400 instead of 200 if a page shows a form again because of wrong input."""

    def __init__(self, get_response: Callable[[HttpRequest], Response]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Response:
        return self.get_response(request)

    def process_template_response(self, request: HttpRequest, response: TemplateResponse) -> TemplateResponse:
        form = (response.context_data or {}).get("form")
        if response.status_code == HTTPStatus.OK and getattr(form, "errors", None):
            response.status_code = HTTPStatus.BAD_REQUEST
        return response

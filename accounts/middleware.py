"""The language that a person has chosen, and statuses for what allauth's pages answer."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.utils import translation
from django.utils.decorators import sync_and_async_middleware
from django.utils.deprecation import MiddlewareMixin

from accounts.languages import language_of

Answer = HttpResponseBase | Awaitable[HttpResponseBase]


class LanguageMiddleware(MiddlewareMixin):
    """Show whoever is logged in the language that they have chosen, on whatever device they did."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], args: object, kwargs: object
    ) -> None:
        # A stream has no words, and to look its listener up would keep a connection for as long as it lasts.
        if not iscoroutinefunction(view) and (language := language_of(request.user)):
            translation.activate(language)
            request.LANGUAGE_CODE = translation.get_language()


@sync_and_async_middleware
class WrongInputMiddleware:
    """Answer 400 instead of 200 where a page shows a form again because its input was wrong."""

    def __init__(self, get_response: Callable[[HttpRequest], Answer]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Answer:
        return self.get_response(request)

    def process_template_response(self, request: HttpRequest, response: TemplateResponse) -> TemplateResponse:
        form = (response.context_data or {}).get("form")
        if response.status_code == HTTPStatus.OK and getattr(form, "errors", None):
            response.status_code = HTTPStatus.BAD_REQUEST
        return response

"""What allauth's pages answer, as the rest of the site does."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.decorators import sync_and_async_middleware

Answer = HttpResponseBase | Awaitable[HttpResponseBase]


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

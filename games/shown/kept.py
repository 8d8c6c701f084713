"""Keeps the latest results of functions whose texts are in the language of the viewer."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, Protocol, TypeVar, cast

from django.utils.translation import get_language

Args = ParamSpec("Args")
Result = TypeVar("Result", covariant=True)


class Keeping(Protocol[Args, Result]):
    """A function that keeps its latest results."""

    def __call__(self, *args: Args.args, **kwargs: Args.kwargs) -> Result: ...

    def forget(self) -> None:
        """Drop all results."""


def keep_latest(count: int) -> Callable[[Callable[Args, Result]], Keeping[Args, Result]]:
    """Let each process keep the latest results of a function of immutable values, for each language.

    The result must depend on nothing else, and nobody may change it. Safe and plain texts are equal, so no
    argument may be a text that is marked as safe. Of equal texts with other names marked, any may be kept.
    """

    def decorate(function: Callable[Args, Result]) -> Keeping[Args, Result]:
        # Typed, because 1 equals True.
        @lru_cache(maxsize=count, typed=True)
        def keep(_language: str | None, *args: Args.args, **kwargs: Args.kwargs) -> Result:
            return function(*args, **kwargs)

        @wraps(function)
        def call(*args: Args.args, **kwargs: Args.kwargs) -> Result:
            # The types of lru_cache have hashable arguments only, and functions have no attributes.
            return keep(get_language(), *args, **kwargs)  # type: ignore[arg-type]

        call.forget = keep.cache_clear  # type: ignore[attr-defined]
        return cast("Keeping[Args, Result]", call)

    return decorate

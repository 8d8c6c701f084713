"""The pages of a title about what its bots do, other than playing, for titles with the talents for it."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from games.titles.lines import View


class ShownReview(Protocol):
    """A review as a template of the title shows it."""

    @property
    def has_estimates(self) -> bool:
        """Whether the expert could judge any action. If not, the template is not used."""
        ...

    @property
    def opening_number(self) -> int:
        """The number of the action that the board beside the review shows first."""
        ...


class ReviewPages(Protocol[View]):
    """The pages of a title with the talent REVIEWS."""

    @property
    def review_template(self) -> str:
        """The name of the template for what `build_review` has returned, its variable `review`.

        It also gets `game`, the viewer's own `lines`, `is_seated` and `can_train`.
        """
        ...

    @property
    def so_far_template(self) -> str:
        """The name of the template for a review that is not finished, with the same variables."""
        ...

    @property
    def review_page(self) -> str:
        """The name of the template of the whole page, which extends "games/review.html".

        It gets `board` too, the one of an action, when the review is finished.
        """
        ...

    def build_review(self, view: View, judgements: Sequence[Mapping[str, object]]) -> ShownReview:
        """Return the review of a finished game, given the judgements of its first actions or of all."""
        ...


class TrainerPages(Protocol[View]):
    """The pages of a title with the talent TRAINER."""

    @property
    def turn_template(self) -> str:
        """The name of the template of a page with a turn to answer, for the `board` before it.

        It also gets `training`, the position, `game_title`, `error` and `request_id`.
        """
        ...

    @property
    def answer_template(self) -> str:
        """The name of the template of a page for what `build_answer` has returned, its variable `shown`.

        It also gets `training`, `game`, `game_title`, `is_solo`, the `next` turn, if there is one, and
        `hides_better`: after a wrong answer, the player may answer again before they see the better one.
        """
        ...

    def describe_loss(self, loss: float, seats: int) -> str:
        """Return what an action gave away in a game with this many seats, such as "lost 3 points"."""
        ...

    def build_answer(
        self,
        view: View,
        number: int,
        answer: Any,
        values: Sequence[tuple[Any, float]],
        line: Sequence[Any],
    ) -> Any:
        """Return the judged answer to the position before action `number`.

        `values` has the best action first, then the other judged ones, with the answer and the action played
        among them; `line` has the actions that the expert expects after the best one.
        """
        ...

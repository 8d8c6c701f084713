"""The pages of Nova Luna about what its bots do besides playing: reviews and the trainer."""

from collections.abc import Mapping, Sequence

from games.novaluna.board.game_view import GameView
from games.novaluna.board.worth import describe_loss
from games.novaluna.bots.face import worth_from_float
from games.novaluna.engine import Mode, Place, Refill
from games.novaluna.reviews.page import ShownReview, build_review
from games.novaluna.reviews.training import ShownAnswer, build_answer


class ExpertPages:
    """Reviews and answers of the trainer; `games.novaluna.reviews` makes them."""

    review_template = "novaluna/review/review.html"
    so_far_template = "novaluna/review/so_far.html"
    review_page = "novaluna/review/page.html"
    turn_template = "novaluna/trainer/turn.html"
    answer_template = "novaluna/trainer/answer.html"

    def build_review(self, view: GameView, judgements: Sequence[Mapping[str, object]]) -> ShownReview:
        """Return the review of a finished game."""
        return build_review(view, judgements)

    def describe_loss(self, loss: float, seats: int) -> str:
        """Return a loss in points of winning chance or, of a solo game, points."""
        return describe_loss(worth_from_float(Mode.of(seats), loss))

    def build_answer(
        self,
        view: GameView,
        number: int,
        answer: Place | Refill,
        values: Sequence[tuple[Place | Refill, float]],
        line: Sequence[Place | Refill],
    ) -> ShownAnswer:
        """Return the judged answer to a position."""
        return build_answer(view, number, answer, values, line)

"""The facts of a notification, from which its kind writes a message."""

from functools import cached_property

from accounts.clock import zone_of
from accounts.models import User
from games.models import Game, Notification, Seat, deadline_for, seats_of
from games.queries.mail_links import MailTurn, opponents_of, reply_address_for, turn_of_player
from games.queries.viewing import view_game
from games.shown.clocks import describe_move_by
from games.shown.lists import name_of
from games.titles.pages import AnyPages
from games.titles.registry import title_named
from games.titles.view import AnyView


class PlayerFacts:
    """What messages say about a game to one of its players, each looked up when it is first needed, and once.

    Texts are in the language that is active then.
    """

    def __init__(self, game: Game, user: User) -> None:
        self.game = game
        self.user = user

    @cached_property
    def pages(self) -> AnyPages:
        """The pages of the title."""
        return title_named(self.game.title).pages

    @cached_property
    def view(self) -> AnyView:
        """The game as its player sees it. It costs a replay, so a message that needs only names has none."""
        return view_game(self.game, self.user)

    @cached_property
    def opponents(self) -> list[str]:
        """The names of the other players, in the order of the seats, without partners."""
        return opponents_of(self.game, self.user)

    @property
    def title_name(self) -> str:
        """The name of the title, if the site offers several."""
        return name_of(self.game.title)

    @cached_property
    def awaited(self) -> list[Seat]:
        """The awaited seats, in order."""
        return [seat for seat in seats_of(self.game) if seat.is_awaited]

    @cached_property
    def turn(self) -> MailTurn:
        """What a reply of the player can do now. They have a seat."""
        return turn_of_player(self.game, self.user)

    @cached_property
    def reply_to(self) -> str:
        """Where the player can reply with a move; empty if they can't."""
        return reply_address_for(self.turn)

    @cached_property
    def move_by(self) -> str:
        """Until when the player has time, in words and in their zone; empty without a clock."""
        deadline = deadline_for(self.game, self.user)
        return "" if deadline is None else describe_move_by(deadline, zone_of(self.user.time_zone))


class Facts(PlayerFacts):
    """The facts of a notification."""

    def __init__(self, notification: Notification) -> None:
        super().__init__(notification.game, notification.user)
        self.notification = notification

"""Signed links and addresses that are bound to their rows.

After a backup was restored, the ids of the rows that are lost are given out again. A link that names ids
alone would then act for somebody else, so its signature also covers the random marks of the rows. Rows from
before there were marks have an empty one, and the links to them stay valid.
"""

from django.core.signing import BadSignature, Signer

from accounts.models import User
from games.models import Action, Game
from games.replies import Turn


def sign_user(salt: str, user: User, *values: str) -> str:
    """Return a token that names a user, with other values that have no ":"."""
    return _signer(salt, user).sign(":".join([str(user.pk), *values]))


def read_user(salt: str, token: str) -> tuple[User, list[str]] | None:
    """Return the user and the other values of a token; None if it is not valid or its user is deleted."""
    pk = token.partition(".")[0].partition(":")[0]
    user = User.objects.filter(pk=pk).first() if pk.isdecimal() and len(pk) < 19 else None
    if user is None:
        return None
    try:
        return user, _signer(salt, user).unsign(token).split(":")[1:]
    except BadSignature:
        return None


def mark_of_turn(user: User, game: Game, number: int) -> str:
    """Return the mark of a turn in which a person plays action `number` of the log.

    It covers the action before, because the log of a restored game can go on in another way.
    """
    before = Action.objects.filter(game=game, number=number - 1).values_list("request_id", flat=True).first()
    return f"{user.mark}{game.mark}{before or ''}"


def marks_of_turn(turn: Turn) -> list[str]:
    """Return the marks that the token of a turn may have; none if its rows do not exist."""
    user = User.objects.filter(pk=turn.user).first()
    game = Game.objects.filter(pk=turn.game).first()
    if user is None or game is None:
        return []
    marks = [mark_of_turn(user, game, turn.number)]
    # Emails from before there were marks can still be answered.
    return marks if user.mark or game.mark else [*marks, ""]


def marks_of_person(turn: Turn) -> list[str]:
    """Return the mark that the token of a person may have; none if there is no such user."""
    return list(User.objects.filter(pk=turn.user).values_list("mark", flat=True))


def _signer(salt: str, user: User) -> Signer:
    return Signer(salt=f"{salt}{user.mark}", sep=".")

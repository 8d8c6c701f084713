"""The sound of live games, which is a setting of the account."""

from accounts.models import User


def turn_sound(user: User, *, is_on: bool) -> None:
    """Turn the sound of all live games on or off for a person."""
    user.sound = is_on
    user.save(update_fields=["sound"])

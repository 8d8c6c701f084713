"""The ends of the tables of a duplicate match, and so of the match."""

from games.models import DuplicateMatch, Game
from games.services import after_commit, notifications


def note_end(game: Game) -> None:
    """Update the page of the duplicate match of a game that is over, in the caller's transaction, if any.

    After people's last game, or after the last of two teams, the others in the match are owed notifications;
    the players of this game are owed one about the game.
    """
    # Locked, so that of two tables that end at the same time, the second one sees the end of the first.
    match = DuplicateMatch.objects.select_for_update(of=("self",)).filter(deal=game.deal_id).first()
    if match is None:
        return
    match.changes += 1
    match.save(update_fields=["changes"])
    after_commit.update_page_of_match(match)
    if _is_over(match, game):
        notifications.owe_match_end(game)


def _is_over(match: DuplicateMatch, last: Game) -> bool:
    if match.has_teams:
        return not match.deal.games.exclude(status=Game.Status.OVER).exists()
    has_people = last.seats.filter(bot="").exists()
    return has_people and not match.deal.games.played_by_people().exists()

"""Tables: open, join, leave and close them, and offer rematches. A table starts when every seat is taken.

Other packages import from here, except for duplicate matches.
"""

from games.services.tables.changes import count_change, lock_table
from games.services.tables.company import check_may_sit, check_measures, lock_people, lock_person, may_invite
from games.services.tables.departures import leave_what_waits
from games.services.tables.joining import add_bots, check_rating, check_reliability, join
from games.services.tables.leaving import (
    close,
    decline,
    decline_all,
    end_by_address,
    free_seats_kept_before,
    hide_from_owner,
    leave,
    remove,
)
from games.services.tables.limits import (
    MOST_GAMES_WITH_BOTS,
    MOST_OPEN_TABLES,
    MOST_SOLO_GAMES,
)
from games.services.tables.new_names import show_new_name
from games.services.tables.opening import open_game, open_solo, open_table
from games.services.tables.options import TableOptions
from games.services.tables.rematches import rematch
from games.services.tables.seating import swap
from games.services.tables.seeking import leave_search, look_again, start_looking, stop_looking

__all__ = [
    "MOST_GAMES_WITH_BOTS",
    "MOST_OPEN_TABLES",
    "MOST_SOLO_GAMES",
    "TableOptions",
    "add_bots",
    "check_may_sit",
    "check_measures",
    "check_rating",
    "check_reliability",
    "close",
    "count_change",
    "decline",
    "decline_all",
    "end_by_address",
    "free_seats_kept_before",
    "hide_from_owner",
    "join",
    "leave",
    "leave_search",
    "leave_what_waits",
    "lock_people",
    "lock_person",
    "lock_table",
    "look_again",
    "may_invite",
    "open_game",
    "open_solo",
    "open_table",
    "rematch",
    "remove",
    "show_new_name",
    "start_looking",
    "stop_looking",
    "swap",
]

"""Solo games that have a deal in common: the daily deal, and the expert on the deal of a finished game."""

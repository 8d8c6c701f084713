"""An independent opponent for the bots of LUNAR: a determinised Monte Carlo player.

It was written from the rules and the record format alone, by somebody who had not read the bots of the site,
so that a match between the two measures more than one author's idea of the game. It shares no code with
`games.lunar`.

How it plays. For each legal action, it plays 200 rounds to their end (`player.py`). Each begins with a random
guess of the hidden cards (`guesses.py`) that fits everything the seat knows: ranks and suits in each hand,
cards that are out of the round, the cards that it passed, and suits that a hand could not follow. All actions
are tried on the same guesses. In the rest of the round (`playouts.py`), each player knows all cards of the
guess, but looks no further than the running trick. An action is worth the mean of its side's points in this
round, less the points of the other side. The best action is played. To choose cards to pass, all combinations
are tried on a few guesses, and the best ones on all.

What it does not do: it has no view on what a pass or a lead makes likely, and it ignores the points of
earlier rounds.

As a program, it answers each position record on its standard input with an action:

    .venv/bin/python -m tests.lunar.independent --samples 200 --seed 1

The first answer takes some seconds more, because the rounds are compiled then. `matches.py` plays it against
another program, on duplicate deals:

    .venv/bin/python -m tests.lunar.independent.matches --seats 4 \\
        ".venv/bin/python manage.py bot --title lunar --level hard"

| module | has |
| --- | --- |
| `cards.py` | cards as numbers, and their codes |
| `rounds.py` | one round as a flat array: legal cards, tricks, trump |
| `playouts.py` | the rest of a round by a simple policy |
| `guesses.py` | random guesses of the hidden cards |
| `positions.py` | what a seat knows, from a position record |
| `player.py` | the choice of an action |
| `games.py` | whole games with states and views, as in the record format |
| `matches.py` | matches on duplicate deals |
"""

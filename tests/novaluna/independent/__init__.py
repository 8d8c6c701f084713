"""An independent opponent for the bots of Nova Luna: a tree search with rules, policy and weights of its own.

It was written from the rules, the engine and the record format, by somebody who had not read the code of the
site's bots. So a match between the two measures more than one author's idea of the game. It shares no code
with `games.novaluna`; only the list of tiles is the same.

How it plays. For each action, it plays a number of games to their end. Each begins with a walk down a tree
(UCT with the prior chances of PUCT): the policy chooses up to 24 actions of a node and how much each is worth
trying first, and a node counts the rewards of each seat. The walk ends at a new node or at a refill, after
which the draw pile of each game is shuffled on its own. From there (`search.play_out`), the policy plays for
all seats, with a little noise. The reward is the win, and for a small part the discs. The action that was
tried most is played.

The policy (`search.rate`) values a tile on a cell by the goals that it covers, by what it adds to the
potential of open goals, its own and those around the groups that it joins, and by its time cost.

Its weights come from matches of the policy between two players, each on its own shuffles: a random change was
kept if it won 6,500 games against the former weights and lost nothing against simpler ones. The settings of
the search are guesses; of eight variants, 24 games each with 256 games an action, only less noise seemed
better. Nothing was tuned against `hard` or `expert`.

As a program, it answers each position record on its standard input with an action:

    .venv/bin/python -m tests.novaluna.independent --games 1024 --seed 1

The first answer takes some 15 seconds of processor time more, because numba compiles the functions then, and
stores them. On a busy machine that can exceed the limit of a match, so let it answer a position before. numba
compiles a function again only when its own file changes: after an edit of `rules.py`, delete `__pycache__`.

| module | has |
| --- | --- |
| `rules.py` | the rules, and what each display needs, as flat arrays |
| `search.py` | the policy, games to their end, and the tree |
| `player.py` | weights, position records, the choice of an action |
"""

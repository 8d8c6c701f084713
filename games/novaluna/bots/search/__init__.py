"""The search of the stronger bots: fast rules, a policy that plays by them, a tree and a beam search."""

from games.novaluna.bots.search import numba_cache

numba_cache.configure()

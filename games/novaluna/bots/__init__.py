"""Bots: each level chooses an action, given only what its seat may know of the position."""

"""The wing of Nova Luna: its rules and its bots."""

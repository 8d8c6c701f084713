"""The contract of titles: what the house asks of a game that it offers, and which titles there are.

A title has a face of rules (`rules.py`) and faces of bots and pages. Its app registers it (`registry.py`).
Nothing here knows any title or the database, or imports another room.
"""

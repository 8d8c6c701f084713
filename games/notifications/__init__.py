"""Notifications. A kind says what a person is owed and in which words, and a channel sends it.

Services store notifications, and `delivery` sends them after the commit.
"""

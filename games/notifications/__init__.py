"""Notifications: kinds know what a person is owed and what it says, channels know how to send it.

Services write the rows; `delivery` sends them after the commit.
"""

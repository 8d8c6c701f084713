"""Template filters for ratings."""

from django import template

from games.board.ratings import brief_rating, describe_rating

register = template.Library()
register.filter("rating_words", describe_rating)
register.filter("rating_brief", brief_rating)

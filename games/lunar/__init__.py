"""LUNAR, a title of the site."""

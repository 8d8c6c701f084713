"""The lessons and the rules of LUNAR."""

"""Bases for small titles: rules that say only what is their own."""

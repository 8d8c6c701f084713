"""The looks that a person can choose from; without a choice the site looks as their device has it."""

THEMES = ("light", "dark")

"""The themes that people can choose; without a choice, pages follow the device's setting."""

THEMES = ("light", "dark")

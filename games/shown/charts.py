"""Numbers in drawings and charts."""


def number(value: float) -> str:
    """Return a coordinate as SVG writes it, with two decimals at most."""
    return f"{round(value, 2) + 0:g}"  # Adding 0 turns -0 into 0.

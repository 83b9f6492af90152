"""Numbers of documents: what a test compares must be one."""

from ludex.core.game import Json


def number(value: Json) -> float:
    """The value, which must be a number and no truth value."""
    assert isinstance(value, int | float)
    assert not isinstance(value, bool)
    return value


def numbers(value: Json) -> list[float]:
    """The values of a list of numbers."""
    assert isinstance(value, list)
    return [number(part) for part in value]

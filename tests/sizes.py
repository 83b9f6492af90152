"""How many random cases a test compares: a sample in `make test`, all of them in `make test-full`."""

from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def sampled(few: Any, many: Any) -> list[ParameterSet]:
    """Two values of an argument: `few` of every run, `many` of the full one."""
    return [pytest.param(few), pytest.param(many, marks=pytest.mark.full)]


def fewer(rows: Iterable[tuple[int, ...]], place: int, by: int = 4) -> list[ParameterSet]:
    """Each row with a fraction of the count at this place for every run, and as it is for the full one."""
    params = []
    for row in rows:
        small = (*row[:place], max(1, row[place] // by), *row[place + 1 :])
        params += [pytest.param(*small), pytest.param(*row, marks=pytest.mark.full)]
    return params

"""The layout of records that kernels receive."""

from types import GenericAlias
from typing import Annotated

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.kernels.records import element_of, layout_of, new_record


class Fields:
    count: int
    rows: Annotated[NDArray[np.int8], 3, 2]
    odds: Annotated[NDArray[np.float32], 4]


def test_layout_follows_the_annotations() -> None:
    layout = layout_of(Fields)
    assert layout.names == ("count", "rows", "odds")
    assert [layout[name] for name in layout.names] == [
        np.dtype(np.int64),
        np.dtype((np.int8, (3, 2))),
        np.dtype((np.float32, (4,))),
    ]
    assert layout.isalignedstruct


def test_record_begins_with_zeros() -> None:
    record = np.asarray(new_record(Fields))
    assert record["count"] == 0
    assert not record["rows"].any()
    assert not record["odds"].any()


@pytest.mark.parametrize(
    "array",
    [NDArray[np.int8], np.ndarray[tuple[int], np.dtype[np.int8]], GenericAlias(NDArray, (np.int8,))],
    ids=["installed", "wrapped in its dtype", "NumPy 2.5 on Python 3.12"],
)
def test_element_of_either_spelling(array: object) -> None:
    assert element_of(array) is np.int8

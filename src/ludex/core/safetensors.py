"""Arrays in the safetensors format, a header in JSON and plain numbers: a file can hold no code.

The library of that name reads and writes it. It is loaded where it is used, and checks that the arrays fill the file
without gaps and overlaps, so that no header can announce more than there is.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.documents import parse_json
from ludex.core.errors import DataError

LENGTH_BYTES: Final = 8
"""The length of the header stands before it."""


def write_tensors(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The bytes of a file of arrays, the same for the same arrays."""
    from safetensors.numpy import save

    return save({name: np.asarray(array, order="C") for name, array in arrays.items()})


def read_tensors(data: bytes, source: str, fault: type[DataError]) -> dict[str, NDArray[Any]]:
    """The arrays of a file's bytes, or a `fault` that names what is wrong with the file."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        arrays = load(data)
    except SafetensorError as error:
        raise fault(f"{source}: not a whole safetensors file: {error}") from error
    except KeyError as error:
        # NumPy has no such type.
        raise fault(f"{source}: arrays of type {error} are not read") from error
    except ValueError as error:
        # The library allows shapes that NumPy has not: too many axes, or axes too long beside one of length 0.
        raise fault(f"{source}: a shape that NumPy has not: {error}") from error
    # The library takes the last of two arrays of one name.
    length = int.from_bytes(data[:LENGTH_BYTES], "little")
    parse_json(data[LENGTH_BYTES : LENGTH_BYTES + length].decode(), f"{source}, header", fault)
    return arrays

"""Files: read with clear errors, written whole or not at all."""

import errno
import hashlib
import json
import os
import secrets
import shutil
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from ludex.core.errors import DataError, FolderUnwritable, LudexError, StoreError, StoreFull

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


LARGEST: Final = 64 << 20
"""Bytes of a document; a ranking or match is a few megabytes at most."""
LARGEST_ARRAYS: Final = 4 << 30
"""Bytes of an .npz file's arrays together; generated games of training are the largest."""
BYTE_ORDER_MARK: Final = "\ufeff"
_MARKED: Final = "begins with a byte-order mark; save it as UTF-8 without one"


def read_text(path: Path, fault: type[LudexError], largest: int | None = LARGEST) -> str:
    """A file's text, or a `fault` that names the file; one of more than `largest` bytes is not read."""
    try:
        _require_size(path, fault, largest)
        text = path.read_text(encoding="utf-8")
        if text.startswith(BYTE_ORDER_MARK):
            raise fault(f"{path}: {_MARKED}")
        return text
    except OSError as error:
        raise fault(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise fault(f"{path}: not a text file ({error.reason} at byte {error.start})") from error


def _require_size(path: Path, fault: type[LudexError], largest: int | None) -> None:
    size = path.stat().st_size
    if largest is not None and size > largest:
        raise fault(f"{path}: expected at most {largest:,} bytes, found {size:,}")


def parse_json(text: str, source: str, fault: type[DataError]) -> Any:
    """A JSON document, or a `fault` that names the source and the line."""
    try:
        return strict_json(text)
    except json.JSONDecodeError as error:
        raise fault(f"{source}: not valid JSON at line {error.lineno}: {error.msg}; is it truncated?") from error
    except (ValueError, RecursionError) as error:
        # A number of thousands of digits, brackets thousands deep, a key that is given twice, a byte-order mark.
        raise fault(f"{source}: not valid JSON: {error}") from error


def strict_json(data: str | bytes, most_keys: int | None = None) -> Any:
    """A JSON document, without what `json` accepts in silence. Raises `ValueError` or `RecursionError`.

    Bytes must be UTF-8: `json` itself would guess other encodings, and drop a byte-order mark. An object of more than
    `most_keys` keys is refused.
    """
    text = data.decode() if isinstance(data, bytes) else data
    if text.startswith(BYTE_ORDER_MARK):
        raise ValueError(_MARKED)

    def read_object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        if most_keys is not None and len(pairs) > most_keys:
            raise ValueError(f"expected at most {most_keys:,} keys in one object, found {len(pairs):,}")
        return unique_keys(pairs)

    return json.loads(text, object_pairs_hook=read_object if most_keys else unique_keys)


def unique_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The `object_pairs_hook` that refuses a key given twice, of which `json` would keep the last.

    >>> unique_keys([("q", 1), ("r", 2)])
    {'q': 1, 'r': 2}
    """
    document = dict(pairs)
    if len(document) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"key {twice!r} is given twice in one object")
    return document


def read_json(path: Path, fault: type[DataError]) -> Any:
    """A file's JSON document, or a `fault` that names the file."""
    return parse_json(read_text(path, fault), str(path), fault)


def json_parts(document: Any) -> Iterator[str]:
    """The JSON of a document in parts; an iterator in it is an array whose entries are read as they are written.

    >>> "".join(json_parts({"name": "ann", "puzzles": {"rounds": iter([1, 2])}}))
    '{"name": "ann", "puzzles": {"rounds": [1,\\n2]}}'
    """
    if isinstance(document, Mapping):
        for number, (key, value) in enumerate(document.items()):
            yield f"{', ' if number else '{'}{json.dumps(key)}: "
            yield from json_parts(value)
        yield "}" if document else "{}"
    elif isinstance(document, Iterator):
        separator = "["
        for entry in document:
            yield f"{separator}{json.dumps(entry, allow_nan=False)}"
            separator = ",\n"
        yield "[]" if separator == "[" else "]"
    else:
        yield json.dumps(document, allow_nan=False)


def digest(document: Any) -> str:
    """The SHA-256 of a JSON document, whatever the order of its keys and however it was written."""
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def read_bytes(path: Path, fault: type[LudexError], largest: int = LARGEST_ARRAYS) -> bytes:
    """A file's bytes, or a `fault` that names the file; one of more than `largest` bytes is not read."""
    try:
        _require_size(path, fault, largest)
        return path.read_bytes()
    except OSError as error:
        raise fault(f"cannot read {path}: {error.strerror}") from error


def read_arrays(
    data: bytes, names: tuple[str, ...], source: str, fault: type[DataError], largest: int = LARGEST_ARRAYS
) -> "dict[str, NDArray[Any]]":
    """The named arrays of an .npz file's bytes, or a `fault` that names the source.

    An archive whose directory announces more than `largest` bytes is not unpacked.
    """
    import numpy as np

    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            size = sum(archive.getinfo(f"{name}.npy").file_size for name in names)
            if size > largest:
                raise fault(f"{source}: expected at most {largest:,} bytes of arrays, found {size:,}")
            members = {name: archive.read(f"{name}.npy") for name in names}
        return {name: np.lib.format.read_array(BytesIO(array), allow_pickle=False) for name, array in members.items()}
    except KeyError as error:
        raise fault(f"{source}: expected arrays {', '.join(names)}: {error.args[0]}") from error
    except (zipfile.BadZipFile, zlib.error, ValueError, EOFError, OSError, RuntimeError, MemoryError) as error:
        # The header of an array may announce more than its bytes, and more than there is memory.
        raise fault(f"{source}: not a whole .npz file") from error


LENGTH_BYTES: Final = 8
"""The length of the header stands before it."""


def write_tensors(arrays: "Mapping[str, NDArray[Any]]") -> bytes:
    """The bytes of a file of arrays, the same for the same arrays."""
    import numpy as np
    from safetensors.numpy import save

    return save({name: np.asarray(array, order="C") for name, array in arrays.items()})


def read_tensors(data: bytes, source: str, fault: type[DataError]) -> "dict[str, NDArray[Any]]":
    """The arrays of a file's bytes, or a `fault` that names what is wrong with the file.

    The format is a header in JSON and plain numbers, so it can hold no code. Its library checks that the arrays fill
    the file without gaps and overlaps: no header can announce more than there is.
    """
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


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all, even if the machine stops in the middle."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, even if the machine stops in the middle.

    What is no regular file, a pipe or a device, is written to as it is; a link is followed.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        _write(path, "wb", data)
        return
    with whole_file(path) as file:
        file.write(data)


@contextmanager
def whole_file(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` when the block ends, and never if it raises; `private` to its owner."""
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}.partial")
    try:
        with partial.open("xb") as file:
            if private:
                partial.chmod(0o600)
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists() and not private:
            shutil.copymode(path, partial)
        partial.replace(path)
    except OSError as error:
        raise _write_error(path, error) from error
    finally:
        partial.unlink(missing_ok=True)


def append_text(path: Path, text: str) -> None:
    """Add to a file and wait until the disk has it."""
    _write(path, "ab", text.encode())


def _write(path: Path, mode: str, data: bytes) -> None:
    try:
        with path.open(mode) as file:
            file.write(data)
            file.flush()
            if path.is_file():
                os.fsync(file.fileno())
    except OSError as error:
        raise _write_error(path, error) from error


def _write_error(path: Path, error: OSError) -> StoreError:
    if error.errno in _FULL:
        return StoreFull(f"cannot write {path}: {error.strerror}; make room and try again")
    return FolderUnwritable(f"cannot write {path}: {error.strerror}")

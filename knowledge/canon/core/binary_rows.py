"""Rows in PostgreSQL's binary COPY format: vectors and hashes go in without being printed and parsed."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

HEADER = b"PGCOPY\n\xff\r\n\x00" + struct.pack(">ii", 0, 0)
TRAILER = struct.pack(">h", -1)
_INT8_OID = 20
_VARCHAR_OID = 1043
_INT8_ELEMENT = np.dtype([("size", ">i4"), ("value", ">i8")])


def encode_row(fields: Sequence[bytes | None]) -> bytes:
    """One row of already encoded fields; None is null."""
    parts = [struct.pack(">h", len(fields))]
    for field in fields:
        if field is None:
            parts.append(b"\xff\xff\xff\xff")
        else:
            parts.append(struct.pack(">i", len(field)))
            parts.append(field)
    return b"".join(parts)


def encode_int4(value: int) -> bytes:
    """An integer."""
    return struct.pack(">i", value)


def encode_int8(value: int) -> bytes:
    """A bigint."""
    return struct.pack(">q", value)


def encode_int8_array(values: Sequence[int]) -> bytes:
    """A bigint[]."""
    elements = np.empty(len(values), dtype=_INT8_ELEMENT)
    elements["size"] = 8
    elements["value"] = values
    return _array_header(len(values), _INT8_OID) + elements.tobytes()


def encode_varchar_array(values: Sequence[str]) -> bytes:
    """A varchar[]."""
    encoded = [value.encode() for value in values]
    return _array_header(len(values), _VARCHAR_OID) + b"".join(struct.pack(">i", len(text)) + text for text in encoded)


def encode_halfvec(vector: NDArray[np.float32]) -> bytes:
    """A halfvec."""
    return struct.pack(">HH", len(vector), 0) + vector.astype(">f2").tobytes()


def _array_header(length: int, element_oid: int) -> bytes:
    if not length:
        return struct.pack(">iiI", 0, 0, element_oid)
    return struct.pack(">iiIii", 1, 0, element_oid, length, 1)

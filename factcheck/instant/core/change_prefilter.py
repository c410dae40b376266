"""Which messages may change what is known of their author, told from how the layers of hearing read them: in other
words than rules know, too ("Katherine, please", "they withdrew the offer").

``manage.py fit_change_prefilter`` fits it to the labelled lines of ``qa/changes`` and ``qa/facts``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from factcheck.core.weight_files import read_weights, write_weights
from factcheck.instant.core.statement_kinds import WEIGHTS, Array, KindModel

SHIPPED_PREFILTER = Path(__file__).resolve().parents[2] / "pattern_sets" / "change_prefilter.npz"
CHANGING = "changing"
"""The one kind that the network tells."""


@dataclass(frozen=True, slots=True)
class ChangePrefilter:
    """A small network over the mean state of a message."""

    tagger: str
    """The version of the layers that make the states; those of others mean nothing to it."""
    network: KindModel
    limit: float
    """The log-odds from which on a message may change something."""

    def lets_through(self, mean: Array) -> bool:
        """Whether a message may change something, by its mean state, shape (dims,)."""
        return self.score(mean[None])[0] >= self.limit

    def score(self, means: Array) -> list[float]:
        """The log-odds of each, shape (texts, dims)."""
        return [each[CHANGING] for each in self.network.score(means)]


def save_prefilter(prefilter: ChangePrefilter, path: Path) -> None:
    """Writes the weights in half precision."""
    weights = {name: getattr(prefilter.network, name) for name in WEIGHTS}
    write_weights(path, {"tagger": prefilter.tagger, "limit": prefilter.limit}, weights)


def read_prefilter(path: Path) -> ChangePrefilter:
    """The prefilter of a file. Raises OSError, KeyError, and ValueError for a file that holds none."""
    stored = read_weights(path)
    network = KindModel(kinds=(CHANGING,), **{name: stored.weights[name] for name in WEIGHTS})
    return ChangePrefilter(stored.described["tagger"], network, stored.described["limit"])


def load_shipped_prefilter() -> ChangePrefilter:
    """The prefilter that ships with the product, read anew each time."""
    return read_prefilter(SHIPPED_PREFILTER)

"""The index of keys by the dialect that a book is read in."""

from __future__ import annotations

from knowledge.lorebooks.activation.inputs import ActivationSettings
from knowledge.lorebooks.activation.key_index import FaithfulKeyIndex, KeyIndex
from knowledge.lorebooks.activation.word_index import WordKeyIndex


def build_key_index(settings: ActivationSettings, first_id: int = 0) -> KeyIndex:
    """An empty index of the dialect."""
    return (FaithfulKeyIndex if settings.is_faithful else WordKeyIndex)(settings, first_id)

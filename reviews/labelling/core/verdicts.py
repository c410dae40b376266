"""What a reviewer may say of an item, and the keys that say it. Keys are an interface: a test holds them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class LabelVerdict(StrEnum):
    """Named by what is wrong, never by what to do about it."""

    CORRECT = "correct"
    WRONG_VALUE = "wrong_value"
    WRONG_PERSON = "wrong_person"
    NOT_MEANT = "not_meant"
    CANNOT_TELL = "cannot_tell"
    MISSED = "missed"
    NOTHING_MISSED = "nothing_missed"


DELTA_KEYS: Final[dict[str, LabelVerdict]] = {
    "1": LabelVerdict.CORRECT,
    "2": LabelVerdict.WRONG_VALUE,
    "3": LabelVerdict.WRONG_PERSON,
    "4": LabelVerdict.NOT_MEANT,
    "5": LabelVerdict.CANNOT_TELL,
}
"""Of an item that shows a proposal."""
RUN_KEYS: Final[dict[str, LabelVerdict]] = {
    "1": LabelVerdict.NOTHING_MISSED,
    "2": LabelVerdict.MISSED,
    "5": LabelVerdict.CANNOT_TELL,
}
"""Of an item that asks whether a run missed anything."""
COMMAND_KEYS: Final[dict[str, str]] = {"z": "undo", "s": "skip", "?": "guide"}

ERRORS: Final = frozenset({LabelVerdict.WRONG_VALUE, LabelVerdict.WRONG_PERSON, LabelVerdict.NOT_MEANT})
"""Verdicts that call a proposal wrong. `cannot_tell` counts among the labels and is no error."""

NAMES: Final[dict[LabelVerdict, tuple[str, str]]] = {
    LabelVerdict.CORRECT: ("Correct", "the player says just this, of themselves, and means it"),
    LabelVerdict.WRONG_VALUE: ("Wrong value", "the player says something of the kind, but not this"),
    LabelVerdict.WRONG_PERSON: ("Wrong person", "it is true of somebody else, or of a character"),
    LabelVerdict.NOT_MEANT: ("Not meant", "a joke, fiction, a question, a quote, a wish, or never said"),
    LabelVerdict.CANNOT_TELL: ("Cannot tell", "the messages in view do not decide it"),
    LabelVerdict.NOTHING_MISSED: ("Nothing is missing", "no lasting fact about the player is in these messages"),
    LabelVerdict.MISSED: ("Something is missing", "mark the message that states it"),
}


def list_keys(kind: str) -> dict[str, LabelVerdict]:
    """Key to verdict, for an item of that kind: `delta` or `run`."""
    return RUN_KEYS if kind == "run" else DELTA_KEYS

"""What follows from signals: a value that was asked for in two exchanges, unless somebody set the field.

Signals stand in the session's preference beside what was set, one hash field a message (`signal:91`). What is inferred
is worked out anew at each look, so a forgotten message takes its signal and all that rests on it away.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from runtime.session_memory.core.signals import SINGLE_FIELDS, Signal, make_key

MIN_EXCHANGES = 2
"""One remark may be about one answer; two apart are a manner. Source: spec §11."""
MAX_SIGNAL_MESSAGES = 60
"""Of a session: the newest count, and a hash stays small."""
MAX_INFERRED_TAGS = 10
SIGNAL, DROPPED = "signal:", "dropped:"
TAGS = "interest_tags"
FIELDS = (*SINGLE_FIELDS, TAGS)


@dataclass(frozen=True, slots=True)
class NotedSignal:
    """A signal with the message that gave it, and the exchange in which that was said."""

    message_id: int
    exchange: str
    signal: Signal


@dataclass(frozen=True, slots=True)
class Inferred:
    """A value and the messages that it rests on."""

    value: str
    evidence: tuple[int, ...]


def serialize_signals(exchange: str, signals: Iterable[Signal]) -> str:
    """The signals of one message as its hash field holds them."""
    return json.dumps([exchange, [[each.field, each.value] for each in signals]], ensure_ascii=False)


def read_noted(stored: Mapping[str, str]) -> list[NotedSignal]:
    """All signals of a stored hash, in the order in which they were said."""
    noted = []
    for name, serialized in stored.items():
        if name.startswith(SIGNAL):
            exchange, signals = json.loads(serialized)
            message_id = int(name.removeprefix(SIGNAL))
            noted += [NotedSignal(message_id, exchange, Signal(field, value)) for field, value in signals]
    return sorted(noted, key=lambda each: each.message_id)


def list_surplus(names: Iterable[str]) -> list[str]:
    """The hash fields of the oldest messages beyond those that are kept."""
    signals = sorted((name for name in names if name.startswith(SIGNAL)), key=lambda name: int(name[len(SIGNAL) :]))
    return signals[:-MAX_SIGNAL_MESSAGES]


def name_dropped(field: str, tag: str | None = None) -> str:
    """The hash field that says up to which message signals of a field, or of one topic, no longer count."""
    return DROPPED + (field if tag is None else f"{field}:{make_key(Signal(field, tag))}")


def infer_value(field: str, stored: Mapping[str, str], noted: Sequence[NotedSignal]) -> Inferred | None:
    """The value that the last signals of a field agree on, if they come from two exchanges; another one ends it."""
    from_id = int(stored.get(name_dropped(field), 0))
    said = [each for each in noted if each.signal.field == field and each.message_id > from_id]
    if not said:
        return None
    value = said[-1].signal.value
    last_other = max((place for place, each in enumerate(said) if each.signal.value != value), default=-1)
    return _conclude(value, said[last_other + 1 :])


def infer_tags(stored: Mapping[str, str], noted: Sequence[NotedSignal]) -> list[Inferred]:
    """The topics that came up in two exchanges, the oldest first; of two that hold each other the first counts."""
    from_id = int(stored.get(name_dropped(TAGS), 0))
    groups: list[tuple[frozenset[str], list[NotedSignal]]] = []
    for each in noted:
        if each.signal.field != TAGS or each.message_id <= from_id:
            continue
        if each.message_id <= int(stored.get(name_dropped(TAGS, each.signal.value), 0)):
            continue
        stems = frozenset(make_key(each.signal).split())
        group = next((said for known, said in groups if known <= stems or stems <= known), None)
        if group is None:
            groups.append((stems, [each]))
        else:
            group.append(each)
    found = [_conclude(said[-1].signal.value, said) for _, said in groups]
    return [each for each in found if each is not None][-MAX_INFERRED_TAGS:]


def _conclude(value: str, said: Sequence[NotedSignal]) -> Inferred | None:
    if len({each.exchange for each in said}) < MIN_EXCHANGES:
        return None
    return Inferred(value, tuple(dict.fromkeys(each.message_id for each in said)))

"""Values of a thread's state: bytes under the name of what wrote them, which nobody here reads."""

from __future__ import annotations

import base64
import binascii
import json
import re
from dataclasses import dataclass
from typing import Any

from episodes.threads.core.limits import MAX_TYPE_LENGTH

JSON = "json"
EMPTY = "empty"
"""The channel has this version and no value."""
SERIALIZERS = frozenset({JSON, EMPTY, "msgpack", "bytes", "bytearray", "null"})
"""What LangGraph's own serializer writes. Not `pickle`: whoever reads it runs what stands in it."""
_CIPHER = re.compile(r"[a-z0-9][a-z0-9_.-]{0,19}")

ERROR, SCHEDULED, INTERRUPT, RESUME = "__error__", "__scheduled__", "__interrupt__", "__resume__"
SPECIAL_INDEX = {ERROR: -1, SCHEDULED: -2, INTERRUPT: -3, RESUME: -4}
"""Channels of which a task has one write, the last. Source: WRITES_IDX_MAP of langgraph-checkpoint 4.3.2."""


class ValueRefused(ValueError):
    """A value can't be kept. `is_serializer`: for what wrote it, else for its form."""

    def __init__(self, detail: str, *, is_serializer: bool = False) -> None:
        super().__init__(detail)
        self.is_serializer = is_serializer


@dataclass(frozen=True, slots=True)
class StateValue:
    """Bytes and the name of the serializer that wrote them."""

    type: str
    data: bytes

    def render(self) -> dict[str, Any]:
        """As it stands in answers: JSON as JSON, anything else in base64."""
        if self.type == JSON:
            return {"type": JSON, "json": json.loads(self.data)}
        return {"type": self.type, "data": base64.b64encode(self.data).decode()}


def parse_value(sent: dict[str, Any]) -> StateValue:
    """The value that a body holds. Raises ValueRefused.

    >>> parse_value({"type": "json", "json": {"a": 1}}).data
    b'{"a":1}'
    """
    type_ = sent["type"]
    if not is_known_serializer(type_):
        raise ValueRefused(f"There is no serializer {type_[:MAX_TYPE_LENGTH]!r} here.", is_serializer=True)
    if "json" in sent:
        if type_ != JSON or "data" in sent:
            raise ValueRefused("A value of the type json has either json or data, any other type has data.")
        return StateValue(JSON, dump_json(sent["json"]))
    try:
        data = base64.b64decode(sent.get("data", "").encode("ascii", "replace"), validate=True)
        if type_ == JSON:
            json.loads(data)
    except (binascii.Error, ValueError) as error:
        raise ValueRefused(f"data is not {'JSON in ' if type_ == JSON else ''}base64.") from error
    return StateValue(type_, data)


def is_known_serializer(type_: str) -> bool:
    """Whether values of the type are kept; an encrypting serializer adds the name of its cipher: `msgpack+aes`."""
    base, plus, cipher = type_.partition("+")
    return base in SERIALIZERS and (not plus or _CIPHER.fullmatch(cipher) is not None)


def dump_json(value: Any) -> bytes:
    """The value as JSON, in the order in which it came."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def choose_index(channel: str, index: int) -> int:
    """The place of a write among those of its task; those of special channels have one of their own."""
    return SPECIAL_INDEX.get(channel, index)

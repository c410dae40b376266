"""Decisions that are to stand in the audit log. An app above keeps the log; apps below it hand over what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Decider:
    """Who decided: a signed-in person or an API key. `name` is kept beside what was decided."""

    type: Literal["user", "key"]
    id: int
    name: str


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """One decision. Everybody of the tenant reads the log: it holds no words of players."""

    tenant_id: int
    decider: Decider
    action: str
    object_type: str
    object_id: int
    object_label: str
    before: str = ""
    after: str = ""
    reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


AuditWriter = Callable[[AuditRecord], None]
"""Keeps a record. Called in the transaction of the decision: what is not logged does not happen."""

_WRITERS: list[AuditWriter] = []


def register_audit_writer(writer: AuditWriter) -> None:
    """The audit log, from now on. Once at start."""
    if writer not in _WRITERS:
        _WRITERS.append(writer)


def record_decision(record: AuditRecord) -> None:
    """Hands the decision to the audit log. Call it in the transaction of the decision."""
    for writer in _WRITERS:
        writer(record)

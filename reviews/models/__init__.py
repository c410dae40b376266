"""Tables of review: change requests, golden queries and their runs, labels, the audit log."""

from reviews.labelling.models import GoldenCase, GoldItem, SampleLabel, SampleLease, SampleSkip
from reviews.models.audit import AuditEntry
from reviews.models.autosaves import Autosave
from reviews.models.changes import ChangeItem, ChangeKind, ChangeRequest, ChangeState, Operation, ReviewComment
from reviews.models.golden import (
    GoldenChange,
    GoldenChangeState,
    GoldenOperation,
    GoldenQuery,
    GoldenResult,
    GoldenRun,
    GoldenRunState,
)
from reviews.models.npc_changes import NpcChangeItem

__all__ = [
    "AuditEntry",
    "Autosave",
    "ChangeItem",
    "ChangeKind",
    "ChangeRequest",
    "ChangeState",
    "GoldItem",
    "GoldenCase",
    "GoldenChange",
    "GoldenChangeState",
    "GoldenOperation",
    "GoldenQuery",
    "GoldenResult",
    "GoldenRun",
    "GoldenRunState",
    "NpcChangeItem",
    "Operation",
    "ReviewComment",
    "SampleLabel",
    "SampleLease",
    "SampleSkip",
]

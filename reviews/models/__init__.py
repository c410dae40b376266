"""Tables of review: change requests, golden queries and their runs, labels, the audit log."""

from reviews.audit.models import AuditEntry
from reviews.change_requests.models.autosaves import Autosave
from reviews.change_requests.models.changes import (
    ChangeItem,
    ChangeKind,
    ChangeRequest,
    ChangeState,
    Operation,
    ReviewComment,
)
from reviews.golden.models import (
    GoldenChange,
    GoldenChangeState,
    GoldenOperation,
    GoldenQuery,
    GoldenResult,
    GoldenRun,
    GoldenRunState,
)
from reviews.labelling.models import GoldenCase, GoldItem, SampleLabel, SampleLease, SampleSkip
from reviews.npcs.models import NpcChangeItem

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

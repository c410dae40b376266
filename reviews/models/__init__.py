"""Tables of review: change requests, golden queries and their runs, the audit log."""

from reviews.models.audit import AuditEntry
from reviews.models.changes import ChangeItem, ChangeRequest, ChangeState, Operation, ReviewComment
from reviews.models.golden import (
    GoldenChange,
    GoldenChangeState,
    GoldenOperation,
    GoldenQuery,
    GoldenResult,
    GoldenRun,
    GoldenRunState,
)

__all__ = [
    "AuditEntry",
    "ChangeItem",
    "ChangeRequest",
    "ChangeState",
    "GoldenChange",
    "GoldenChangeState",
    "GoldenOperation",
    "GoldenQuery",
    "GoldenResult",
    "GoldenRun",
    "GoldenRunState",
    "Operation",
    "ReviewComment",
]

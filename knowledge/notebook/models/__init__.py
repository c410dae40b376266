"""Tables of notebooks."""

from knowledge.notebook.models.entries import (
    EntryKind,
    EntryState,
    NotebookEntry,
    NotebookFolder,
    NotebookVersion,
    VersionOperation,
)
from knowledge.notebook.models.ledger import (
    CommandStatus,
    ConflictKind,
    ConflictState,
    NotebookCommand,
    NotebookConflict,
    NotebookProposal,
    NotebookReceipt,
    ProposalState,
    ReceiptKind,
)
from knowledge.notebook.models.notebooks import Access, ChatNotebooks, Notebook, NotebookMember
from knowledge.notebook.models.passages import NotebookPassage

__all__ = [
    "Access",
    "ChatNotebooks",
    "CommandStatus",
    "ConflictKind",
    "ConflictState",
    "EntryKind",
    "EntryState",
    "Notebook",
    "NotebookCommand",
    "NotebookConflict",
    "NotebookEntry",
    "NotebookFolder",
    "NotebookMember",
    "NotebookPassage",
    "NotebookProposal",
    "NotebookReceipt",
    "NotebookVersion",
    "ProposalState",
    "ReceiptKind",
    "VersionOperation",
]

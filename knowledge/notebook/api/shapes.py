"""What the REST interface of notebooks answers."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

from pydantic import BaseModel, Field

AccessName = Literal["read", "propose", "write", "manage"]
StateName = Literal["live", "quarantined", "archived", "deleted", "redacted"]
KindName = Literal["fact", "note", "document"]


class MemberShape(BaseModel):
    """An agent and what it may do."""

    agent: str
    access: AccessName
    is_trusted: bool = Field(description="What a member that is not trusted yet writes waits in quarantine.")
    key_prefix: str | None = Field(description="The key that it speaks with.")
    created_at: dt.datetime


class NotebookShape(BaseModel):
    """A notebook, as the calling agent sees it."""

    notebook_id: str
    title: str
    agent: str = Field(description="Who asks.")
    access: AccessName
    policy: dict[str, Literal["execute", "propose", "refuse"]]
    created_by: str
    created_at: dt.datetime


class NotebookDetails(NotebookShape):
    """A notebook with its members and how much stands in it."""

    members: list[MemberShape]
    counts: dict[str, int]
    conflicts_open: int
    proposals_pending: int


class NotebookList(BaseModel):
    """Notebooks by id; `next_cursor` is null at the end."""

    data: list[NotebookShape]
    next_cursor: str | None


class EntryShape(BaseModel):
    """A fact (`name` is its key), a note (its id) or a document (its path)."""

    entry_id: int
    kind: KindName
    name: str
    content: str
    sha256: str = Field(description="Of the content: what `If-Match` takes.")
    version: int
    author: str
    state: StateName
    is_pinned: bool
    metadata: dict[str, Any]
    importance: float
    importance_reason: str
    uses: int
    last_used_at: dt.datetime | None
    created_at: dt.datetime
    updated_at: dt.datetime


class EntryList(BaseModel):
    """Entries in the order in which they came; `next_cursor` is null at the end."""

    data: list[EntryShape]
    next_cursor: int | None


class DocumentList(EntryList):
    """Documents in the order in which they came, and all folders."""

    folders: list[str]


class SideShape(BaseModel):
    """One side of a conflict."""

    name: str | None
    version: int
    content: str | None = Field(description="Null where it was redacted.")
    author: str
    created_at: dt.datetime


class ConflictShape(BaseModel):
    """Two statements of which one may not hold, with their authors."""

    conflict_id: int
    kind: Literal["overwritten", "contradicted"]
    name: str = Field(description="The fact that it is about.")
    older: SideShape
    newer: SideShape
    says: str = Field(description="What the newer one says instead, where it is known.")
    state: Literal["open", "resolved"]
    resolution: str
    resolved_by: str
    created_at: dt.datetime


class ConflictList(BaseModel):
    """Conflicts, newest first; `next_cursor` is null at the end."""

    data: list[ConflictShape]
    next_cursor: int | None


class ProposalShape(BaseModel):
    """A write that waits for somebody else, or was decided."""

    proposal_id: int
    kind: KindName
    name: str
    content: str
    author: str
    source: str
    state: Literal["pending", "approved", "rejected"]
    decided_by: str
    created_at: dt.datetime


class ProposalList(BaseModel):
    """Proposals, newest first; `next_cursor` is null at the end."""

    data: list[ProposalShape]
    next_cursor: int | None


class WrittenShape(BaseModel):
    """What became of a write. `unchanged` is a success: the notebook says so already."""

    outcome: Literal["created", "modified", "unchanged", "proposed"]
    entry: EntryShape | None = Field(description="Null for what was proposed.")
    proposal: ProposalShape | None
    conflicts: list[ConflictShape] = Field(description="What this write speaks against; both sides stay.")


class VersionShape(BaseModel):
    """One version of an entry. Branch on `redacted_at`: a redacted one has no content."""

    number: int
    operation: Literal["created", "modified", "renamed", "deleted"]
    name: str | None
    content: str | None
    sha256: str
    author: str
    source: str
    created_at: dt.datetime
    redacted_at: dt.datetime | None
    redacted_by: str


class VersionList(BaseModel):
    """Versions, newest first; `next_cursor` is null at the end."""

    data: list[VersionShape]
    next_cursor: int | None


class ReceiptShape(BaseModel):
    """What was taken away, in figures."""

    receipt_id: str
    kind: Literal["redaction", "archiving", "deletion", "forgetting"]
    counts: dict[str, int]
    requested_by: str
    created_at: dt.datetime


class FadingShape(BaseModel):
    """An entry that is, or would be, archived."""

    entry_id: int
    kind: KindName
    name: str
    importance: float
    uses: int
    idle_days: float
    score: float


class ForgettingShape(BaseModel):
    """What was archived, or with `dry_run` would be."""

    dry_run: bool
    data: list[FadingShape]
    receipt: ReceiptShape | None


class FoundShape(BaseModel):
    """An entry that was found; `text` is the part that was."""

    score: float
    keyword_score: float
    vector_score: float | None
    text: str
    start: int
    end: int
    entry: EntryShape


class FoundList(BaseModel):
    """What was found, best first."""

    query: str
    data: list[FoundShape]
    degraded: list[str]


class CommandShape(BaseModel):
    """A command and what became of it. Reads have a result for the model's next turn."""

    command: str
    arguments: dict[str, str]
    status: Literal["executed", "proposed", "refused", "malformed", "failed"]
    code: str
    start: int
    end: int
    offset: int = Field(description="Where it stood in `clean`.")
    entry: EntryShape | None
    found: list[FoundShape]
    proposal_id: int | None


class CommandRunShape(BaseModel):
    """The text without commands, and what became of these."""

    turn_id: str
    clean: str
    commands: list[CommandShape]
    needs_follow_up: bool = Field(
        description="Whether the model asked for something: `follow_up` is for its next turn."
    )
    follow_up: str


class LedgerShape(BaseModel):
    """One row of the ledger of commands. It holds no words."""

    turn_id: str
    index: int
    agent: str
    command: str
    status: Literal["executed", "proposed", "refused", "malformed", "failed"]
    code: str
    name: str | None = Field(description="What was written.")
    version: int | None
    proposal_id: int | None
    found: int | None
    created_at: dt.datetime


class LedgerList(BaseModel):
    """Commands, newest first; `next_cursor` is null at the end."""

    data: list[LedgerShape]
    next_cursor: int | None


class ArchiveShape(BaseModel):
    """The documents as a zip, in base64."""

    zip: str
    files: int


class ImportedShape(BaseModel):
    """What became of the files of an archive, by path."""

    created: list[str]
    modified: list[str]
    unchanged: list[str]
    kept: list[str] = Field(description="They stand as they were: send `replace` to put the file in their place.")


class MemoryAnswerShape(BaseModel):
    """What the memory tool answers: the content of the tool's result."""

    content: str
    is_error: bool

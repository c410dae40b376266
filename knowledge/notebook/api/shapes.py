"""What the REST interface of notebooks answers."""

from __future__ import annotations

import base64
import datetime as dt
from typing import Annotated, Any, Literal

from pydantic import BaseModel

from knowledge.notebook.core.archives import write_archive
from memoryproject.rest.typed_dicts import build_example, member

AccessName = Literal["read", "propose", "write", "manage"]
StateName = Literal["live", "quarantined", "archived", "deleted", "redacted"]
KindName = Literal["fact", "note", "document"]
StatusName = Literal["executed", "proposed", "refused", "malformed", "failed"]
ARCHIVE = base64.b64encode(write_archive([("decisions/typescript.md", "# TypeScript\n")])).decode()
WHEN = "2026-03-02T10:00:00Z"
SHA256 = "8f5a5e0fa6f1c1b8b0a7a2a1f9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0"
NOTE = "We chose PostgreSQL over MongoDB because we need transactions"
TURN = "6f1c2f0e-7d5b-4d3a-9a51-0c8a4f1d2b3c"


class MemberShape(BaseModel):
    """An agent and what it may do."""

    agent: Annotated[str, member("coder")]
    access: Annotated[AccessName, member("manage")]
    is_trusted: Annotated[bool, member(True, "What a member that is not trusted yet writes waits in quarantine.")]
    key_prefix: Annotated[str | None, member("k7h2", "The key that it speaks with.")]
    created_at: Annotated[dt.datetime, member(WHEN)]


class NotebookShape(BaseModel):
    """A notebook, as the calling agent sees it."""

    notebook_id: Annotated[str, member("backend-api")]
    title: Annotated[str, member("Backend API")]
    agent: Annotated[str, member("coder", "Who asks.")]
    access: Annotated[AccessName, member("manage")]
    policy: Annotated[dict[str, Literal["execute", "propose", "refuse"]], member({"SAVE_DOC": "propose"})]
    created_by: Annotated[str, member("coder")]
    created_at: Annotated[dt.datetime, member(WHEN)]


class NotebookDetails(NotebookShape):
    """A notebook with its members and how much stands in it."""

    members: list[MemberShape]
    counts: Annotated[dict[str, int], member({"fact": 3, "note": 12, "document": 4})]
    conflicts_open: Annotated[int, member(1)]
    proposals_pending: Annotated[int, member(0)]


class NotebookList(BaseModel):
    """Notebooks by id; `next_cursor` is null at the end."""

    data: list[NotebookShape]
    next_cursor: Annotated[str | None, member(None)]


class EntryShape(BaseModel):
    """A fact (`name` is its key), a note (its id) or a document (its path)."""

    entry_id: Annotated[int, member(7)]
    kind: Annotated[KindName, member("fact")]
    name: Annotated[str, member("db")]
    content: Annotated[str, member("PostgreSQL")]
    sha256: Annotated[str, member(SHA256, "Of the content: what `If-Match` takes.")]
    version: Annotated[int, member(1)]
    author: Annotated[str, member("coder")]
    state: Annotated[StateName, member("live")]
    is_pinned: Annotated[bool, member(False)]
    metadata: Annotated[dict[str, Any], member({})]
    importance: Annotated[float, member(0.7)]
    importance_reason: Annotated[str, member("a fact, kept by name")]
    uses: Annotated[int, member(2)]
    last_used_at: Annotated[dt.datetime | None, member(WHEN)]
    created_at: Annotated[dt.datetime, member(WHEN)]
    updated_at: Annotated[dt.datetime, member(WHEN)]


class EntryList(BaseModel):
    """Entries in the order in which they came; `next_cursor` is null at the end."""

    data: list[EntryShape]
    next_cursor: Annotated[int | None, member(None)]


class NotebookDocumentList(EntryList):
    """Documents in the order in which they came, and all folders."""

    folders: Annotated[list[str], member(["decisions"])]


class SideShape(BaseModel):
    """One side of a conflict."""

    name: Annotated[str | None, member("db")]
    version: Annotated[int, member(1)]
    content: Annotated[str | None, member("PostgreSQL", "Null where it was redacted.")]
    author: Annotated[str, member("coder")]
    created_at: Annotated[dt.datetime, member(WHEN)]


class ConflictShape(BaseModel):
    """Two statements of which one may not hold, with their authors."""

    conflict_id: Annotated[int, member(3)]
    kind: Annotated[Literal["overwritten", "contradicted"], member("contradicted")]
    name: Annotated[str, member("db", "The fact that it is about.")]
    older: SideShape
    newer: Annotated[
        SideShape,
        member(build_example(SideShape, name="4f1c2f0e7d5b4d3a", content="We move to MongoDB", author="scout")),
    ]
    says: Annotated[str, member("MongoDB", "What the newer one says instead, where it is known.")]
    state: Annotated[Literal["open", "resolved"], member("open")]
    resolution: Annotated[str, member("")]
    resolved_by: Annotated[str, member("")]
    created_at: Annotated[dt.datetime, member(WHEN)]


class ConflictList(BaseModel):
    """Conflicts, newest first; `next_cursor` is null at the end."""

    data: list[ConflictShape]
    next_cursor: Annotated[int | None, member(None)]


class ProposalShape(BaseModel):
    """A write that waits for somebody else, or was decided."""

    proposal_id: Annotated[int, member(5)]
    kind: Annotated[KindName, member("fact")]
    name: Annotated[str, member("db")]
    content: Annotated[str, member("MongoDB")]
    author: Annotated[str, member("scout")]
    source: Annotated[str, member("command")]
    state: Annotated[Literal["pending", "approved", "rejected"], member("pending")]
    decided_by: Annotated[str, member("")]
    created_at: Annotated[dt.datetime, member(WHEN)]


class ProposalList(BaseModel):
    """Proposals, newest first; `next_cursor` is null at the end."""

    data: list[ProposalShape]
    next_cursor: Annotated[int | None, member(None)]


class WrittenShape(BaseModel):
    """What became of a write. `unchanged` is a success: the notebook says so already."""

    outcome: Annotated[Literal["created", "modified", "unchanged", "proposed"], member("created")]
    entry: Annotated[EntryShape | None, member(description="Null for what was proposed.")]
    proposal: Annotated[ProposalShape | None, member(None)]
    conflicts: Annotated[list[ConflictShape], member([], "What this write speaks against; both sides stay.")]


class VersionShape(BaseModel):
    """One version of an entry. Branch on `redacted_at`: a redacted one has no content."""

    number: Annotated[int, member(1)]
    operation: Annotated[Literal["created", "modified", "renamed", "deleted"], member("created")]
    name: Annotated[str | None, member("db")]
    content: Annotated[str | None, member("PostgreSQL")]
    sha256: Annotated[str, member(SHA256)]
    author: Annotated[str, member("coder")]
    source: Annotated[str, member("rest")]
    created_at: Annotated[dt.datetime, member(WHEN)]
    redacted_at: Annotated[dt.datetime | None, member(None)]
    redacted_by: Annotated[str, member("")]


class VersionList(BaseModel):
    """Versions, newest first; `next_cursor` is null at the end."""

    data: list[VersionShape]
    next_cursor: Annotated[int | None, member(None)]


class ReceiptShape(BaseModel):
    """What was taken away, in figures."""

    receipt_id: Annotated[str, member("0d8a2c1e-7d0c-4b7e-9a55-8a4d7b1f3c11")]
    kind: Annotated[Literal["redaction", "archiving", "deletion", "forgetting"], member("redaction")]
    counts: Annotated[
        dict[str, int], member({"versions": 2, "entries": 1, "passages": 1, "proposals": 0, "stored_answers": 0})
    ]
    requested_by: Annotated[str, member("coder")]
    created_at: Annotated[dt.datetime, member(WHEN)]


class FadingShape(BaseModel):
    """An entry that is, or would be, archived."""

    entry_id: Annotated[int, member(8)]
    kind: Annotated[KindName, member("note")]
    name: Annotated[str, member("4f1c2f0e7d5b4d3a")]
    importance: Annotated[float, member(0.3)]
    uses: Annotated[int, member(0)]
    idle_days: Annotated[float, member(61.2)]
    score: Annotated[float, member(0.0729)]


class ForgettingShape(BaseModel):
    """What was archived, or with `dry_run` would be."""

    dry_run: Annotated[bool, member(True)]
    data: list[FadingShape]
    receipt: Annotated[ReceiptShape | None, member(None)]


class FoundShape(BaseModel):
    """An entry that was found; `text` is the part that was."""

    score: Annotated[float, member(0.93)]
    keyword_score: Annotated[float, member(0.0)]
    vector_score: Annotated[float | None, member(0.87)]
    text: Annotated[str, member(NOTE)]
    start: Annotated[int, member(0)]
    end: Annotated[int, member(61)]
    entry: Annotated[
        EntryShape, member(build_example(EntryShape, entry_id=8, kind="note", name="4f1c2f0e7d5b4d3a", content=NOTE))
    ]


class FoundList(BaseModel):
    """What was found, best first."""

    query: Annotated[str, member("why not mongo?")]
    data: list[FoundShape]
    degraded: Annotated[list[str], member([])]


class CommandShape(BaseModel):
    """A command and what became of it. Reads have a result for the model's next turn."""

    command: Annotated[str, member("SAVE_FACT")]
    arguments: Annotated[dict[str, str], member({"key": "db", "value": "PostgreSQL"})]
    status: Annotated[StatusName, member("executed")]
    code: Annotated[str, member("")]
    start: Annotated[int, member(7)]
    end: Annotated[int, member(46)]
    offset: Annotated[int, member(6, "Where it stood in `clean`.")]
    entry: EntryShape | None
    found: Annotated[list[FoundShape], member([])]
    proposal_id: Annotated[int | None, member(None)]


class CommandRunShape(BaseModel):
    """The text without commands, and what became of these."""

    turn_id: Annotated[str, member(TURN)]
    clean: Annotated[str, member("Noted.")]
    commands: list[CommandShape]
    needs_follow_up: Annotated[
        bool, member(False, "Whether the model asked for something: `follow_up` is for its next turn.")
    ]
    follow_up: Annotated[str, member("")]


class LedgerShape(BaseModel):
    """One row of the ledger of commands. It holds no words."""

    turn_id: Annotated[str, member(TURN)]
    index: Annotated[int, member(0)]
    agent: Annotated[str, member("coder")]
    command: Annotated[str, member("SAVE_FACT")]
    status: Annotated[StatusName, member("executed")]
    code: Annotated[str, member("")]
    name: Annotated[str | None, member("db", "What was written.")]
    version: Annotated[int | None, member(1)]
    proposal_id: Annotated[int | None, member(None)]
    found: Annotated[int | None, member(None)]
    created_at: Annotated[dt.datetime, member(WHEN)]


class LedgerList(BaseModel):
    """Commands, newest first; `next_cursor` is null at the end."""

    data: list[LedgerShape]
    next_cursor: Annotated[int | None, member(None)]


class ArchiveShape(BaseModel):
    """The documents as a zip, in base64."""

    zip: Annotated[str, member(ARCHIVE)]
    files: Annotated[int, member(1)]


class ImportedShape(BaseModel):
    """What became of the files of an archive, by path."""

    created: Annotated[list[str], member(["decisions/typescript.md"])]
    modified: Annotated[list[str], member([])]
    unchanged: Annotated[list[str], member([])]
    kept: Annotated[list[str], member([], "They stand as they were: send `replace` to put the file in their place.")]


class MemoryAnswerShape(BaseModel):
    """What the memory tool answers: the content of the tool's result."""

    content: Annotated[str, member("File created successfully at: /memories/plan.md")]
    is_error: Annotated[bool, member(False)]

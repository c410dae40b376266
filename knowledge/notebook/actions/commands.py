"""Running the commands of a model's text: by policy, each with a row in the ledger."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from knowledge.notebook.actions.entries import write_entry
from knowledge.notebook.actions.proposals import propose
from knowledge.notebook.core.commands import COMMANDS, PROPOSE, REFUSE, choose_policy
from knowledge.notebook.core.drafts import DOCUMENT, FACT, NOTE, Draft, Origin
from knowledge.notebook.core.limits import MAX_COMMANDS
from knowledge.notebook.core.tokenizer import Command, Tokenized, tokenize
from knowledge.notebook.models import (
    Access,
    CommandStatus,
    NotebookCommand,
    NotebookEntry,
    NotebookProposal,
    NotebookVersion,
)
from knowledge.notebook.selectors.entries import find_entry, note_use
from knowledge.notebook.selectors.memberships import Seat, is_shared
from knowledge.notebook.selectors.search import NotebookHit, search_notebook
from memoryproject.errors import DomainError
from memoryproject.metrics import NOTEBOOK_COMMANDS

UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What became of one command. Reads that were executed have what they found."""

    command: Command
    status: str
    code: str = ""
    entry: NotebookEntry | None = None
    hits: tuple[NotebookHit, ...] = ()
    version: NotebookVersion | None = None
    proposal: NotebookProposal | None = None

    @property
    def is_read(self) -> bool:
        """Whether it was executed and its result is for the model's next turn."""
        spec = COMMANDS.get(self.command.name)
        return self.status == CommandStatus.EXECUTED and spec is not None and not spec.is_write


@dataclass(frozen=True, slots=True)
class CommandRun:
    """A text without its commands, and what became of these."""

    turn_id: uuid.UUID
    clean: str
    results: tuple[CommandResult, ...]

    @property
    def needs_follow_up(self) -> bool:
        """Whether the model asked for something that it has not seen yet."""
        return any(result.is_read for result in self.results)


@dataclass(frozen=True, slots=True)
class _Turn:
    seat: Seat
    origin: Origin
    is_shared: bool
    given: Sequence[str] = field(default=())


def run_commands(
    seat: Seat,
    text: str | Tokenized,
    *,
    given: Sequence[str] = (),
    message_id: int | None = None,
    request_id: str = "",
    source_text: str = "",
) -> CommandRun:
    """The model's text without commands, each command executed, proposed or refused by the notebook's policy.

    `text` is what the model wrote, never a user's words. `given` are texts that the model was shown: a command that
    stands there word for word is an echo and refused. One that fails leaves the others alone. Search happens outside
    transactions.
    """
    raw = text if isinstance(text, str) else source_text
    found = tokenize(text) if isinstance(text, str) else text
    turn = _Turn(seat, Origin("command", message_id), is_shared(seat.notebook.pk) if found.commands else False, given)
    results = tuple(
        _run(turn, command, raw[command.start : command.end], index) for index, command in enumerate(found.commands)
    )
    turn_id = uuid.uuid4()
    _write_ledger(seat, turn_id, results, request_id)
    return CommandRun(turn_id, found.clean, results)


def _run(turn: _Turn, command: Command, raw: str, index: int) -> CommandResult:
    if command.flaw:
        return CommandResult(command, CommandStatus.MALFORMED, command.flaw)
    if index >= MAX_COMMANDS:
        return CommandResult(command, CommandStatus.REFUSED, "too_many_commands")
    if raw and any(raw in each for each in turn.given):
        return CommandResult(command, CommandStatus.REFUSED, "echoed")
    may_write = turn.seat.may(Access.WRITE)
    what = choose_policy(command.name, turn.seat.notebook.policy, is_shared=turn.is_shared, may_write=may_write)
    if what == REFUSE or (COMMANDS[command.name].is_write and not turn.seat.may(Access.PROPOSE)):
        return CommandResult(command, CommandStatus.REFUSED, "command_refused")
    try:
        with transaction.atomic(savepoint=True) if COMMANDS[command.name].is_write else _nothing():
            if what == PROPOSE:
                return _propose(turn, command)
            return _HANDLERS[command.name](turn, command)
    except DomainError as error:
        return CommandResult(command, CommandStatus.FAILED, error.code)


def _nothing() -> Any:
    from contextlib import nullcontext

    return nullcontext()


def _build_draft(command: Command) -> Draft:
    arguments = command.arguments
    if command.name == "SAVE_FACT":
        return Draft(FACT, arguments["key"].strip(), arguments["value"])
    return Draft(DOCUMENT, build_path(arguments["folder"], arguments["name"]), arguments["content"])


def build_path(folder: str, name: str) -> str:
    """The path of a document. Example: `decisions` and `typescript` are `decisions/typescript.md`."""
    parts = [part for part in (folder.strip().strip("/"), name.strip()) if part]
    path = "/".join(parts)
    return path if path.endswith(".md") else f"{path}.md"


def _propose(turn: _Turn, command: Command) -> CommandResult:
    draft = _build_draft(command)
    current = find_entry(turn.seat, draft.kind, draft.name)
    proposal = propose(turn.seat, draft, "" if current is None else current.sha256, turn.origin)
    return CommandResult(command, CommandStatus.PROPOSED, proposal=proposal)


def _save(turn: _Turn, command: Command) -> CommandResult:
    draft = _build_draft(command)
    if draft.kind == DOCUMENT:
        current = find_entry(turn.seat, DOCUMENT, draft.name)
        if current is not None and current.author != turn.seat.agent:
            # A command names no version: what others wrote is never replaced unread.
            return _propose(turn, command)
    written = write_entry(turn.seat, draft, origin=turn.origin)
    status = CommandStatus.PROPOSED if written.outcome == "proposed" else CommandStatus.EXECUTED
    return CommandResult(command, status, entry=written.entry, version=written.version, proposal=written.proposal)


def _get_fact(turn: _Turn, command: Command) -> CommandResult:
    return _read(turn, command, FACT, command.arguments["key"].strip())


def _read_document(turn: _Turn, command: Command) -> CommandResult:
    return _read(turn, command, DOCUMENT, build_path(command.arguments["folder"], command.arguments["name"]))


def _read(turn: _Turn, command: Command, kind: str, name: str) -> CommandResult:
    entry = find_entry(turn.seat, kind, name)
    if entry is not None:
        note_use([entry])
    return CommandResult(command, CommandStatus.EXECUTED, entry=entry)


def _search(turn: _Turn, command: Command) -> CommandResult:
    found = search_notebook(turn.seat, command.arguments["query"], kinds=(NOTE, DOCUMENT, FACT))
    note_use([hit.entry for hit in found.hits])
    return CommandResult(command, CommandStatus.EXECUTED, hits=found.hits)


_HANDLERS: dict[str, Callable[[_Turn, Command], CommandResult]] = {
    "SAVE_FACT": _save,
    "GET_FACT": _get_fact,
    "SEARCH_MEMORY": _search,
    "SAVE_DOC": _save,
    "READ_DOC": _read_document,
}


def _write_ledger(seat: Seat, turn_id: uuid.UUID, results: Sequence[CommandResult], request_id: str) -> None:
    rows = []
    for index, result in enumerate(results):
        name = result.command.name if result.command.name in COMMANDS else UNKNOWN
        NOTEBOOK_COMMANDS.labels(command=name, status=str(result.status)).inc()
        rows.append(
            NotebookCommand(
                tenant_id=seat.notebook.tenant_id,
                notebook=seat.notebook,
                turn_id=turn_id,
                index=index,
                agent=seat.agent,
                command=name,
                status=result.status,
                code=result.code,
                start=result.command.start,
                length=result.command.end - result.command.start,
                version=result.version,
                proposal=result.proposal,
                found=_count_found(result),
                request_id=request_id[:64],
            )
        )
    NotebookCommand.objects.bulk_create(rows)


def _count_found(result: CommandResult) -> int | None:
    if not result.is_read:
        return None
    return len(result.hits) or int(result.entry is not None)

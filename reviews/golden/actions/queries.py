"""Golden queries in and out of the JSON form of `schemas/golden_queries.schema.json`."""

from __future__ import annotations

import functools
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator

from knowledge.canon.models import DomainIndex
from memoryproject.json_schema import load_schema
from reviews.actions.constraints import atomic_action
from reviews.actions.locks import get_domain_index
from reviews.audit.actions import Transition, write_audit
from reviews.core.actor import Actor
from reviews.core.permissions import require
from reviews.errors import InvalidGoldenFile
from reviews.golden.actions.changes import propose_golden_change
from reviews.golden.core.queries import read_columns
from reviews.models import GoldenChange, GoldenChangeState, GoldenQuery

ERRORS_SHOWN = 50
COUNTED = ("updated", "unchanged", "retired", "proposed")


@dataclass(frozen=True, slots=True)
class GoldenImport:
    """What an import did."""

    created: int
    updated: int
    unchanged: int
    retired: int
    """Active queries that the file does not have: switched off, not deleted."""
    proposed: int
    """Changes of queries that can close a gate: they wait for a second person."""


def import_golden_queries(
    *, actor: Actor, domain_index_id: int, queries: Sequence[Any], reason: str = ""
) -> GoldenImport:
    """The domain's golden queries, as the file has them; active ones that it lacks are switched off.

    New queries need no reason, every other change does; what guards waits for a second person. All or nothing. Locks
    the domain index. Raises InvalidGoldenFile with `errors`, ReasonRequired, GoldenChangePending.
    """
    require(actor, "edit_golden")
    _check(queries)
    with atomic_action():
        index = get_domain_index(actor, domain_index_id, lock=True)
        known = {query.key: query for query in GoldenQuery.objects.filter(domain_index=index)}
        wanted = {entry["id"]: _columns(entry) for entry in queries}
        created = [key for key in wanted if key not in known]
        changes = {key: wanted[key] for key, query in known.items() if key in wanted and _differs(query, wanted[key])}
        retired = {key: {"active": False} for key, query in known.items() if key not in wanted and query.active}
        GoldenQuery.objects.bulk_create(
            [GoldenQuery(tenant_id=index.tenant_id, domain_index=index, key=key, **wanted[key]) for key in created],
            batch_size=500,
        )
        group = uuid.uuid4()
        waiting = _list_waiting(index)
        for key, columns in (changes | retired).items():
            if waiting.get(key) != {**read_columns(known[key]), **columns}:
                propose_golden_change(actor, known[key], columns, reason, group=group)
        proposed = [key for key in changes | retired if key in _list_waiting(index)]
        counts = GoldenImport(
            created=len(created),
            updated=len([key for key in changes if key not in proposed]),
            unchanged=len(queries) - len(created) - len(changes),
            retired=len([key for key in retired if key not in proposed]),
            proposed=len(proposed),
        )
        entry = Transition(
            action="golden_queries.imported",
            object_type="domain_index",
            object_id=index.pk,
            object_label=str(index),
            details={"created": created[:1000], **{name: getattr(counts, name) for name in COUNTED}},
        )
        if created or changes or retired:
            write_audit([entry], actor=actor, tenant_id=index.tenant_id, group=group, reason=reason.strip()[:2000])
    return counts


def export_golden_queries(*, domain_index_id: int) -> list[dict[str, Any]]:
    """The active golden queries of a domain in the file's form, in the order of their ids, defaults left out."""
    queries = GoldenQuery.objects.filter(domain_index_id=domain_index_id, active=True).order_by("key")
    return [_entry_of(query) for query in queries]


def _check(queries: Sequence[Any]) -> None:
    problems = [
        {"path": error.json_path, "message": error.message[:300]}
        for error in sorted(_validator().iter_errors(queries), key=lambda error: error.json_path)
    ]
    if not problems:
        seen: set[str] = set()
        for place, entry in enumerate(queries):
            if entry["id"] in seen:
                problems.append({"path": f"$[{place}].id", "message": f"{entry['id']!r} comes twice"})
            seen.add(entry["id"])
            if "\x00" in json.dumps(entry, ensure_ascii=False).replace("\\u0000", "\x00"):
                problems.append({"path": f"$[{place}]", "message": "holds a NUL character"})
    if problems:
        raise InvalidGoldenFile(
            f"{problems[0]['path']}: {problems[0]['message']}", errors=problems[:ERRORS_SHOWN], count=len(problems)
        )


@functools.cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(load_schema("golden_queries"))


def _columns(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        "query": entry["query"],
        "language": entry["language"],
        "must_hit": entry.get("must_hit", []),
        "must_not_hit": entry.get("must_not_hit", []),
        "relevant": entry.get("relevant", {}),
        "k": entry.get("k", 8),
        "npc_id": entry.get("npc_id", ""),
        "tags": entry.get("tags", []),
        "note": entry.get("note", ""),
        "active": True,
    }


def _differs(query: GoldenQuery, columns: dict[str, Any]) -> bool:
    return any(getattr(query, name) != value for name, value in columns.items())


def _list_waiting(index: DomainIndex) -> dict[str, Any]:
    """Key to what the query would be, of those with a change that waits for a second person."""
    waiting = GoldenChange.objects.filter(domain_index=index, state=GoldenChangeState.PROPOSED)
    return dict(waiting.values_list("key", "after"))


def _entry_of(query: GoldenQuery) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": query.key, "query": query.query, "language": query.language}
    for name in ("must_hit", "relevant", "must_not_hit"):
        if getattr(query, name):
            entry[name] = getattr(query, name)
    if query.k != GoldenQuery._meta.get_field("k").default:  # noqa: SLF001 - Django's public way to a field
        entry["k"] = query.k
    for name in ("npc_id", "tags", "note"):
        if getattr(query, name):
            entry[name] = getattr(query, name)
    return entry

"""The pattern sets that ship with the product, brought into the tables without undoing what people changed there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from simple_history.utils import bulk_create_with_history, bulk_update_with_history

from factcheck.instant.core.concept_files import Concept as ShippedConcept
from factcheck.instant.core.concept_files import read_shipped_concepts
from factcheck.instant.core.pattern_rows import PatternSet
from factcheck.instant.core.pattern_sets import read_shipped_pattern_sets
from factcheck.models import Concept, CorrectionPattern, ExtractionAnchor, InstantPattern, PatternGuard, PatternPack
from factcheck.patterns.actions.locks import lock_version
from factcheck.patterns.models.patterns import ConfigurationRow

REASON = "shipped"
Identity = tuple[Any, ...]
Content = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did, by the names of rows."""

    created: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    """Rows that people edited and a newer pattern set would have changed, or does not have any more."""
    unchanged: list[str] = field(default_factory=list)


def load_shipped_pattern_sets(*, reset: bool = False) -> LoadReport:
    """The tables hold what ships: rows that nobody edited as the newest pattern sets have them, edited ones as they
    are.

    With `reset` edited rows of shipped pattern sets become what ships, too. Switches and rollout shares always stay as
    they are, and so do rows of the installation's own. Running it again changes nothing. Locks the version.
    """
    report = LoadReport()
    with transaction.atomic():
        lock_version()
        pattern_sets = read_shipped_pattern_sets()
        _load(
            PatternPack,
            {(pattern_set.name,): _describe_pattern_set(pattern_set) for pattern_set in pattern_sets},
            report,
            reset=reset,
        )
        ids = dict(PatternPack.objects.values_list("name", "pk"))
        for model, rows in (
            (PatternGuard, _list_guards(pattern_sets, ids)),
            (InstantPattern, _list_patterns(pattern_sets, ids)),
            (CorrectionPattern, _list_corrections(pattern_sets, ids)),
            (ExtractionAnchor, _list_anchors(pattern_sets, ids)),
        ):
            _load(model, rows, report, reset=reset)
        _load(Concept, _list_concepts(read_shipped_concepts()), report, reset=reset)
    return report


def _load(
    model: type[ConfigurationRow], shipped: Mapping[Identity, Content], report: LoadReport, *, reset: bool
) -> None:
    manager = model._default_manager  # noqa: SLF001 - Django's public way to a model's rows
    known = {_identify(row): row for row in manager.all()}
    created, updated = [], []
    for identity, content in shipped.items():
        row = known.pop(identity, None)
        if row is None:
            created.append(model(**dict(zip(IDENTITY[model], identity, strict=True)), **content, shipped=content))
            continue
        outcome = _merge(row, content, reset=reset)
        getattr(report, outcome).append(str(row))
        if row.shipped != content or outcome == "updated":
            row.shipped = content
            row.revision += 1
            updated.append(row)
    for row in known.values():
        _retire(row, report, updated, reset=reset)
    report.created.extend(str(row) for row in created)
    bulk_create_with_history(created, model, batch_size=500, default_change_reason=REASON)
    names = {name for row in updated for name in (row.shipped or {})} | {"shipped", "revision"}
    bulk_update_with_history(updated, model, sorted(names), batch_size=500, default_change_reason=REASON)


def _merge(row: ConfigurationRow, content: Content, *, reset: bool) -> str:
    """Fills the row in where nobody edited it; the outcome, as the report calls it."""
    current = {name: getattr(row, name) for name in content}
    if current == content:
        return "unchanged"
    if current != row.shipped and not reset:
        return "kept"
    for name, value in content.items():
        setattr(row, name, value)
    return "updated"


def _retire(row: ConfigurationRow, report: LoadReport, updated: list[Any], *, reset: bool) -> None:
    """A row that ships no more goes, unless people edited it: then it is the installation's own from now on."""
    if row.shipped is None:
        return
    is_edited = any(getattr(row, name) != value for name, value in row.shipped.items())
    if isinstance(row, PatternPack) or (is_edited and not reset):
        row.shipped = None
        row.revision += 1
        updated.append(row)
        report.kept.append(str(row))
        return
    report.removed.append(str(row))
    row._change_reason = REASON  # type: ignore[attr-defined]  # noqa: SLF001 - simple-history's way
    row.delete()


IDENTITY: dict[type[ConfigurationRow], tuple[str, ...]] = {
    PatternPack: ("name",),
    InstantPattern: ("pack_id", "name"),
    PatternGuard: ("name",),
    CorrectionPattern: ("pack_id", "name"),
    ExtractionAnchor: ("pack_id", "name"),
    Concept: ("key", "types"),
}
"""What a shipped row is known by; `save_row` leaves these as they are."""


def _identify(row: ConfigurationRow) -> Identity:
    values = (getattr(row, name) for name in IDENTITY[type(row)])
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


def _describe_pattern_set(pattern_set: PatternSet) -> Content:
    return {"version": pattern_set.version, "description": pattern_set.description, "macros": dict(pattern_set.macros)}


def _list_patterns(pattern_sets: Iterable[PatternSet], ids: Mapping[str, int]) -> dict[Identity, Content]:
    return {
        (ids[pattern_set.name], row.name): {
            "type": row.type,
            "language": row.language,
            "pattern": row.pattern,
            "key_rule": row.key_rule,
            "key": row.key,
            "anchors": row.anchors,
            "anti_anchors": row.anti_anchors,
            "skips": list(row.skips),
            "closed": row.closed,
            "confidence": row.confidence,
            "priority": row.priority,
        }
        for pattern_set in pattern_sets
        for row in pattern_set.patterns
    }


def _list_guards(pattern_sets: Iterable[PatternSet], ids: Mapping[str, int]) -> dict[Identity, Content]:
    return {
        (row.name,): {
            "pack_id": ids[pattern_set.name],
            "where": row.where,
            "pattern": row.pattern,
            "types": list(row.types),
        }
        for pattern_set in pattern_sets
        for row in pattern_set.guards
    }


def _list_corrections(pattern_sets: Iterable[PatternSet], ids: Mapping[str, int]) -> dict[Identity, Content]:
    return {
        (ids[pattern_set.name], row.name): {"kind": row.kind, "language": row.language, "pattern": row.pattern}
        for pattern_set in pattern_sets
        for row in pattern_set.corrections
    }


def _list_anchors(pattern_sets: Iterable[PatternSet], ids: Mapping[str, int]) -> dict[Identity, Content]:
    return {
        (ids[pattern_set.name], row.name): {"type": row.type, "language": row.language, "pattern": row.pattern}
        for pattern_set in pattern_sets
        for row in pattern_set.anchors
    }


def _list_concepts(concepts: Iterable[ShippedConcept]) -> dict[Identity, Content]:
    return {
        (row.key, row.types): {
            "names": {language: list(names) for language, names in row.names.items()},
            "by_month": row.by_month,
        }
        for row in concepts
    }

"""Writes to the pattern tables: each is checked against all other rows before it counts, and makes a new version."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.contrib.auth import get_user_model
from django.db import IntegrityError, models, transaction
from django.utils import timezone

from factcheck.errors import PatternChanged, PatternRefused, ShippedRow, UnknownPatternRow
from factcheck.instant.core.configuration import build_pattern
from factcheck.instant.core.validation import Problem, list_problems
from factcheck.models import InstantPattern, PackSwitchedOff, PatternGuard, PatternPack
from factcheck.patterns.actions.files import IDENTITY, load_shipped_pattern_sets
from factcheck.patterns.actions.locks import lock_version
from factcheck.patterns.actions.validation import refuse_broad, validate_pattern
from factcheck.patterns.models.patterns import ConfigurationRow
from factcheck.patterns.selectors.patterns import read_configuration
from memoryproject.constraints import find_constraint

Row = TypeVar("Row", bound=ConfigurationRow)

WHAT_FIRES = ("type", "pattern", "anchors", "anti_anchors", "skips")
"""A change of anything else leaves the share of messages on which a pattern fires as it is."""


def save_row(
    row: Row,
    *,
    expected_revision: int | None = None,
    user_id: int | None = None,
    reason: str = "",
    dry_run: bool = False,
) -> Row:
    """The row as given, stored; a new one without `pk`, else the one of which `expected_revision` was edited.

    A dry run raises what a real one would and stores nothing.

    Locks the version, then the row. Refused: what brings a problem that was not there before (so that one broken row
    does not keep others from being mended), and a pattern that fires on too many messages.
    Raises PatternRefused, PatternTooBroad, PatternChanged, UnknownPatternRow.
    """
    if isinstance(row, InstantPattern) and row.is_active and _fires_otherwise(row):
        refuse_broad(validate_pattern(describe_pattern(row)))
    with _locked(), _unique_errors():
        before = list_problems(read_configuration())
        if row.pk is not None:
            _take_over(row, expected_revision)
        row.changed_at = timezone.now()
        _attribute(row, user_id=user_id, reason=reason)
        row.save()
        _refuse_new_problems(before)
        if dry_run:
            transaction.set_rollback(True)
    return row


def delete_row(row: ConfigurationRow, *, user_id: int | None = None, reason: str = "") -> None:
    """A row of the installation's own is gone; its history stays. Locks as `save_row`.

    Raises ShippedRow, PatternRefused when others need it, UnknownPatternRow.
    """
    with _locked():
        current = _get_locked(row)
        if current.shipped is not None:
            raise ShippedRow(f"{current} ships with the product. Switch it off instead.")
        before = list_problems(read_configuration())
        _attribute(current, user_id=user_id, reason=reason)
        try:
            current.delete()
        except models.ProtectedError as error:
            raise ShippedRow(f"{current} still holds rows. Delete or move them first.") from error
        _refuse_new_problems(before)


def switch_pattern_set_off(*, tenant_id: int, pack_id: int) -> PackSwitchedOff:
    """The tenant's messages are read without that pattern set from the next version on. Twice is once."""
    row, _ = PackSwitchedOff.objects.get_or_create(tenant_id=tenant_id, pack_id=pack_id)
    return row


def switch_pattern_set_on(*, tenant_id: int, pack_id: int) -> None:
    """The tenant's messages are read with that pattern set again."""
    PackSwitchedOff.objects.filter(tenant_id=tenant_id, pack_id=pack_id).delete()


def describe_pattern(row: InstantPattern) -> Any:
    """The row as the core knows it."""
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}  # noqa: SLF001 - Django's public way to a model's fields
    return build_pattern({**values, "pack": row.pack.name})


@contextmanager
def _locked() -> Iterator[None]:
    """A transaction that holds the version; empty tables take the shipped pattern sets first, which served until
    now."""
    with transaction.atomic():
        lock_version()
        if not PatternPack.objects.exists():
            load_shipped_pattern_sets()
        yield


@contextmanager
def _unique_errors() -> Iterator[None]:
    """Constraints of the tables as refusals."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        rule = find_constraint(error)
        said = (
            "Another row has that name." if rule.endswith("_unique") else f"The database refused it by its rule {rule}."
        )
        raise PatternRefused(said, constraint=rule) from error


def _get_locked(row: Row) -> Row:
    current = type(row)._default_manager.select_for_update().filter(pk=row.pk).first()  # noqa: SLF001
    if current is None:
        raise UnknownPatternRow("There is no such row any more.")
    return current


def _take_over(row: ConfigurationRow, expected_revision: int | None) -> None:
    """What a form does not decide comes from the stored row."""
    current = _get_locked(row)
    if current.revision != (row.revision if expected_revision is None else expected_revision):
        raise PatternChanged(f"{current} was saved by someone else after you opened it. Look at it again.")
    for name in IDENTITY[type(row)]:
        setattr(row, name, getattr(current, name))
    if isinstance(row, PatternGuard) and isinstance(current, PatternGuard):
        row.pack_id = current.pack_id
    row.shipped = current.shipped
    row.revision = current.revision + 1


def _fires_otherwise(row: InstantPattern) -> bool:
    stored = InstantPattern.objects.filter(pk=row.pk).first() if row.pk else None
    if stored is None or not stored.is_active:
        return True
    return any(getattr(stored, name) != getattr(row, name) for name in WHAT_FIRES)


def _attribute(row: Any, *, user_id: int | None, reason: str) -> None:
    """Who and why, for the row's history."""
    row._history_user = get_user_model().objects.filter(pk=user_id).first() if user_id else None  # noqa: SLF001 - simple-history's way
    row._change_reason = reason[:100]  # noqa: SLF001 - simple-history's way


def _refuse_new_problems(before: list[Problem]) -> None:
    new = [problem for problem in list_problems(read_configuration()) if problem not in before]
    if new:
        raise PatternRefused(
            f"{new[0].row}: {new[0].detail}",
            code=new[0].code,
            errors=[{"path": each.row, "code": each.code, "message": each.detail} for each in new[:20]],
        )

"""Row versions in the forms of model pages: who saves over another's words sees both first."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.http import HttpRequest

Row = TypeVar("Row", bound=models.Model)
FIELD = "row_version"
ONTO = "row_version_onto"
UNWRITTEN = ("last_login", "last_used_at")
"""Columns that change by use, not by anybody's hand."""


@dataclass(frozen=True, slots=True)
class FieldConflict:
    """What a field says now, and what the form would make of it."""

    label: str
    theirs: str
    yours: str


def hash_row(row: models.Model) -> str:
    """A fingerprint of a row's columns: it differs once anybody changed something in it."""
    fields = [field for field in row._meta.concrete_fields if field.attname not in UNWRITTEN]  # noqa: SLF001
    return hash_values({field.attname: _write_value(field, row) for field in fields})


def _write_value(field: Any, row: models.Model) -> str | None:
    """The column as text. None stays None: Django's `value_to_string` of a binary field fails at it."""
    return None if field.value_from_object(row) is None else field.value_to_string(row)


def hash_values(values: Mapping[str, Any]) -> str:
    """A fingerprint of what a form began from."""
    canonical = json.dumps(values, ensure_ascii=False, sort_keys=True, default=str, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class VersionedFormMixin:
    """Makes a model form carry the version of its row, and refuse to save over another one.

    Call it inside a transaction, as the admin's change view does: the row stays locked until the save.
    """

    conflicts: tuple[FieldConflict, ...] = ()
    newest_version = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        row = self.instance  # type: ignore[attr-defined]
        if row.pk is not None:
            self.fields[FIELD] = forms.CharField(  # type: ignore[attr-defined]
                required=False, widget=forms.HiddenInput, initial=hash_row(row)
            )

    def clean(self) -> Any:
        """Raises a ValidationError that leads to `conflicts`."""
        cleaned = super().clean()  # type: ignore[misc]
        row = self.instance  # type: ignore[attr-defined]
        if row.pk is None:
            return cleaned
        stored = type(row)._base_manager.select_for_update(of=("self",)).filter(pk=row.pk).first()  # noqa: SLF001
        if stored is None:
            raise ValidationError("Someone deleted this while you were writing.", code="row_deleted")
        now = hash_row(stored)
        data = self.data  # type: ignore[attr-defined]
        if now in (data.get(self.add_prefix(FIELD)), data.get(ONTO)):  # type: ignore[attr-defined]
            return cleaned
        self.newest_version = now
        self.conflicts = self._compare(stored)
        raise ValidationError(
            "Someone else changed this while you were writing. Nothing is saved: look at both texts.",
            code="row_changed",
        )

    def _compare(self, stored: models.Model) -> tuple[FieldConflict, ...]:
        conflicts = []
        for name, field in self.fields.items():  # type: ignore[attr-defined]
            if name == FIELD or not hasattr(stored, name):
                continue
            theirs = field.prepare_value(forms.models.model_to_dict(stored, [name]).get(name))
            yours = self[name].value()  # type: ignore[index]
            if field.has_changed(theirs, yours):
                conflicts.append(FieldConflict(str(field.label or name), _say(theirs), _say(yours)))
        return tuple(conflicts)


def _say(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def lock_on_post(request: HttpRequest, rows: models.QuerySet[Row]) -> models.QuerySet[Row]:
    """The rows, locked where the request writes: what a VersionedForm compares then stays until its view has saved.

    The view must run in a transaction.
    """
    return rows.select_for_update(of=("self",), no_key=True) if request.method == "POST" else rows


class VersionedForm(forms.Form):
    """A form over values that are stored as one: it carries their version, and refuses to save over another one.

    ``initial`` is what is stored now, whatever the form began from.
    """

    conflicts: tuple[FieldConflict, ...] = ()
    newest_version = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.newest = hash_values(dict(self.initial))
        self.fields[FIELD] = forms.CharField(required=False, widget=forms.HiddenInput, initial=self.newest)

    def clean(self) -> dict[str, Any]:
        """Raises a ValidationError that leads to `conflicts`."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.newest in (self.data.get(FIELD), self.data.get(ONTO)):
            cleaned.pop(FIELD, None)
            return cleaned
        self.newest_version = self.newest
        self.conflicts = tuple(
            FieldConflict(str(field.label or name), _say(self.initial.get(name)), _say(self[name].value()))
            for name, field in self.fields.items()
            if name != FIELD and field.has_changed(self.initial.get(name), self[name].value())
        )
        raise ValidationError("Someone else changed this while you were writing. Nothing is saved.", code="row_changed")

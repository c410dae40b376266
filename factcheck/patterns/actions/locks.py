"""The lock under which patterns are written."""

from __future__ import annotations

from factcheck.models import PatternVersion


def lock_version() -> PatternVersion:
    """The version's row, locked: one writer of patterns at a time, each of whom sees what the last one wrote."""
    PatternVersion.objects.get_or_create(pk=1)
    return PatternVersion.objects.select_for_update().get(pk=1)

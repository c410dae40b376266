"""Triggers that tables of notebooks share."""

from __future__ import annotations

from collections.abc import Mapping

import pgtrigger

DELETION_SETTING = "memory37.notebook_deletion"
"""Set to on by `actions/deletion.py` for its transaction: a notebook that is deleted takes all its rows with it."""
REDACTION_SETTING = "memory37.notebook_redaction"
"""Set to on by `actions/redaction.py` for its transaction: words of versions may go, never change."""


def within_notebook(name: str, parents: Mapping[str, str] | None = None) -> pgtrigger.Trigger:
    """Refuses a row whose notebook is of another tenant, or whose parent rows (column to table) are of another notebook."""
    checks = [
        "NOT EXISTS (SELECT 1 FROM knowledge_notebook n WHERE n.id = NEW.notebook_id AND n.tenant_id = NEW.tenant_id)"
    ]
    checks += [
        f"NEW.{column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM {table} p "  # noqa: S608 - our own names
        f"WHERE p.id = NEW.{column} AND p.notebook_id = NEW.notebook_id)"
        for column, table in (parents or {}).items()
    ]
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Insert | pgtrigger.UpdateOf("tenant_id", "notebook_id", *(parents or {})),
        when=pgtrigger.Before,
        func=f"""
            IF {" OR ".join(f"({check})" for check in checks)} THEN
                RAISE EXCEPTION '{name}' USING ERRCODE = 'check_violation';
            END IF;
            RETURN NEW;
        """,
    )


def only_with_notebook(name: str) -> pgtrigger.Trigger:
    """Refuses to delete a row, unless its whole notebook goes."""
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Delete,
        when=pgtrigger.Before,
        func=f"""
            IF current_setting('{DELETION_SETTING}', TRUE) = 'on' THEN
                RETURN OLD;
            END IF;
            RAISE EXCEPTION '{name}' USING ERRCODE = 'check_violation';
        """,
    )

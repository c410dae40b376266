"""Triggers that tables of threads share."""

from __future__ import annotations

import pgtrigger

DELETION_SETTING = "memory37.thread_deletion"
"""Set to on by `actions/deletion.py` for its transaction: what is pruned, deleted or expires goes for good."""
RESEALED = ("sealed", "sealed_by")
"""Columns that a rotation of keys writes anew; what they say stays the same."""


def only_change(name: str, table: str, *columns: str, condition: str = "TRUE") -> pgtrigger.Trigger:
    """Refuses to change a row in any column but those named; only a deletion of threads deletes it."""
    let_through = "".join(f"kept.{column} := OLD.{column};\n" for column in columns)
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Update | pgtrigger.Delete,
        when=pgtrigger.Before,
        declare=[("kept", table)],
        func=f"""
            IF TG_OP = 'DELETE' AND current_setting('{DELETION_SETTING}', TRUE) = 'on' THEN
                RETURN OLD;
            END IF;
            IF TG_OP = 'UPDATE' THEN
                kept := NEW;
                {let_through}
                IF kept IS NOT DISTINCT FROM OLD OR NOT ({condition}) THEN
                    RETURN NEW;
                END IF;
            END IF;
            RAISE EXCEPTION '{name}' USING ERRCODE = 'check_violation';
        """,
    )


def within_thread(name: str, *, checks: tuple[str, ...] = ()) -> pgtrigger.Trigger:
    """Refuses a row whose thread is of another tenant, or of which one of the further conditions is not true."""
    same = "EXISTS (SELECT 1 FROM episodes_thread t WHERE t.id = NEW.thread_id AND t.tenant_id = NEW.tenant_id)"
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Insert,
        when=pgtrigger.Before,
        func=f"""
            IF NOT ({" AND ".join(f"({each})" for each in (same, *checks))}) THEN
                RAISE EXCEPTION '{name}' USING ERRCODE = 'check_violation';
            END IF;
            RETURN NEW;
        """,
    )

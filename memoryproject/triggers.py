"""Triggers that tables of several apps share: what is written stays as it is."""

import pgtrigger


def append_only(name: str) -> pgtrigger.Trigger:
    """Refuses to change or to delete a row, past the ORM too."""
    return refuse(name, pgtrigger.Update | pgtrigger.Delete)


def refuse(name: str, operation: pgtrigger.Operation) -> pgtrigger.Trigger:
    """Refuses an operation on every row, past the ORM too."""
    return pgtrigger.Trigger(
        name=name,
        operation=operation,
        when=pgtrigger.Before,
        func=f"RAISE EXCEPTION '{name}' USING ERRCODE = 'check_violation';",
    )

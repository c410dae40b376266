"""Triggers that tables of several apps share: what is written stays as it is, states change as listed."""

from collections.abc import Mapping, Sequence

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


def moves_between(name: str, moves: Mapping[str, Sequence[str]]) -> pgtrigger.Trigger:
    """A `state` changes only as listed; what has no move from it is an end state."""
    allowed = ", ".join(f"('{old}', '{new}')" for old, news in moves.items() for new in news)
    return pgtrigger.Trigger(
        name=f"{name}_moves",
        operation=pgtrigger.UpdateOf("state"),
        when=pgtrigger.Before,
        condition=pgtrigger.Q(old__state__df=pgtrigger.F("new__state")),
        func=f"""
            IF (OLD.state, NEW.state) NOT IN ({allowed}) THEN
                RAISE EXCEPTION '{name}_moves' USING ERRCODE = 'check_violation';
            END IF;
            RETURN NEW;
        """,
    )

"""Triggers that several tables of the second stage share."""

from __future__ import annotations

from collections.abc import Sequence

import pgtrigger


def belongs_to_user(name: str) -> pgtrigger.Trigger:
    """A row's user is one of its tenant's, and both stay what they were."""
    return pgtrigger.Trigger(
        name=f"{name}_same_tenant",
        operation=pgtrigger.Insert | pgtrigger.UpdateOf("tenant_id", "end_user_id"),
        when=pgtrigger.Before,
        func=f"""
            IF NOT EXISTS (
                SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id
            ) OR (TG_OP = 'UPDATE' AND (OLD.tenant_id, OLD.end_user_id) IS DISTINCT FROM (NEW.tenant_id, NEW.end_user_id))
            THEN
                RAISE EXCEPTION '{name}_same_tenant' USING ERRCODE = 'check_violation';
            END IF;
            RETURN NEW;
        """,  # noqa: S608 - the name is ours
    )


def moves_between(name: str, moves: dict[str, Sequence[str]]) -> pgtrigger.Trigger:
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

"""Triggers that several tables of the second stage share."""

from __future__ import annotations

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

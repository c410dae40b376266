"""What all tables of the graph share: rows of one tenant and world keep together, and history only ends."""

from __future__ import annotations

from collections.abc import Sequence

import pgtrigger
from django.db import models
from django.db.models import Q

ERASURE_SETTING = "memory37.graph_erasure"
"""Set to on by `actions/erasure.py` for its transaction: what was forgotten and what is derived anew may go."""


class OwnerKind(models.TextChoices):
    """Whose a row is."""

    CANON = "canon", "Canon"
    CAMPAIGN = "campaign", "Campaign"
    CONVERSATION = "conversation", "Conversation"
    USER = "user", "User"


def owner_is_whole(name: str) -> models.CheckConstraint:
    """Canon has no owner's id, everything else has one."""
    return models.CheckConstraint(
        condition=Q(owner_kind=OwnerKind.CANON, owner_id=0)
        | Q(owner_kind__in=[kind for kind in OwnerKind.values if kind != OwnerKind.CANON], owner_id__gt=0),
        name=name,
    )


def same_world(name: str, entities: Sequence[str], *, with_index: bool = False) -> pgtrigger.Trigger:
    """Refuses a row whose entities (or domain index) are of another tenant or world."""
    checks = [
        f"NOT EXISTS (SELECT 1 FROM knowledge_graphentity e WHERE e.id = NEW.{column} "  # noqa: S608 - our own names
        "AND e.tenant_id = NEW.tenant_id AND e.world_id = NEW.world_id)"
        for column in entities
    ]
    if with_index:
        checks.append(
            "NEW.domain_index_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM knowledge_domainindex d "
            "WHERE d.id = NEW.domain_index_id AND d.tenant_id = NEW.tenant_id AND d.world_id = NEW.world_id)"
        )
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Insert | pgtrigger.UpdateOf("tenant_id", "world_id", *entities),
        when=pgtrigger.Before,
        func=f"""
            IF {" OR ".join(f"({check})" for check in checks)} THEN
                RAISE EXCEPTION '{name}' USING ERRCODE = 'check_violation';
            END IF;
            RETURN NEW;
        """,
    )


def only_ends(name: str, table: str, *, may_change: Sequence[str]) -> pgtrigger.Trigger:
    """Refuses to delete a row or to change more of it than its end.

    Rows of a release that was never published go with it; an erasure says that it is one.
    """
    restored = "".join(f"kept.{column} := OLD.{column};\n" for column in may_change)
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Update | pgtrigger.Delete,
        when=pgtrigger.Before,
        declare=[("kept", f"{table}%ROWTYPE")],
        func=f"""
            IF current_setting('{ERASURE_SETTING}', true) = 'on' THEN
                RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
            END IF;
            IF TG_OP = 'UPDATE' THEN
                kept := NEW;
                {restored}
                IF kept IS NOT DISTINCT FROM OLD THEN RETURN NEW; END IF;
            ELSIF OLD.domain_index_id IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM knowledge_release r
                WHERE r.domain_index_id = OLD.domain_index_id AND r.number = OLD.added_in AND r.state = 'published'
            ) THEN
                RETURN OLD;
            END IF;
            RAISE EXCEPTION '{name}' USING ERRCODE = 'check_violation';
        """,  # noqa: S608 - our own names
    )

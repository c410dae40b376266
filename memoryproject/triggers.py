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


def keep_together(name: str, parents: Mapping[str, tuple[str, tuple[str, ...]]]) -> pgtrigger.Trigger:
    """Refuses a row whose parent differs from it in one of the named columns, such as the tenant or the campaign.

    `parents`: foreign key column to the parent's table and the columns in which both must agree.
    """
    checks = []
    for column, (table, shared) in parents.items():
        agreement = " AND ".join(f"p.{each} = NEW.{each}" for each in shared)
        checks.append(
            f"NEW.{column} IS NOT NULL AND NOT EXISTS "  # noqa: S608 - our own names
            f"(SELECT 1 FROM {table} p WHERE p.id = NEW.{column} AND {agreement})"
        )
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Insert | pgtrigger.Update,
        when=pgtrigger.Before,
        func=f"""
            IF {" OR ".join(f"({check})" for check in checks)} THEN
                RAISE EXCEPTION '{name}' USING ERRCODE = 'check_violation';
            END IF;
            RETURN NEW;
        """,
    )


def world_of_same_tenant(
    name: str, *, operation: pgtrigger.Operation | None = None, condition: pgtrigger.Condition | None = None
) -> pgtrigger.Trigger:
    """Refuses a row whose world is of another tenant: on every insert and update, or where said otherwise."""
    return pgtrigger.Trigger(
        name=name,
        operation=operation or pgtrigger.Insert | pgtrigger.Update,
        when=pgtrigger.Before,
        condition=condition,
        # Indented as in the migrations: a trigger whose text differs by a blank is another one.
        func=f"""
                    IF NOT EXISTS (SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id) THEN
                        RAISE EXCEPTION '{name}' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,  # noqa: E501, S608 - the name is ours
    )

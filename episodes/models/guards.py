"""Triggers that tables of play share: rows of one tenant keep together, and history is only ever added to."""

import pgtrigger

from memoryproject.forgetting.erased_names import write_erasure_check


def only_add(
    name: str, table: str, *, may_change: tuple[str, ...] = (), names_users: bool = False, hashed: tuple[str, ...] = ()
) -> pgtrigger.Trigger:
    """Refuses to delete a row, and to change it in any column but those named.

    With `names_users` the erasure of a user may put the placeholder where the id stood, and nothing else; then columns
    that are `hashed` from the others change as well.
    """
    let_through = "".join(f"kept.{column} := OLD.{column};\n" for column in may_change)
    erased = ""
    if names_users:
        restored = "".join(f"kept.{column} := OLD.{column};\n" for column in hashed)
        erased = f"""
                {restored}
                IF {write_erasure_check()} THEN
                    RETURN NEW;
                END IF;"""
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Update | pgtrigger.Delete,
        when=pgtrigger.Before,
        declare=[("kept", table)],
        func=f"""
            IF TG_OP = 'UPDATE' THEN
                kept := NEW;
                {let_through}
                IF kept IS NOT DISTINCT FROM OLD THEN
                    RETURN NEW;
                END IF;{erased}
            END IF;
            RAISE EXCEPTION '{name}' USING ERRCODE = 'check_violation';
        """,
    )


def only_mark(name: str, table: str, column: str) -> pgtrigger.Trigger:
    """Refuses to change a row in any column but the one named. It may be deleted."""
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Update,
        when=pgtrigger.Before,
        declare=[("kept", table)],
        func=f"""
            kept := NEW;
            kept.{column} := OLD.{column};
            IF kept IS DISTINCT FROM OLD THEN
                RAISE EXCEPTION '{name}' USING ERRCODE = 'check_violation';
            END IF;
            RETURN NEW;
        """,
    )

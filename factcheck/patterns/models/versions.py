"""The number under which all patterns and concepts are served."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class PatternVersion(models.Model):
    """One row: the number of the newest state of the pattern tables. Triggers on them count it up, once a transaction.

    Its row lock puts editors in order: whoever holds it sees every earlier change.
    """

    id = models.SmallIntegerField(primary_key=True, default=1)
    number = models.BigIntegerField(db_default=1)
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="pattern_version_is_one_row")]

    def __str__(self) -> str:
        return f"version {self.number}"


def count_version_up(name: str) -> pgtrigger.Trigger:
    """A trigger by which any statement that writes the table makes a new version, past the ORM too."""
    return pgtrigger.Trigger(
        name=name,
        level=pgtrigger.Statement,
        operation=pgtrigger.Insert | pgtrigger.Update | pgtrigger.Delete | pgtrigger.Truncate,
        when=pgtrigger.After,
        func="""
            INSERT INTO factcheck_patternversion AS known (id, number, changed_at) VALUES (1, 1, clock_timestamp())
            ON CONFLICT (id) DO UPDATE SET number = known.number + 1, changed_at = clock_timestamp()
            WHERE known.xmin <> pg_current_xact_id()::xid;
            RETURN NULL;
        """,
    )

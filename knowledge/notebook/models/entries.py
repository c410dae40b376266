"""What stands in a notebook: facts, notes and documents, each with all its versions."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from knowledge.notebook.core.limits import (
    MAX_AGENT_LENGTH,
    MAX_DOCUMENT_BYTES,
    MAX_FACT_BYTES,
    MAX_NOTE_BYTES,
    MAX_PATH_BYTES,
)
from knowledge.notebook.models.guards import REDACTION_SETTING, only_with_notebook, within_notebook
from knowledge.notebook.models.notebooks import Notebook

UNSAFE_PATH = r"(^|/)\.{0,2}(/|$)|[[:cntrl:]\\]"
"""Empty parts, `.`, `..`, control characters and backslashes."""


class EntryKind(models.TextChoices):
    """The three stores. Source: seed 003."""

    FACT = "fact", "Fact"
    NOTE = "note", "Note"
    DOCUMENT = "document", "Document"


class EntryState(models.TextChoices):
    """Where an entry stands. Only live ones are told to others."""

    LIVE = "live", "Live"
    QUARANTINED = "quarantined", "In quarantine: written by a new member, seen by it and by who decides"
    ARCHIVED = "archived", "Archived: not used for long"
    DELETED = "deleted", "Deleted, its versions are kept"
    REDACTED = "redacted", "Redacted: its words are gone"


SHOWN_STATES = (EntryState.LIVE, EntryState.QUARANTINED, EntryState.ARCHIVED)


class NotebookEntry(models.Model):
    """The present version of a fact, a note or a document."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    notebook = models.ForeignKey(Notebook, on_delete=models.CASCADE, related_name="entries", db_index=False)
    kind = models.CharField(max_length=8, choices=EntryKind)
    name = models.CharField(max_length=MAX_PATH_BYTES, help_text="A fact's key, a document's path, a note's id.")
    folded_name = models.CharField(
        max_length=2 * MAX_PATH_BYTES, help_text="What names that look alike have in common."
    )
    content = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64)
    metadata = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=1)
    state = models.CharField(max_length=11, choices=EntryState, default=EntryState.LIVE)
    author = models.CharField(max_length=MAX_AGENT_LENGTH, help_text="Of the present version.")
    is_pinned = models.BooleanField(default=False, help_text="Never archived.")
    importance = models.FloatField(default=0.3)
    importance_reason = models.CharField(max_length=60, blank=True)
    uses = models.PositiveIntegerField(default=0)
    last_used_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = "notebook entry"
        verbose_name_plural = "notebook entries"
        ordering = ["notebook_id", "kind", "name", "id"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=EntryKind.values), name="notebook_entry_kind_known"),
            models.CheckConstraint(condition=Q(state__in=EntryState.values), name="notebook_entry_state_known"),
            models.CheckConstraint(condition=Q(version__gte=1), name="notebook_entry_version_counts"),
            models.CheckConstraint(
                condition=Q(importance__gte=0, importance__lte=1), name="notebook_entry_importance_in_bounds"
            ),
            # A fact and a note say something; a document may be empty. Words stand in shown entries alone.
            models.CheckConstraint(
                condition=Q(state__in=SHOWN_STATES) & (Q(kind=EntryKind.DOCUMENT) | ~Q(content=""))
                | ~Q(state__in=SHOWN_STATES) & Q(content="", metadata={}),
                name="notebook_entry_words_where_shown",
            ),
            models.CheckConstraint(
                condition=Q(state=EntryState.ARCHIVED, archived_at__isnull=False)
                | ~Q(state=EntryState.ARCHIVED) & Q(archived_at__isnull=True),
                name="notebook_entry_archived_has_time",
            ),
            models.CheckConstraint(
                condition=~Q(state=EntryState.ARCHIVED) | Q(is_pinned=False), name="notebook_entry_pins_are_exempt"
            ),
            models.CheckConstraint(
                condition=~Q(kind=EntryKind.DOCUMENT) | ~Q(name__regex=UNSAFE_PATH), name="notebook_entry_path_safe"
            ),
            models.CheckConstraint(
                condition=~Q(name="") & ~Q(name__regex=r"[[:cntrl:]]"), name="notebook_entry_name_plain"
            ),
            # One fact a key and one document a path, whatever letters they are spelled with.
            models.UniqueConstraint(
                fields=["notebook", "kind", "folded_name"],
                condition=Q(state__in=SHOWN_STATES) & ~Q(kind=EntryKind.NOTE),
                name="notebook_entry_name_unique",
            ),
            # The same note again is the same note.
            models.UniqueConstraint(
                fields=["notebook", "sha256"],
                condition=Q(state__in=SHOWN_STATES, kind=EntryKind.NOTE),
                name="notebook_note_unique",
            ),
        ]
        indexes = [
            # For a fact by its key, a document by its path, a note by its id.
            models.Index(fields=["notebook", "kind", "name"], name="notebook_entry_by_name"),
            # For lists, newest first, and for quotas.
            models.Index(fields=["notebook", "kind", "state", "-updated_at"], name="notebook_entry_by_state"),
        ]
        triggers = [
            only_with_notebook("notebook_entry_is_kept"),
            within_notebook("notebook_entry_same_tenant"),
            pgtrigger.Trigger(
                name="notebook_entry_size",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("content"),
                when=pgtrigger.Before,
                func=f"""
                    IF (octet_length(NEW.content) > CASE NEW.kind WHEN 'fact' THEN {MAX_FACT_BYTES}
                        WHEN 'note' THEN {MAX_NOTE_BYTES} ELSE {MAX_DOCUMENT_BYTES} END)
                    THEN
                        RAISE EXCEPTION 'notebook_entry_size' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            # Words and name change by a further version and by none that is left out.
            pgtrigger.Trigger(
                name="notebook_entry_by_versions",
                operation=pgtrigger.UpdateOf("name", "content", "sha256", "version", "author", "kind"),
                when=pgtrigger.Before,
                func=f"""
                    IF (OLD.name, OLD.content, OLD.sha256, OLD.version, OLD.author, OLD.kind)
                        IS NOT DISTINCT FROM (NEW.name, NEW.content, NEW.sha256, NEW.version, NEW.author, NEW.kind)
                        OR NEW.version = OLD.version + 1 AND NEW.kind = OLD.kind
                        OR current_setting('{REDACTION_SETTING}', TRUE) = 'on' AND NEW.content = ''
                    THEN
                        RETURN NEW;
                    END IF;
                    RAISE EXCEPTION 'notebook_entry_by_versions' USING ERRCODE = 'check_violation';
                """,
            ),
            pgtrigger.Trigger(
                name="notebook_entry_has_version",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("version", "sha256"),
                when=pgtrigger.After,
                timing=pgtrigger.Deferred,
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM knowledge_notebookentry e WHERE e.id = NEW.id
                    ) OR EXISTS (
                        SELECT 1 FROM knowledge_notebookversion v JOIN knowledge_notebookentry e ON e.id = v.entry_id
                        WHERE v.entry_id = NEW.id AND v.number = e.version AND v.sha256 = e.sha256
                    ) THEN
                        RETURN NULL;
                    END IF;
                    RAISE EXCEPTION 'notebook_entry_has_version' USING ERRCODE = 'check_violation';
                """,
            ),
        ]

    def __str__(self) -> str:
        return self.content[:80] if self.kind == EntryKind.NOTE else self.name


class VersionOperation(models.TextChoices):
    """What made a version."""

    CREATED = "created", "Created"
    MODIFIED = "modified", "Modified"
    RENAMED = "renamed", "Renamed"
    DELETED = "deleted", "Deleted"


class NotebookVersion(models.Model):
    """One version of an entry: kept for ever, but for words that are redacted."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    notebook = models.ForeignKey(Notebook, on_delete=models.CASCADE, related_name="+", db_index=False)
    entry = models.ForeignKey(NotebookEntry, on_delete=models.CASCADE, related_name="versions", db_index=False)
    number = models.PositiveIntegerField()
    operation = models.CharField(max_length=8, choices=VersionOperation)
    name = models.CharField(max_length=MAX_PATH_BYTES, null=True)  # noqa: DJ001 - null says that it is redacted
    content = models.TextField(null=True)  # noqa: DJ001 - null says that it is redacted; empty is a text
    sha256 = models.CharField(max_length=64)
    author = models.CharField(max_length=MAX_AGENT_LENGTH)
    source = models.CharField(max_length=16, help_text="By what it came: rest, command, memory_tool, import, admin.")
    message_id = models.BigIntegerField(null=True, blank=True, help_text="The message of a player that it rests on.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    redacted_at = models.DateTimeField(null=True, blank=True, editable=False)
    redacted_by = models.CharField(max_length=MAX_AGENT_LENGTH, blank=True)

    class Meta:
        ordering = ["entry_id", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "number"], name="notebook_version_unique"),
            models.CheckConstraint(
                condition=Q(operation__in=VersionOperation.values), name="notebook_version_operation_known"
            ),
            models.CheckConstraint(
                condition=Q(redacted_at__isnull=True, name__isnull=False, content__isnull=False, redacted_by="")
                | Q(redacted_at__isnull=False, content__isnull=True) & ~Q(redacted_by=""),
                name="notebook_version_redacted_has_no_words",
            ),
        ]
        indexes = [
            # For what rests on messages that are forgotten.
            models.Index(
                fields=["tenant", "message_id"], condition=Q(message_id__isnull=False), name="notebook_version_message"
            ),
            # For the notebook's history, newest first.
            models.Index(fields=["notebook", "-created_at"], name="notebook_version_by_time"),
        ]
        triggers = [
            only_with_notebook("notebook_version_is_kept"),
            within_notebook("notebook_version_same_notebook", {"entry_id": "knowledge_notebookentry"}),
            pgtrigger.Trigger(
                name="notebook_version_fixed",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                declare=[("kept", "knowledge_notebookversion")],
                func=f"""
                    kept := NEW;
                    kept.name := OLD.name; kept.content := OLD.content; kept.sha256 := OLD.sha256;
                    kept.redacted_at := OLD.redacted_at; kept.redacted_by := OLD.redacted_by;
                    kept.message_id := OLD.message_id;
                    IF current_setting('{REDACTION_SETTING}', TRUE) = 'on' AND kept IS NOT DISTINCT FROM OLD
                        AND NEW.redacted_at IS NOT NULL AND NEW.content IS NULL
                    THEN
                        RETURN NEW;
                    END IF;
                    RAISE EXCEPTION 'notebook_version_fixed' USING ERRCODE = 'check_violation';
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.number} by {self.author}"


class NotebookFolder(models.Model):
    """A folder of documents. It stays when its last document goes, until it is deleted itself."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    notebook = models.ForeignKey(Notebook, on_delete=models.CASCADE, related_name="folders", db_index=False)
    path = models.CharField(max_length=MAX_PATH_BYTES)

    class Meta:
        ordering = ["notebook_id", "path"]
        constraints = [
            models.UniqueConstraint(fields=["notebook", "path"], name="notebook_folder_unique"),
            models.CheckConstraint(
                condition=~Q(path="") & ~Q(path__regex=UNSAFE_PATH), name="notebook_folder_path_safe"
            ),
        ]
        triggers = [within_notebook("notebook_folder_same_tenant")]

    def __str__(self) -> str:
        return self.path

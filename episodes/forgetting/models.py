"""Receipts of forgetting, and the log of erasures by law. Neither holds a word of what is gone."""

import uuid
from collections.abc import Mapping

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from memoryproject.triggers import append_only

ERASED_CONTENT = "[erased]"
"""What stands in the place of a message whose words were erased by law."""


class ReceiptState(models.TextChoices):
    """`pending` until a worker or a store takes part, `running` while batches are worked off; `code` says why `failed`."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class OrderKind(models.TextChoices):
    """What is worked off in batches. Everything else is done in the transaction that writes the receipt."""

    FORGET = "forget"
    ERASE = "erase"


class FailureCode(models.TextChoices):
    """Why a receipt failed."""

    INTERRUPTED = "interrupted", "Batches failed several times in a row"
    STILL_FOUND = "still_found", "The check still finds something"


class EchoSearch(models.TextChoices):
    """Whether all was looked through for what assistants said again."""

    NOT_NEEDED = "not_needed", "No fact is lost, or all goes anyway"
    COMPLETE = "complete", "All that assistants said since"
    TRUNCATED = "truncated", "Only the first messages since: there are more"


FIRST_PLACE = (0, 0)
"""Before every message of an order: the id of a conversation and a place in it."""
OPEN_STATES = (ReceiptState.PENDING, ReceiptState.RUNNING, ReceiptState.FAILED)


class ForgetReceipt(models.Model):
    """What was asked to be forgotten, what was cleared where, and what a search for it found afterwards."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    end_user = models.ForeignKey("tenancy.EndUser", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey(
        "tenancy.World",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        help_text="The one world that the caller's key reaches; empty: the whole tenant.",
    )
    asked = models.JSONField(help_text="The scope and its times; never words.")
    requested_by = models.CharField(max_length=200, help_text="The API key's prefix, or the person's name.")
    order_kind = models.CharField(
        max_length=6,
        choices=OrderKind,
        blank=True,
        default="",
        db_default="",
        help_text="Worked off in batches; empty: at once.",
    )
    message_ids = ArrayField(
        models.BigIntegerField(), help_text="What was forgotten by this call; of an order, by its batches so far."
    )
    echo_ids = ArrayField(
        models.BigIntegerField(),
        default=list,
        db_default=[],
        help_text="Those of them that nobody chose: an assistant said the forgotten words again.",
    )
    echoes_searched = models.CharField(
        max_length=10, choices=EchoSearch, default=EchoSearch.COMPLETE, db_default=EchoSearch.COMPLETE
    )
    cleared = models.JSONField(default=dict, help_text="Counts by store.")
    changes = models.JSONField(
        default=dict,
        db_default={},
        blank=True,
        help_text="Ids of the facts that came back, or stand otherwise, by list.",
    )
    verification = models.JSONField(default=dict, help_text="What is left by store: all 0 once it is done.")
    errors = models.JSONField(default=dict, blank=True, help_text="Stores that failed, with the kind of error.")
    work = models.JSONField(
        null=True,
        help_text="Hashes and talks that stores and the check still need, and how far an order is; empty once it is done.",
    )
    state = models.CharField(max_length=8, choices=ReceiptState, default=ReceiptState.PENDING)
    code = models.CharField(
        max_length=16, choices=FailureCode, blank=True, default="", db_default="", help_text="Why it failed."
    )
    attempts = models.PositiveIntegerField(default=0, help_text="Tries; of an order, those since it last got on.")
    advanced_at = models.DateTimeField(null=True, blank=True, editable=False, help_text="When an order last got on.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(state__in=ReceiptState.values), name="forget_receipt_state_known"),
            models.CheckConstraint(
                condition=Q(echoes_searched__in=EchoSearch.values), name="forget_receipt_echo_search_known"
            ),
            models.CheckConstraint(
                condition=Q(echo_ids__contained_by=F("message_ids")), name="forget_receipt_echoes_forgotten"
            ),
            models.CheckConstraint(
                condition=Q(state=ReceiptState.DONE, work__isnull=True, finished_at__isnull=False, errors={})
                | (~Q(state=ReceiptState.DONE) & Q(work__isnull=False, finished_at__isnull=True)),
                name="forget_receipt_done_keeps_no_hash",
            ),
            models.CheckConstraint(
                condition=Q(state=ReceiptState.FAILED, code__in=FailureCode.values)
                | (~Q(state=ReceiptState.FAILED) & Q(("code", ""))),
                name="forget_receipt_failed_says_why",
            ),
            models.CheckConstraint(
                condition=Q(order_kind="", advanced_at__isnull=True) & ~Q(state=ReceiptState.RUNNING)
                | Q(order_kind__in=OrderKind.values, advanced_at__isnull=False),
                name="forget_receipt_orders_advance",
            ),
            # One order at a time: who asks again meanwhile gets its receipt.
            models.UniqueConstraint(
                fields=["tenant", "end_user", "world", "order_kind"],
                condition=~Q(order_kind="") & ~Q(state=ReceiptState.DONE),
                nulls_distinct=False,
                name="forget_receipt_one_open_order",
            ),
        ]
        indexes = [
            # For a user's receipts, newest first.
            models.Index(fields=["tenant", "end_user", "-created_at", "id"], name="forget_receipt_by_user"),
            # For the sweeper and the gauge.
            models.Index(
                fields=["tenant", "state", "created_at"],
                condition=Q(state__in=["pending", "running", "failed"]),
                name="forget_receipt_open",
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="forget_receipt_stays",
                operation=pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.Before,
                func="""
                    IF TG_OP = 'DELETE' OR OLD.state = 'done'
                        OR (OLD.id, OLD.tenant_id, OLD.end_user_id, OLD.world_id, OLD.order_kind, OLD.asked, OLD.requested_by,
                            OLD.echo_ids, OLD.echoes_searched, OLD.changes, OLD.created_at)
                        IS DISTINCT FROM
                        (NEW.id, NEW.tenant_id, NEW.end_user_id, NEW.world_id, NEW.order_kind, NEW.asked, NEW.requested_by,
                            NEW.echo_ids, NEW.echoes_searched, NEW.changes, NEW.created_at)
                        OR (NEW.order_kind = '' AND OLD.message_ids <> NEW.message_ids)
                        OR OLD.message_ids <> NEW.message_ids[1:cardinality(OLD.message_ids)]
                        OR EXISTS (
                            SELECT 1 FROM jsonb_each_text(OLD.cleared) o
                            WHERE coalesce((NEW.cleared ->> o.key)::bigint, -1) < o.value::bigint
                        )
                    THEN
                        RAISE EXCEPTION 'forget_receipt_stays' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"receipt {self.pk}: {self.state}"

    def add_cleared(self, counts: Mapping[str, int]) -> None:
        """More of what was cleared, by name. Not saved."""
        self.cleared = {**self.cleared, **{name: self.cleared.get(name, 0) + count for name, count in counts.items()}}

    def restart_batches(self) -> None:
        """The order's next batch is its first: what the check found may lie where batches had passed. Not saved."""
        self.work = {**(self.work or {}), "after": list(FIRST_PLACE)}

    def reopen(self) -> None:
        """A failed receipt is on its way again, with no try counted. Not saved."""
        self.state, self.code, self.attempts = ReceiptState.PENDING, "", 0

    def has_moved_on(self, seen: "ForgetReceipt") -> bool:
        """Whether another run has stopped the order or done a batch since it was seen."""
        return self.state != ReceiptState.RUNNING or (self.work or {})["after"] != (seen.work or {})["after"]


class Erasure(models.Model):
    """An order to erase a user: a placeholder stands for the id from now on, in the row of the user, too.

    With a world, an order to erase what the user said there: the id is the tenant's and stays.

    Ids in what happened can change only in the transaction that wrote it. So can the words of messages; where batches
    work it off, they can until its receipt is done, up to the places that are gone.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    end_user = models.ForeignKey("tenancy.EndUser", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey(
        "tenancy.World", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    receipt = models.OneToOneField(ForgetReceipt, on_delete=models.PROTECT, related_name="erasure")
    reason = models.CharField(max_length=500)
    requested_by = models.CharField(max_length=200)
    transaction_id = models.BigIntegerField(default=0, editable=False, help_text="Set by the database.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="erasure_has_reason"),
        ]
        indexes = [
            # For a user's erasures, newest first, and for the trigger of messages.
            models.Index(fields=["tenant", "end_user", "-id"], name="erasure_by_user"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="erasure_in_this_transaction",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                declare=[("erased", "tenancy_enduser")],
                func="""
                    SELECT u.* INTO erased FROM tenancy_enduser u
                        WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id FOR UPDATE;
                    IF erased.id IS NULL THEN
                        RAISE EXCEPTION 'erasure_same_tenant' USING ERRCODE = 'check_violation';
                    END IF;
                    NEW.transaction_id := pg_current_xact_id()::text::bigint;
                    IF NEW.world_id IS NOT NULL THEN
                        IF NOT EXISTS (
                            SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id
                        ) THEN
                            RAISE EXCEPTION 'erasure_same_tenant' USING ERRCODE = 'check_violation';
                        END IF;
                        RETURN NEW;
                    END IF;
                    PERFORM set_config('memory37.erased_user', erased.id::text, true),
                        set_config('memory37.erased_name', erased.external_id, true);
                    UPDATE tenancy_enduser SET erased_in = NEW.transaction_id, external_id = CASE
                            WHEN erased.erased_in IS NULL
                            THEN 'erased-' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 16)
                            ELSE erased.external_id END
                        WHERE id = erased.id;
                    RETURN NEW;
                """,
            ),
            append_only("erasure_append_only"),
        ]

    def __str__(self) -> str:
        return f"erasure {self.pk}"

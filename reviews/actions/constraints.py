"""Names of the database's rules to domain errors, in one place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction

from memoryproject.errors import DomainError
from reviews import errors

_BY_RULE: dict[str, tuple[type[DomainError], str]] = {
    "change_request_four_eyes": (errors.FourEyes, "Someone other than the author must approve."),
    "change_request_transition_allowed": (errors.WrongState, "The request can't go into that state from where it is."),
    "change_request_title_not_empty": (errors.InvalidField, "A change request needs a title."),
    "change_item_frozen_in_review": (errors.ItemsFrozen, "The request is under review or past it: its items stand."),
    "change_item_slug_unique": (errors.SlugInUse, "Two items of the request would have the same slug."),
    "change_item_document_unique": (errors.DocumentInRequest, "The request already has an item for this article."),
    "review_comment_not_empty": (errors.InvalidField, "A comment needs a text."),
    "change_request_kind_stays": (errors.WrongState, "A request keeps its kind."),
    "npc_change_item_frozen_in_review": (
        errors.ItemsFrozen,
        "The request is under review: its items stand.",
    ),
    "npc_change_item_npc_unique": (errors.DocumentInRequest, "The request already has an item for this NPC."),
    "npc_persona_four_eyes": (errors.FourEyes, "Someone other than the author must approve."),
    "golden_change_four_eyes": (errors.FourEyes, "Someone other than the author must approve."),
    "golden_change_one_open": (errors.GoldenChangePending, "A change of this query waits for a second person already."),
    "golden_change_has_reason": (errors.ReasonRequired, "Say why."),
    "golden_query_guarded": (errors.FourEyes, "The query can close a gate: a second person must agree."),
    "golden_query_changed_with_reason": (errors.ReasonRequired, "A golden query is changed with a reason."),
    "sample_label_one_live": (errors.SampleLabelled, "You have labelled this item already."),
    "sample_label_not_of_gone": (errors.SampleGone, "Its words were forgotten meanwhile: there is nothing to label."),
    "sample_label_fits_kind": (errors.InvalidField, "This verdict is not one for such an item."),
    "sample_label_says_what_was_missed": (errors.InvalidField, "Mark the message that states what is missing."),
    "sample_label_message_of_run": (errors.InvalidField, "The marked message is not one of the item."),
    "golden_query_key_unique": (errors.InvalidField, "Another golden query of this domain has that id."),
}


@contextmanager
def atomic_action() -> Iterator[None]:
    """A transaction whose refusals by constraint or trigger come out as domain errors."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        name = find_rule_name(error)
        known = _BY_RULE.get(name)
        if known is not None:
            kind, detail = known
            raise kind(detail) from error
        if name.startswith(("change_", "review_", "golden_", "npc_", "sample_")):
            raise errors.RuleBroken(f"The database refused it by its rule {name}.", constraint=name) from error
        raise


def find_rule_name(error: IntegrityError) -> str:
    """The constraint's or the trigger's name, empty if the error bears none."""
    diagnosis = getattr(error.__cause__, "diag", None)
    if diagnosis is None:
        return ""
    return str(diagnosis.constraint_name or diagnosis.message_primary or "")

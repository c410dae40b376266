"""Lorebooks into canon: always as change requests, never live at once."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction

from knowledge.canon.actions.domain_indexes import ensure_domain_index
from knowledge.lorebooks.files import LoreFile
from reviews.actions.locks import get_domain_index
from reviews.change_requests.actions.bulk import create_change_requests_from_articles
from reviews.change_requests.actions.review import submit_change_request
from reviews.core.actor import Actor
from reviews.core.permissions import require
from reviews.lorebooks.core.articles import ImportDefaults
from reviews.lorebooks.plans import EntryOutcome, LorebookImport, plan_import


def import_lorebook(
    *,
    actor: Actor,
    world_id: int,
    domain: str,
    file: LoreFile,
    title: str = "",
    description: str = "",
    defaults: ImportDefaults | None = None,
    with_disabled: bool = False,
    book_name: str = "",
    is_draft: bool = False,
) -> LorebookImport:
    """The book's entries as change requests, in review unless they are to stay drafts; none where nothing changes.

    Locks the domain index: of two imports of one book the second finds what the first proposed. Raises InvalidArticle,
    UnknownDomain, UnknownDomainIndex, and what the actions of a draft raise; then nothing is written.
    """
    require(actor, "create")
    with transaction.atomic():
        index = ensure_domain_index(world_id=world_id, domain=domain)
        get_domain_index(actor, index.pk, lock=True)
        plan = plan_import(index, file, defaults=defaults, with_disabled=with_disabled, book_name=book_name)
        articles = [
            each.article
            for each in plan.entries
            if each.article is not None and each.outcome in {EntryOutcome.CREATED, EntryOutcome.UPDATED}
        ]
        if not articles:
            return plan
        counts = create_change_requests_from_articles(
            actor=actor,
            domain_index_id=index.pk,
            articles=articles,
            title=title or f"Import of {book_name or file.book.name or 'a lorebook'}"[:200],
            description=description,
        )
        if not is_draft:
            for request_id in counts.change_request_ids:
                submit_change_request(actor=actor, change_request_id=request_id)
    return replace(plan, change_request_ids=tuple(counts.change_request_ids))

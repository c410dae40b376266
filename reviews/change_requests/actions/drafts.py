"""Writing a change request: create it, put items into it, describe it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from knowledge.canon.core.article import Article, parse_article
from knowledge.canon.models import Publication
from knowledge.canon.selectors.revisions import keep_origin
from reviews import errors
from reviews.actions.constraints import atomic_action
from reviews.actions.locks import get_domain_index, lock_change_request
from reviews.audit.actions import describe_request, write_audit
from reviews.change_requests.actions.transitions import require_author, require_state
from reviews.change_requests.models.changes import EDITABLE_STATES
from reviews.change_requests.selectors.items import get_item_version
from reviews.core.actor import Actor
from reviews.core.permissions import require
from reviews.models import ChangeItem, ChangeKind, ChangeRequest, ChangeState, Operation
from reviews.releases.selectors.live import find_live_by_document, find_live_by_slug

MAX_TITLE_LENGTH = 200
MAX_DESCRIPTION_LENGTH = 20_000


def create_change_request(
    *,
    actor: Actor,
    domain_index_id: int,
    title: str,
    description: str = "",
    due_on: date | None = None,
    kind: ChangeKind = ChangeKind.CANON,
) -> ChangeRequest:
    """A new draft without items, written by a person or by a key."""
    require(actor, "create")
    title, description = check_title(title), check_description(description)
    with atomic_action():
        index = get_domain_index(actor, domain_index_id)
        request = ChangeRequest.objects.create(
            tenant_id=index.tenant_id,
            domain_index=index,
            title=title,
            description=description,
            due_on=due_on,
            kind=kind,
            author_id=actor.user_id,
            author_key_id=actor.key_id,
        )
        created = describe_request(request, "created", after=ChangeState.DRAFT, domain_index=index.pk)
        write_audit([created], actor=actor, tenant_id=index.tenant_id)
    return request


def update_details(
    *,
    actor: Actor,
    change_request_id: int,
    title: str,
    description: str = "",
    due_on: date | None = None,
    expected_version: str | None = None,
) -> ChangeRequest:
    """The draft with a new title, description and due date. Locks the request.

    ``expected_version`` is `get_details_version` of what the writer has seen. Raises DetailsChanged.
    """
    require(actor, "edit")
    title, description = check_title(title), check_description(description)
    with atomic_action():
        request = lock_draft(actor, change_request_id)
        if expected_version not in (None, get_details_version(request)):
            raise errors.DetailsChanged("Title, description or due date were changed meanwhile.")
        before = {"title": request.title, "description": request.description, "due_on": str(request.due_on or "")}
        request.title, request.description, request.due_on = title, description, due_on
        request.save(update_fields=["title", "description", "due_on", "updated_at"])
        after = {"title": title, "description": description, "due_on": str(due_on or "")}
        changed = {name: [before[name], after[name]] for name in before if before[name] != after[name]}
        if changed:
            entry = describe_request(
                request, "details_changed", before=request.state, after=request.state, changed=changed
            )
            write_audit([entry], actor=actor, tenant_id=request.tenant_id)
    return request


def get_details_version(request: ChangeRequest) -> str:
    """The version of a request's title, description and due date, as forms carry it."""
    said = "\x00".join([request.title, request.description, str(request.due_on or "")])
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def save_item(
    *,
    actor: Actor,
    change_request_id: int,
    content: Mapping[str, Any] | None,
    document_id: int | None = None,
    item_id: int | None = None,
    expected_item_version: str | None = None,
) -> ChangeItem:
    """What the request does to one article, kept as an item of it. Locks the request.

    With ``content`` and no ``document_id`` the article is created; with both it is updated; with a ``document_id``
    alone it is retired. ``item_id`` names an item to overwrite, which keeps its document and its base. An update or
    retirement is pinned to the document's live revision; ``expected_item_version`` is that of the item as the writer
    has seen it. Raises ItemChanged, InvalidArticle, SlugInUse, DocumentInRequest,
    DocumentNotLive, NothingToChange, ItemsFrozen, UnknownItem.
    """
    require(actor, "edit")
    if content is None and document_id is None and item_id is None:
        raise errors.InvalidField("An item needs an article, or a document to retire.", field="content")
    article = None if content is None else parse_article(content)
    with atomic_action():
        request = lock_draft(actor, change_request_id)
        existing = None if item_id is None else _get_item(request, item_id)
        if existing is not None and expected_item_version not in (None, get_item_version(existing)):
            raise errors.ItemChanged("The item was saved by someone else, or in another window.", item=existing.pk)
        if existing is not None:
            item = _overwrite(existing, article)
        else:
            item = _build(request, article, document_id)
            _check_not_in_request(request, item)
        _check_slug_in_request(request, item)
        before = "" if existing is None else item.operation
        item.save()
        touch(request)
        entry = describe_request(
            request,
            "item_saved",
            before=before,
            after=item.operation,
            item=item.pk,
            slug=item.slug,
            document=item.document_id,
        )
        write_audit([entry], actor=actor, tenant_id=request.tenant_id)
    return item


def remove_item(*, actor: Actor, change_request_id: int, item_id: int) -> None:
    """Take an item out of a draft. Locks the request."""
    require(actor, "edit")
    with atomic_action():
        request = lock_draft(actor, change_request_id)
        item = _get_item(request, item_id)
        entry = describe_request(
            request,
            "item_removed",
            before=item.operation,
            item=item.pk,
            slug=item.slug,
            document=item.document_id,
        )
        item.delete()
        touch(request)
        write_audit([entry], actor=actor, tenant_id=request.tenant_id)


def lock_draft(actor: Actor, change_request_id: int) -> ChangeRequest:
    """The request, row-locked, if the actor wrote it and it may be edited. Raises NotYourRequest, ItemsFrozen."""
    request = lock_change_request(actor, change_request_id)
    require_author(actor, request)
    if request.state not in EDITABLE_STATES:
        raise errors.ItemsFrozen(
            f"The request is {ChangeState(request.state).label.lower()}: it can't be edited.", state=request.state
        )
    return request


def touch(request: ChangeRequest) -> None:
    """Note on a locked request that its contents changed just now."""
    require_state(request, *EDITABLE_STATES)
    request.save(update_fields=["updated_at"])


def make_item(request: ChangeRequest, article: Article) -> ChangeItem:
    """An unsaved item that creates an article."""
    return ChangeItem(
        tenant_id=request.tenant_id,
        change_request=request,
        operation=Operation.CREATE,
        slug=article.slug,
        content=article.as_content(),
    )


def make_live_item(request: ChangeRequest, live: Publication, article: Article | None) -> ChangeItem:
    """An unsaved item that updates a live article, or retires it when `article` is None."""
    if article is not None:
        article = keep_origin(article, live.revision)
    return ChangeItem(
        tenant_id=request.tenant_id,
        change_request=request,
        operation=Operation.RETIRE if article is None else Operation.UPDATE,
        document_id=live.document_id,
        base_revision_id=live.revision_id,
        slug=live.slug if article is None else article.slug,
        content={} if article is None else article.as_content(),
    )


def check_title(title: str) -> str:
    """The title, trimmed. Raises InvalidField."""
    title = check_text(title, field="title", most=MAX_TITLE_LENGTH)
    if not title:
        raise errors.InvalidField("A change request needs a title.", field="title")
    return title


def check_description(description: str) -> str:
    """The description, trimmed. Raises InvalidField."""
    return check_text(description, field="description", most=MAX_DESCRIPTION_LENGTH)


def check_text(text: str, *, field: str, most: int) -> str:
    """The text, trimmed, if it can be stored. Raises InvalidField."""
    text = text.strip()
    if len(text) > most:
        raise errors.InvalidField(f"The {field} has {len(text)} characters; the most is {most}.", field=field)
    if "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise errors.InvalidField(f"The {field} holds a character that can't be stored.", field=field)
    return text


def _build(request: ChangeRequest, article: Article | None, document_id: int | None) -> ChangeItem:
    if document_id is not None:
        live = find_live_by_document(request.domain_index_id, [document_id]).get(document_id)
        if live is None:
            raise errors.DocumentNotLive(f"Document {document_id} is not live in this domain.", document=document_id)
        item = make_live_item(request, live, article)
        _check_changes_something(live, article)
        return item
    if article is None:
        raise errors.InvalidField("An item needs an article, or a document to retire.", field="content")
    _check_slug_is_free(request, article.slug)
    return make_item(request, article)


def _overwrite(item: ChangeItem, article: Article | None) -> ChangeItem:
    """The item with new content. Its document and its base stand; only `rebase_item` moves the base."""
    if item.operation == Operation.CREATE:
        if article is None:
            raise errors.InvalidField(
                "The article is not live: remove the item instead of retiring it.", field="content"
            )
        if article.slug != item.slug:
            _check_slug_is_free(item.change_request, article.slug)
        item.slug, item.content = article.slug, article.as_content()
    elif article is None:
        slug = item.base_revision.slug if item.base_revision else item.slug
        item.operation, item.slug, item.content = Operation.RETIRE, slug, {}
    else:
        origin = item.content.get("lorebook_origin")
        if origin and not article.lorebook_origin:
            article = replace(article, lorebook_origin=origin)
        item.operation, item.slug, item.content = Operation.UPDATE, article.slug, article.as_content()
    return item


def _check_changes_something(live: Publication, article: Article | None) -> None:
    if article is not None and keep_origin(article, live.revision).content_hash() == bytes(live.revision.content_hash):
        raise errors.NothingToChange(f"The article {live.slug!r} says that already.", slug=live.slug)


def _check_slug_is_free(request: ChangeRequest, slug: str) -> None:
    """A new article's slug may be one that the same request takes from its present holder."""
    holder = find_live_by_slug(request.domain_index_id, [slug]).get(slug)
    if holder is None:
        return
    mine = request.items.filter(document_id=holder.document_id).first()
    if mine is None or (mine.operation == Operation.UPDATE and mine.slug == slug):
        raise errors.SlugInUse(f"The slug {slug!r} is taken by a live article.", slugs=[slug])


def _check_not_in_request(request: ChangeRequest, item: ChangeItem) -> None:
    if item.document_id is not None and request.items.filter(document_id=item.document_id).exists():
        raise errors.DocumentInRequest(
            f"The request already has an item for {item.slug!r}.", slug=item.slug, document=item.document_id
        )


def _check_slug_in_request(request: ChangeRequest, item: ChangeItem) -> None:
    if item.operation == Operation.RETIRE:
        return
    others = request.items.exclude(pk=item.pk).exclude(operation=Operation.RETIRE)
    if others.filter(slug=item.slug).exists():
        raise errors.SlugInUse(f"Another item of the request has the slug {item.slug!r}.", slugs=[item.slug])


def _get_item(request: ChangeRequest, item_id: int) -> ChangeItem:
    item = request.items.select_related("base_revision").filter(pk=item_id).first()
    if item is None:
        raise errors.UnknownItem(f"Request {request.pk} has no item {item_id}.")
    item.change_request = request
    return item

"""Something to see on the editors' home of a fresh demo: a request that waits for review, and a golden run."""

from __future__ import annotations

from dataclasses import replace

from django.contrib.auth import get_user_model

from knowledge.canon.models import DomainIndex
from knowledge.canon.selectors.revisions import read_article
from reviews.actions.drafts import create_change_request, save_item
from reviews.actions.gate import run_golden
from reviews.actions.review import submit_change_request
from reviews.core.actor import SYSTEM
from reviews.models import ChangeRequest, GoldenRun
from reviews.selectors.actors import actor_of_user
from reviews.selectors.live import find_live_by_slug
from tenancy.models import Role, World

SLUG = "moon-bridge"
TITLE = "The Moon Bridge: what the ferrymen say"
DESCRIPTION = "A line of colour for game masters. No fact changes."
ADDITION = (
    "\n\nFerrymen pass under it with their hats off. Asked why, they say that the bridge counts heads, and that it is "
    "better to be easy to count."
)


def ensure_activity(world: World) -> None:
    """Each domain has had a golden run, and lore a change request in review by the editor; done once."""
    for index in DomainIndex.objects.filter(world=world).order_by("domain"):
        if not GoldenRun.objects.filter(domain_index=index).exists():
            run_golden(actor=SYSTEM, domain_index_id=index.pk)
    if not ChangeRequest.objects.filter(domain_index__world=world).exists():
        propose_edit(DomainIndex.objects.get(world=world, domain="lore"))


def propose_edit(index: DomainIndex) -> ChangeRequest:
    """A request by the demo's editor that adds a paragraph to one article, waiting for the reviewer."""
    editor = actor_of_user(get_user_model().objects.get(username=Role.EDITOR.value), index.tenant_id)
    live = find_live_by_slug(index.pk, [SLUG])[SLUG]
    article = read_article(live.revision)
    request = create_change_request(actor=editor, domain_index_id=index.pk, title=TITLE, description=DESCRIPTION)
    save_item(
        actor=editor,
        change_request_id=request.pk,
        content=replace(article, body=article.body + ADDITION).as_content(),
        document_id=live.document_id,
    )
    return submit_change_request(actor=editor, change_request_id=request.pk)

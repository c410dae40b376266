"""Something to see on the editors' pages of a fresh demo: requests in two states, golden runs, a pack that is off."""

from __future__ import annotations

from dataclasses import replace

from django.contrib.auth import get_user_model

from factcheck.models import PackSwitchedOff, PatternPack
from knowledge.canon.models import DomainIndex
from knowledge.canon.selectors.revisions import read_article
from reviews.change_requests.actions.drafts import create_change_request, save_item
from reviews.change_requests.actions.review import submit_change_request
from reviews.core.actor import SYSTEM, Actor
from reviews.golden.actions.changes import change_golden_query
from reviews.golden.actions.gate import run_golden
from reviews.models import ChangeRequest, GoldenChange, GoldenQuery, GoldenRun
from reviews.releases.selectors.live import find_live_by_slug
from reviews.selectors.actors import actor_of_user
from tenancy.models import Role, World

DRAFT_SLUG = "salt-gate"
DRAFT_TITLE = "باب الملح: الميزان السابع"
DRAFT_ADDITION = "\n\nويقول الحمّالون إن الميزان السابع لا يبطئ إلا لمن عنده خبر."
OWN_PATTERN_SET = "selmar-house"
OWN_PATTERN_SET_DESCRIPTION = (
    "A studio's own pack, still without patterns. It is switched off for the Demo studio, as an example: patterns can "
    "be written in it and tried before any message of a player is read by them."
)
GOLDEN_REASON = "Players ask this beside other things: ten places are near enough."
SLUG = "moon-bridge"
TITLE = "The Moon Bridge: what the ferrymen say"
DESCRIPTION = "A line of colour for game masters. No fact changes."
ADDITION = (
    "\n\nFerrymen pass under it with their hats off. Asked why, they say that the bridge counts heads, and that it is "
    "better to be easy to count."
)


def ensure_activity(world: World) -> None:
    """Each domain has had a golden run, lore a request in review and a draft by the editor, packs one that is off."""
    for index in DomainIndex.objects.filter(world=world).order_by("domain"):
        if not GoldenRun.objects.filter(domain_index=index).exists():
            run_golden(actor=SYSTEM, domain_index_id=index.pk)
    if not ChangeRequest.objects.filter(domain_index__world=world).exists():
        lore = DomainIndex.objects.get(world=world, domain="lore")
        request = propose_edit(lore, SLUG, title=TITLE, description=DESCRIPTION, addition=ADDITION)
        submit_change_request(actor=get_editor(lore), change_request_id=request.pk)
        propose_edit(lore, DRAFT_SLUG, title=DRAFT_TITLE, description="", addition=DRAFT_ADDITION)
    if not GoldenChange.objects.filter(domain_index__world=world).exists():
        propose_golden_edit(DomainIndex.objects.get(world=world, domain="lore"))
    pattern_set, is_new = PatternPack.objects.get_or_create(
        name=OWN_PATTERN_SET, defaults={"description": OWN_PATTERN_SET_DESCRIPTION}
    )
    if is_new:
        PackSwitchedOff.objects.create(tenant_id=world.tenant_id, pack=pattern_set)


def propose_golden_edit(index: DomainIndex) -> None:
    """A change of a query that can close a gate, by the editor: it waits for a second person."""
    query = GoldenQuery.objects.filter(domain_index=index, active=True).exclude(must_hit=[]).order_by("key")[0]
    change_golden_query(actor=get_editor(index), query_id=query.pk, columns={"k": query.k + 2}, reason=GOLDEN_REASON)


def get_editor(index: DomainIndex) -> Actor:
    """The demo's editor."""
    return actor_of_user(get_user_model().objects.get(username=Role.EDITOR.value), index.tenant_id)


def propose_edit(index: DomainIndex, slug: str, *, title: str, description: str, addition: str) -> ChangeRequest:
    """A draft by the demo's editor that adds a paragraph to one article."""
    editor = get_editor(index)
    live = find_live_by_slug(index.pk, [slug])[slug]
    article = read_article(live.revision)
    request = create_change_request(actor=editor, domain_index_id=index.pk, title=title, description=description)
    save_item(
        actor=editor,
        change_request_id=request.pk,
        content=replace(article, body=article.body + addition).as_content(),
        document_id=live.document_id,
    )
    return request

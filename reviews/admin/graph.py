"""The world as a graph, its entities, and what people decide about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect, JsonResponse
from django.urls import reverse

from knowledge.canon.models import Release
from knowledge.canon.selectors.releases import READABLE_STATES, resolve_release
from knowledge.errors import UnknownAlias, UnknownDomain, UnknownRelease
from knowledge.graph.actions import merges
from knowledge.graph.core.owners import PLAY, GraphOwner, find_play_owners
from knowledge.graph.core.views import EntitySummary, GraphReader, RelationView
from knowledge.graph.errors import EntityUnknown
from knowledge.graph.models import GraphMergeProposal, GraphName, GraphNotSame, NameSource, ProposalState
from knowledge.graph.models.guards import OwnerKind
from knowledge.graph.selectors.entities import find_entities
from knowledge.graph.selectors.neighbourhood import get_neighbourhood
from knowledge.graph.selectors.overview import get_overview
from knowledge.graph.selectors.readers import make_reader, make_world_reader
from memoryproject.admin.flash import flash_outcome
from memoryproject.admin.pages import show_page
from memoryproject.errors import NotFoundError
from reviews.admin.common import find_documents_by_slug, get_actor, list_allowed
from reviews.core.permissions import require
from tenancy.admin.access import filter_by_tenants, get_or_404, has_role, may_see_players
from tenancy.core.audit_log import Decider
from tenancy.models import Role, World

LORE = "lore"
VERBS: dict[str, tuple[str, Callable[[merges.Decision, dict[str, str]], Any], str]] = {
    "accept": ("merge_entities", lambda why, sent: merges.accept_merge(why, _number(sent, "proposal")), "Merged."),
    "refuse": (
        "merge_entities",
        lambda why, sent: merges.refuse_merge(why, _number(sent, "proposal")),
        "Refused; the two are kept apart.",
    ),
    "undo": ("merge_entities", lambda why, sent: merges.undo_merge(why, _number(sent, "proposal")), "Undone."),
    "propose": (
        "edit_graph",
        lambda why, sent: merges.propose_merge(why, _number(sent, "first"), _number(sent, "second")),
        "Proposed: a reviewer decides.",
    ),
    "apart": (
        "edit_graph",
        lambda why, sent: merges.keep_apart(why, _number(sent, "first"), _number(sent, "second")),
        "Kept apart.",
    ),
    "together": ("merge_entities", lambda why, sent: merges.withdraw_pair(why, _number(sent, "pair")), "Withdrawn."),
    "add-alias": (
        "edit_graph",
        lambda why, sent: merges.add_alias(why, _number(sent, "entity"), sent.get("text", "")),
        "The name is there.",
    ),
    "end-alias": ("edit_graph", lambda why, sent: merges.end_alias(why, _number(sent, "name")), "The name has ended."),
}
"""Verb to the permission that it takes, what it does, and what is said then."""


def graph_home_view(request: HttpRequest) -> HttpResponse:
    """On to the person's first world; or a page that says that there is none."""
    world = filter_by_tenants(World.objects.all(), request.user).order_by("name", "pk").first()
    if world is None:
        return show_page(request, "graph.html", "Graph", world=None)
    return HttpResponseRedirect(reverse("admin:graph", args=[world.pk]))


def graph_view(request: HttpRequest, world_id: int) -> HttpResponse:
    """A world as a graph and as a table, in one release."""
    world = _get_world(request, world_id)
    numbers = list(
        Release.objects.filter(domain_index__world=world, domain_index__domain=LORE, state__in=READABLE_STATES)
        .order_by("number")
        .values_list("number", flat=True)
    )
    reader, number = _make_reader(request, world)
    overview = get_overview(reader) if reader else None
    entities = {each.entity_id: each for each in overview.entities} if overview else {}
    return show_page(
        request,
        "graph.html",
        f"Graph of {world.name}",
        world=world,
        worlds=list(filter_by_tenants(World.objects.all(), request.user).order_by("name", "pk")),
        numbers=numbers,
        number=number,
        play=_read_play(request),
        may_see_play=has_role(request.user, world.tenant_id, Role.REVIEWER),
        query=_build_query(request, number),
        overview=overview,
        kinds=sorted({each.kind for each in entities.values()}),
        predicates=sorted({each.predicate for each in overview.relations}) if overview else [],
        rows=[(each, entities[each.src], entities[each.dst]) for each in overview.relations] if overview else [],
        open_proposals=GraphMergeProposal.objects.filter(world=world, state=ProposalState.OPEN).count(),
    )


def graph_data_view(request: HttpRequest, world_id: int) -> HttpResponse:
    """The same state as JSON, for the drawing."""
    world = _get_world(request, world_id)
    reader, number = _make_reader(request, world)
    if reader is None:
        return JsonResponse({"release": None, "entities": [], "relations": []})
    overview = get_overview(reader)
    return JsonResponse(
        {
            "release": number,
            "total": overview.total,
            "entities": [_show_entity(world, each, _build_query(request, number)) for each in overview.entities],
            "relations": [_show_relation(each) for each in overview.relations],
        }
    )


def graph_entity_view(request: HttpRequest, world_id: int, entity_id: int) -> HttpResponse:
    """An entity: its names, its relations with their evidence, and whom it is not."""
    world = _get_world(request, world_id)
    reader, number = _make_reader(request, world)
    if reader is None:
        raise Http404("There is nothing here.")
    try:
        near = get_neighbourhood(reader, entity_id)
    except EntityUnknown:
        raise Http404("There is nothing here.") from None
    root = near.entity.entity_id
    names = {each.entity_id: each for each in (near.entity, *near.entities)}
    index_id = dict(reader.releases)
    slugs = {each.slug for each in names.values() if each.slug}
    documents = {slug: id_ for index in index_id for slug, id_ in find_documents_by_slug(index, slugs).items()}
    query = request.GET.get("q", "").strip()
    return show_page(
        request,
        "graph_entity.html",
        near.entity.name,
        world=world,
        number=number,
        play=_read_play(request),
        state=_build_query(request, number),
        entity=near.entity,
        document_id=documents.get(near.entity.slug),
        rows=[(each, names[each.src], names[each.dst]) for each in near.relations],
        aliases=GraphName.objects.filter(entity_id=root, source_kind=NameSource.EDITOR, ended_at__isnull=True),
        pairs=_list_pairs(world, root),
        query=query,
        others=[each for each in find_entities(reader, query) if each.entity_id != root] if query else [],
        may=list_allowed(get_actor(request, world.tenant_id), ("edit_graph", "merge_entities")),
    )


def graph_merges_view(request: HttpRequest, world_id: int) -> HttpResponse:
    """Proposals to merge, the open ones first, and pairs that are kept apart."""
    world = _get_world(request, world_id)
    rows = GraphMergeProposal.objects.filter(world=world)
    if not may_see_players(request):
        rows = rows.filter(owner_kind=OwnerKind.CANON)
    pairs = GraphNotSame.objects.filter(world=world, withdrawn_at__isnull=True).order_by("-pk")[:100]
    return show_page(
        request,
        "graph_merges.html",
        f"Merges in {world.name}",
        world=world,
        open_rows=rows.filter(state=ProposalState.OPEN).order_by("-similarity", "pk")[:100],
        decided_rows=rows.exclude(state=ProposalState.OPEN).order_by("-decided_at")[:50],
        pairs=pairs.select_related("first", "second"),
        may=list_allowed(get_actor(request, world.tenant_id), ("edit_graph", "merge_entities")),
    )


def graph_action_view(request: HttpRequest, world_id: int, verb: str) -> HttpResponse:
    """One decision, with its reason; back to the page that it came from."""
    world = _get_world(request, world_id)
    if verb not in VERBS:
        raise Http404("There is nothing here.")
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    permission, perform, done = VERBS[verb]
    actor = get_actor(request, world.tenant_id)
    sent = {name: str(value) for name, value in request.POST.items()}

    def run() -> str:
        require(actor, permission)
        decider = Decider("user", actor.id or 0, actor.label)
        perform(merges.Decision(world.tenant_id, world.pk, decider, sent.get("reason", "")), sent)
        return done

    flash_outcome(request, run)
    entity = sent.get("back", "")
    if entity.isdecimal() and len(entity) < 19:
        return HttpResponseRedirect(reverse("admin:graph_entity", args=[world.pk, int(entity)]))
    return HttpResponseRedirect(reverse("admin:graph_merges", args=[world.pk]))


def _get_world(request: HttpRequest, world_id: int) -> World:
    world: World = get_or_404(World.objects.select_related("tenant"), request.user, pk=world_id)
    return world


def _make_reader(request: HttpRequest, world: World) -> tuple[GraphReader | None, int | None]:
    """All of canon in the release that `?release=` names, else in `latest`, and the play that `?conversation_id=` and
    `?campaign_id=` name, for who may see players; None where there is neither."""
    wanted = request.GET.get("release", "")
    number = int(wanted) if wanted.isdecimal() and len(wanted) < 10 else None
    owners = _find_play(request, world)
    try:
        release = resolve_release(world_id=world.pk, domain=LORE, release=number)
    except (UnknownDomain, UnknownAlias):
        if not owners:
            return None, None
        return make_world_reader(world.tenant_id, world.pk, audience=None, owners=owners), None
    except UnknownRelease:
        raise Http404("There is nothing here.") from None
    return make_reader(release, audience=None, owners=owners), release.number


def _read_play(request: HttpRequest) -> dict[str, str]:
    """The conversation and the campaign that the address names."""
    return {name: value for name, _ in PLAY if (value := request.GET.get(name, "").strip())}


def _find_play(request: HttpRequest, world: World) -> list[GraphOwner]:
    """Whose play is shown beside canon. Raises Http404 for what is not there, and for who may not see players."""
    named = _read_play(request)
    if not named:
        return []
    number = named.get("conversation_id", "0")
    if not has_role(request.user, world.tenant_id, Role.REVIEWER) or not number.isdecimal() or len(number) > 18:
        raise Http404("There is nothing here.")
    try:
        return find_play_owners(named, tenant_id=world.tenant_id, world_id=world.pk)
    except NotFoundError:
        raise Http404("There is nothing here.") from None


def _list_pairs(world: World, entity_id: int) -> list[tuple[GraphNotSame, int]]:
    rows = GraphNotSame.objects.filter(world=world, withdrawn_at__isnull=True)
    found = rows.filter(first_id=entity_id) | rows.filter(second_id=entity_id)
    return [(each, each.second_id if each.first_id == entity_id else each.first_id) for each in found[:50]]


def _build_query(request: HttpRequest, number: int | None) -> str:
    """What an address takes along so that the same state is shown there."""
    release = {} if number is None else {"release": str(number)}
    return urlencode({**release, **_read_play(request)})


def _show_entity(world: World, entity: EntitySummary, query: str) -> dict[str, Any]:
    return {
        "id": entity.entity_id,
        "name": entity.name,
        "kind": entity.kind,
        "names": [name.text for name in entity.names],
        "url": f"{reverse('admin:graph_entity', args=[world.pk, entity.entity_id])}?{query}",
    }


def _show_relation(relation: RelationView) -> dict[str, Any]:
    return {
        "id": relation.relation_id,
        "from": relation.src,
        "to": relation.dst,
        "predicate": relation.predicate,
        "text": relation.span,
        "source": relation.source_kind,
    }


def _number(sent: dict[str, str], name: str) -> int:
    value = sent.get(name, "")
    return int(value) if value.isdecimal() and len(value) < 19 else 0

"""Names and relations that articles state, written with each release like passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from django.db import connection, transaction

from knowledge.canon.core.article import Article
from knowledge.canon.core.slugs import is_slug
from knowledge.canon.models import DomainIndex, Publication, Release
from knowledge.canon.selectors.revisions import read_article
from knowledge.graph.actions.erasure import erasing
from knowledge.graph.core.canon import NameDraft, RelationDraft, list_article_names, list_article_relations
from knowledge.graph.core.kinds import UNKNOWN, canonical_kind
from knowledge.graph.models import GraphEntity, GraphName, GraphRelation, NameSource, RelationSource
from knowledge.graph.models.guards import OwnerKind
from knowledge.search.sql import read_query

SQL = Path(__file__).parent.parent / "sql"
WRITE_BATCH_SIZE = 2000
REBUILD_BATCH_SIZE = 500


class GraphRows:
    """The graph's part in the build of a release."""

    tables: tuple[str, ...] = ("knowledge_graphname", "knowledge_graphrelation")

    def write(self, release: Release, publications: Sequence[Publication]) -> None:
        """Write what the articles state, live from this release on."""
        write_publications(release.tenant_id, release.domain_index.world_id, publications)

    def restore_statements(self) -> tuple[str, ...]:
        """Copies of names and relations that releases rolled back had closed."""
        return (read_query(SQL / "restore_names.sql"), read_query(SQL / "restore_relations.sql"))

    def settle(self, domain_index_id: int, number: int) -> None:
        """Entities of translations stand for the entity of the article that they translate."""
        parameters = {"domain_index_id": domain_index_id, "number": number}
        with connection.cursor() as cursor:
            cursor.execute(read_query(SQL / "part_translations.sql"), parameters)
            cursor.execute(read_query(SQL / "join_translations.sql"), parameters)

    def rebuild(self, domain_index_id: int) -> int:
        """Names and relations of all releases, derived from publications."""
        return rebuild_canon_graph(domain_index_id)


GRAPH_ROWS = GraphRows()


def rebuild_canon_graph(domain_index_id: int) -> int:
    """Derive a domain's part of the graph anew from its publications, for all releases; how many rows were written.

    For domains that were loaded before the graph was, and after a restore from a backup. One transaction; the builder
    of a release waits for it. Locks the domain index. Raises UnknownDomain.
    """
    from knowledge.canon.actions.locks import lock_domain_index
    from knowledge.canon.actions.start import find_live_release

    written = 0
    with transaction.atomic():
        index: DomainIndex = lock_domain_index(domain_index_id)
        with erasing():
            for model in (GraphName, GraphRelation):
                model.objects.filter(domain_index_id=index.pk).delete()
        rows = Publication.objects.filter(domain_index=index).select_related("revision").order_by("pk")
        batch: list[Publication] = []
        for publication in rows.iterator(chunk_size=REBUILD_BATCH_SIZE):
            batch.append(publication)
            if len(batch) == REBUILD_BATCH_SIZE:
                written += write_publications(index.tenant_id, index.world_id, batch)
                batch = []
        written += write_publications(index.tenant_id, index.world_id, batch)
        live = find_live_release(index.pk)
        GRAPH_ROWS.settle(index.pk, live.number if live else 0)
    return written


def write_publications(tenant_id: int, world_id: int, publications: Sequence[Publication]) -> int:
    """How many names and relations were written, each for the releases of the publication that states it."""
    stated = [(each, read_article(each.revision)) for each in publications]
    names = [(publication, article, list_article_names(article)) for publication, article in stated]
    relations = [(publication, list_article_relations(article)) for publication, article in stated]
    kinds = _list_kinds([article for _, article in stated], [drafts for _, drafts in relations])
    entities = ensure_entities(tenant_id, world_id, kinds)
    name_rows = [
        _make_name(publication, world_id, entities[article.slug], draft)
        for publication, article, drafts in names
        for draft in drafts
    ]
    relation_rows = [
        _make_relation(publication, world_id, entities, draft) for publication, drafts in relations for draft in drafts
    ]
    GraphName.objects.bulk_create(name_rows, batch_size=WRITE_BATCH_SIZE)
    GraphRelation.objects.bulk_create(relation_rows, batch_size=WRITE_BATCH_SIZE)
    return len(name_rows) + len(relation_rows)


def ensure_entities(tenant_id: int, world_id: int, kinds: Mapping[str, str]) -> dict[str, int]:
    """Slug to the entity's id; what is not known is made with the kind given. Inserts in the order of slugs."""
    rows = GraphEntity.objects.filter(tenant_id=tenant_id, world_id=world_id, slug__in=list(kinds))
    known = dict(rows.values_list("slug", "id"))
    missing = sorted(set(kinds) - set(known))
    if missing:
        GraphEntity.objects.bulk_create(
            [
                GraphEntity(
                    tenant_id=tenant_id, world_id=world_id, owner_kind=OwnerKind.CANON, slug=slug, kind=kinds[slug]
                )
                for slug in missing
            ],
            ignore_conflicts=True,
            batch_size=WRITE_BATCH_SIZE,
        )
        known = dict(rows.values_list("slug", "id"))
    return known


def _list_kinds(articles: Sequence[Article], relations: Sequence[Sequence[RelationDraft]]) -> dict[str, str]:
    kinds = {slug: UNKNOWN for drafts in relations for draft in drafts for slug in (draft.src, draft.dst)}
    kinds |= {article.translation_of: UNKNOWN for article in articles if is_slug(article.translation_of)}
    return kinds | {article.slug: canonical_kind(article.type) for article in articles}


def _make_name(publication: Publication, world_id: int, entity_id: int, draft: NameDraft) -> GraphName:
    return GraphName(
        tenant_id=publication.tenant_id,
        world_id=world_id,
        entity_id=entity_id,
        owner_kind=OwnerKind.CANON,
        source_kind=NameSource.CANON,
        source_id=publication.revision_id,
        text=draft.text,
        key=draft.key,
        latin=draft.latin,
        grams=list(draft.grams),
        kind=draft.kind,
        language=draft.language,
        is_title=draft.is_title,
        audience=publication.audience,
        domain_index_id=publication.domain_index_id,
        document_id=publication.document_id,
        added_in=publication.added_in,
        removed_in=publication.removed_in,
    )


def _make_relation(
    publication: Publication, world_id: int, entities: Mapping[str, int], draft: RelationDraft
) -> GraphRelation:
    return GraphRelation(
        tenant_id=publication.tenant_id,
        world_id=world_id,
        owner_kind=OwnerKind.CANON,
        src_id=entities[draft.src],
        predicate=draft.predicate,
        dst_id=entities[draft.dst],
        stated_as=draft.stated_as,
        audience=publication.audience,
        source_kind=RelationSource.CANON,
        source_id=publication.revision_id,
        source_field=draft.field,
        span=draft.span,
        domain_index_id=publication.domain_index_id,
        document_id=publication.document_id,
        added_in=publication.added_in,
        removed_in=publication.removed_in,
    )

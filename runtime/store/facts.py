"""What is known of a player, as items of the store that nobody writes: `("m37", "facts", user)`."""

from __future__ import annotations

from collections.abc import Sequence

from episodes.facts.selectors.worlds import FactsOfWorld, find_facts_of_world, is_met_in_world
from knowledge.facts.selectors import FactView, list_facts
from knowledge.search.core.fusion import FusedHit
from knowledge.store.actions.batches import Result
from knowledge.store.core.filters import matches
from knowledge.store.core.limits import FACTS_PREFIX, OWN_ROOT
from knowledge.store.core.ops import Get, Op, Search
from knowledge.store.models import StoreItem
from knowledge.store.selectors.search import ItemHit
from knowledge.text.analysis import analyse_document
from knowledge.text.queries import count_query_lexemes
from tenancy.core.caller import Caller
from tenancy.errors import UnknownEndUser
from tenancy.models import EndUser
from tenancy.selectors import check_scope, get_end_user

SCOPE = "read"
"""Whoever reads facts by REST needs it, so whoever reads them here does."""


def is_about_own(op: Op) -> bool:
    """Whether an operation reads what Memory37 knows by itself."""
    return isinstance(op, Get | Search) and op.namespace[:1] == (OWN_ROOT,)


def read_own(caller: Caller, op: Get | Search) -> Result:
    """What a read below `m37` finds: facts of the player whom its namespace names, else nothing.

    Facts are sealed, so filters and queries look at them once they are opened. Raises ScopeMissing, FactKeysMissing.
    """
    check_scope(caller, SCOPE)
    items = _list_items(caller, op.namespace)
    if isinstance(op, Get):
        return Result(item=next((item for item in items if item.key == op.key), None))
    found = [item for item in items if matches(item.value, op.filter or {})]
    if not op.query.strip():
        return Result(items=tuple(found[op.offset : op.offset + op.limit]))
    return Result(hits=tuple(_rank(op.query, found)[op.offset : op.offset + op.limit]))


def _list_items(caller: Caller, namespace: tuple[str, ...]) -> list[StoreItem]:
    if namespace[:2] != FACTS_PREFIX or len(namespace) != len(FACTS_PREFIX) + 1:
        return []
    user = _find_user(caller, namespace[2])
    if user is None:
        return []
    if caller.world_id is None:
        known = list_facts(tenant_id=user.tenant_id, end_user_id=user.pk)
        return [_build_item(namespace, fact) for fact in known]
    own = find_facts_of_world(tenant_id=user.tenant_id, end_user_id=user.pk, world_id=caller.world_id)
    known = list_facts(tenant_id=user.tenant_id, end_user_id=user.pk, among=own.current_ids)
    return [_build_item(namespace, fact, own) for fact in known]


def _find_user(caller: Caller, user_id: str) -> EndUser | None:
    """The player; for a key of one world, one whom that world has met."""
    try:
        user = get_end_user(tenant_id=caller.tenant_id, external_id=user_id)
    except UnknownEndUser:
        return None
    bound_id = caller.world_id
    if bound_id is None or is_met_in_world(tenant_id=user.tenant_id, end_user_id=user.pk, world_id=bound_id):
        return user
    return None


def _build_item(namespace: tuple[str, ...], fact: FactView, own: FactsOfWorld | None = None) -> StoreItem:
    seen = fact if own is None else own.trim(fact)
    value = {
        "type": seen.type,
        "key": seen.key,
        "value": seen.value,
        "confidence": seen.confidence,
        "source": seen.source,
        "language": seen.language,
        "is_disputed": seen.is_disputed,
        "evidence": list(seen.evidence),
    }
    return StoreItem(
        pk=seen.id,
        namespace=list(namespace),
        key=str(seen.id),
        value=value,
        expires_at=seen.expires_at,
        created_at=seen.valid_from,
        updated_at=seen.valid_from,
    )


def _rank(query: str, items: Sequence[StoreItem]) -> list[ItemHit]:
    """The facts by the share of the query's words that each holds, best first."""
    wanted = set(count_query_lexemes(query))
    hits = []
    for item in items:
        words = set(analyse_document(f"{item.value['type']} {item.value['key'] or ''} {item.value['value']}"))
        score = len(wanted & words) / len(wanted) if wanted else 0.0
        hits.append(ItemHit(item, score, FusedHit(item.pk, score, score, None, score, 0.0, None, None)))
    return sorted(hits, key=lambda hit: (-hit.score, hit.item.pk))

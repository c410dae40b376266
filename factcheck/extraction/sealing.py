"""Words of proposals and candidates, sealed with the keys of facts."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from factcheck.extraction.models import FactCandidate
from knowledge.facts.sealing import get_key_ring, seal_context, unseal

ANSWER, DELTA = "answer", "delta"
"""What is sealed as a JSON document: of another kind it does not open."""


def seal_document(document: Any, *, tenant_id: int, end_user_id: int, kind: str) -> tuple[bytes, int]:
    """The document as it is stored, and the number of its key. Raises FactKeysMissing."""
    ring = get_key_ring()
    text = json.dumps(document, ensure_ascii=False)
    return ring.encrypt(text, context=_context(tenant_id, end_user_id, kind)), ring.primary


def open_document(sealed: bytes, *, tenant_id: int, end_user_id: int, kind: str) -> Any:
    """The document. Raises FactKeysMissing."""
    return json.loads(unseal(get_key_ring(), sealed, context=_context(tenant_id, end_user_id, kind)))


def read_candidate(candidate: FactCandidate) -> tuple[str, str]:
    """Key and value in plain text; both empty where it is blocked. Raises FactKeysMissing."""
    if not bytes(candidate.key_sealed):
        return "", ""
    ring = get_key_ring()
    context = partial(
        seal_context, tenant_id=candidate.tenant_id, end_user_id=candidate.end_user_id, type_=candidate.type
    )
    return (
        unseal(ring, bytes(candidate.key_sealed), context=context(field="key")),
        unseal(ring, bytes(candidate.value_sealed), context=context(field="value")),
    )


def _context(tenant_id: int, end_user_id: int, kind: str) -> str:
    return seal_context(tenant_id=tenant_id, end_user_id=end_user_id, type_="extraction", field=kind)

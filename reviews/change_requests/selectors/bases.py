"""Whether an edit was made from what is live."""

from __future__ import annotations

from collections.abc import Mapping

from knowledge.canon.models import Publication
from reviews.models import ChangeItem, Operation


def is_stale(item: ChangeItem, live: Mapping[int, Publication]) -> bool:
    """Whether an item's document is no longer live as the revision that the edit was made from.

    ``live`` maps document ids to live publications, as `find_live_by_document` gives them.
    """
    if item.operation == Operation.CREATE or item.document_id is None:
        return False
    publication = live.get(item.document_id)
    return publication is None or publication.revision_id != item.base_revision_id

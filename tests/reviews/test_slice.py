"""An editor's change, from a draft to what runtime reads, and back."""

import pytest

from knowledge.canon.selectors.releases import resolve_release
from knowledge.canon.selectors.search import search_lore
from reviews.models import AuditEntry, ChangeState
from reviews.releases.actions.releases import roll_back_release
from tests.factories.canon import article
from tests.factories.change_requests import Selmar

pytestmark = pytest.mark.django_db


def find_texts(selmar: Selmar, query: str, release: int | None = None) -> list[str]:
    target = resolve_release(world_id=selmar.world.pk, domain="lore", release=release)
    return [hit.text for hit in search_lore(target, query).hits]


def test_change_goes_from_draft_to_live_and_back(selmar: Selmar):
    first, one = selmar.publish(article("bell", "The bronze bell rings at noon."))
    second, two = selmar.publish(article("bell", "The silver bell rings at dusk."))
    assert (first.state, second.state) == (ChangeState.LIVE, ChangeState.LIVE)
    assert "silver" in find_texts(selmar, "bell")[0]
    assert "bronze" in find_texts(selmar, "bell", release=one.number)[0]

    roll_back_release(actor=selmar.reviewer, domain_index_id=selmar.index.pk, to_number=one.number, reason="Wrong bell")
    second.refresh_from_db()
    first.refresh_from_db()
    assert (first.state, second.state) == (ChangeState.LIVE, ChangeState.ROLLED_BACK)
    assert "bronze" in find_texts(selmar, "bell")[0]

    roll_back_release(
        actor=selmar.reviewer, domain_index_id=selmar.index.pk, to_number=two.number, reason="It was right"
    )
    second.refresh_from_db()
    assert second.state == ChangeState.LIVE
    assert "silver" in selmar.body("bell")
    actions = list(
        AuditEntry.objects.filter(object_type="change_request", object_id=str(second.pk))
        .order_by("id")
        .values_list("action", flat=True)
    )
    assert actions == [
        f"change_request.{name}"
        for name in ("created", "item_saved", "submitted", "approved", "staged", "went_live", "rolled_back", "restored")
    ]

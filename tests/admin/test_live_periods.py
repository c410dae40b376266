"""What was live when: told by every page after a swap and a rollback."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from knowledge.canon.models import LivePeriod
from knowledge.canon.selectors.live_periods import list_live_periods, merge_periods
from reviews.releases.actions.releases import roll_back_release
from tenancy.actions.keys import issue_api_key
from tests.admin.conftest import make_staffed_world
from tests.factories.canon import article
from tests.factories.change_requests import Selmar

pytestmark = pytest.mark.django_db
WHY = "The chronicle says bronze."


@pytest.fixture
def rolled_back(db: None) -> Selmar:
    """Release 1 is live again: release 2, which brought the gong and changed the bell, was rolled back."""
    selmar = make_staffed_world("selmar")
    selmar.publish(article("bell", "The bronze bell rings."))
    selmar.publish(article("bell", "The silver bell rings."), article("gong", "A gong."))
    roll_back_release(actor=selmar.owner, domain_index_id=selmar.index.pk, to_number=1, reason=WHY)
    return selmar


def periods(selmar: Selmar) -> list[tuple[int, str, str, str, str]]:
    rows = LivePeriod.objects.filter(domain_index=selmar.index).select_related("release").order_by("id")
    return [(row.release.number, row.began_how, row.ended_how, row.ended_by, row.ended_why) for row in rows]


def test_each_move_of_latest_ends_one_stretch_and_begins_another(rolled_back: Selmar):
    assert periods(rolled_back) == [
        (1, "loaded", "swapped", "selmar-reviewer", ""),
        (2, "swapped", "rolled_back", "selmar-owner", WHY),
        (1, "rolled_back", "", "", ""),
    ]
    rows = list(LivePeriod.objects.filter(domain_index=rolled_back.index).order_by("id"))
    assert [row.ended_at for row in rows[:2]] == [row.began_at for row in rows[1:]]


def test_move_past_the_orm_is_written_too_and_one_stretch_is_open(rolled_back: Selmar):
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE knowledge_alias SET moved_at = now(),"
            " release_id = (SELECT id FROM knowledge_release WHERE number = 2)"
            " WHERE name = 'latest'"
        )
    assert [row[0] for row in periods(rolled_back)] == [1, 2, 1, 2]
    open_row = LivePeriod.objects.get(ended_at__isnull=True)
    with pytest.raises(IntegrityError, match="live_period_one_open"), transaction.atomic():
        LivePeriod.objects.create(
            tenant=rolled_back.tenant, domain_index=rolled_back.index, release=open_row.release, began_how="swapped"
        )
    with pytest.raises(IntegrityError, match="live_period_end_is_whole"), transaction.atomic():
        LivePeriod.objects.filter(pk=open_row.pk).update(ended_how="swapped")


def test_stretches_that_touch_are_one(rolled_back: Selmar):
    selmar = rolled_back
    known = list_live_periods([selmar.index.pk])
    everything = merge_periods(known, list(known))
    assert len(everything) == 1
    assert everything[0].ended_at is None
    second = next(pk for pk, rows in known.items() if rows[0].was_rolled_back)
    assert [row.ended_why for row in merge_periods(known, [second])] == [WHY]


def test_every_page_tells_that_it_was_rolled_back_by_whom_and_why(rolled_back: Selmar, sign_in):
    selmar = rolled_back
    client = sign_in(selmar.editor)
    request = selmar.index.change_requests.get(state="rolled_back")
    gong = request.items.get(slug="gong").document_id
    bell = request.items.get(slug="bell").document_id
    pages = [
        reverse("admin:index"),
        reverse("admin:board", args=[selmar.index.pk]),
        reverse("admin:change_request", args=[request.pk]),
        reverse("admin:document", args=[gong]),
        reverse("admin:document", args=[bell]),
        reverse("admin:knowledge_release_changelist"),
    ]
    for page in pages:
        text = client.get(page).content.decode()
        assert WHY in text, page
        assert "selmar-owner" in text, page


def test_request_that_is_live_again_says_since_when_and_why(rolled_back: Selmar, sign_in):
    selmar = rolled_back
    request = selmar.index.change_requests.get(state="rolled_back")
    roll_back_release(actor=selmar.owner, domain_index_id=selmar.index.pk, to_number=2, reason="Silver after all.")
    text = sign_in(selmar.editor).get(reverse("admin:change_request", args=[request.pk])).content.decode()
    assert "Live since" in text
    assert "Silver after all." in text
    assert "Not live any more" not in text


def test_rest_says_when_a_release_was_live_and_what_ended_it(rolled_back: Selmar, client):
    key = issue_api_key(tenant_id=rolled_back.tenant.pk, name="game", scopes=["read"]).text
    answer = client.get("/api/v1/releases", headers={"Authorization": f"Bearer {key}"}).json()
    second, first = answer["releases"]
    assert (second["ended_by"], first["ended_by"], first["live_until"]) == ("rolled_back", None, None)
    assert second["live_until"] == first["live_since"] > first["published_at"]


def test_stretches_of_another_world_are_not_told(rolled_back: Selmar, sign_in):
    rival = make_staffed_world("rival")
    rival.publish(article("bell", "Another bell."))
    assert set(list_live_periods([rival.index.pk])) == {rival.index.releases.get().pk}
    board = sign_in(rival.owner).get(reverse("admin:board", args=[rival.index.pk])).content.decode()
    assert WHY not in board

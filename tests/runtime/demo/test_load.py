"""The sample world of the demo: complete the first time, unchanged the second."""

from __future__ import annotations

import pytest

from episodes.models import Campaign, EpisodicSummary
from episodes.selectors.play import get_party_state
from knowledge.canon.models import Release
from npcs.models import NpcPersona
from reviews.models import ChangeRequest, ChangeState, GoldenRun, GoldenRunState
from runtime.demo.load import load_sample_world
from tenancy.models import ApiKey
from tenancy.selectors import authenticate_key


@pytest.mark.django_db
def test_the_sample_world_is_complete_and_loading_it_again_changes_nothing(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    first = load_sample_world()
    request = ChangeRequest.objects.get()
    assert request.state == ChangeState.IN_REVIEW
    assert set(GoldenRun.objects.values_list("state", flat=True)) == {GoldenRunState.PASSED}
    assert authenticate_key(first.keys["read"]).scopes == {"read"}
    assert (tmp_path / "demo.json").stat().st_mode & 0o077 == 0
    second = load_sample_world()
    assert second == first
    assert set(NpcPersona.objects.values_list("npc__npc_id", "version")) == {
        ("edda-crane", 1), ("li-shen", 1), ("samira-al-mizan", 1), ("varvara-ples", 1),
    }  # fmt: skip
    counts = (Release.objects.count(), ChangeRequest.objects.count(), GoldenRun.objects.count(), ApiKey.objects.count())
    assert counts == (2, 1, 2, 3)
    assert (Campaign.objects.count(), EpisodicSummary.objects.count()) == (2, 24)
    world = Campaign.objects.first().world
    state = get_party_state(tenant_id=world.tenant_id, world_id=world.pk, party_id="lamp-party")
    assert state.flags["quest_seventh_lamp"] == "completed"
    assert len(state.summaries) == 2

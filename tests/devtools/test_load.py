"""The sample world of the demo: complete the first time, unchanged the second."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model

from devtools.demo.load import SampleWorld, load_sample_world
from episodes.campaigns.selectors.campaigns import get_party_state
from episodes.models import ArtCard, Campaign, Conversation, EpisodicSummary, ForgetReceipt, Message
from episodes.threads.models import Thread, ThreadCheckpoint, ThreadInterrupt, WorldThreadPolicy
from factcheck.extraction.models import BreakerEvent, ExtractionDelta, ExtractionRun, ExtractionSample
from factcheck.models import ContradictedClaim, PackSwitchedOff
from knowledge.canon.models import DomainIndex, Release
from knowledge.facts.models import MemoryCorrection, UserFact
from knowledge.facts.selectors import list_facts
from knowledge.notebook.models import Notebook, NotebookEntry, NotebookVersion
from knowledge.search.zero_hits import list_zero_hits
from knowledge.store.models import StoreItem
from npcs.models import NpcPersona
from reviews.labelling.models import SampleLabel
from reviews.models import ChangeRequest, ChangeState, GoldenChange, GoldenRun, GoldenRunState
from runtime.models import Trace
from tenancy.models import ApiKey, EndUser
from tenancy.selectors import authenticate_key

pytestmark = pytest.mark.slow

FILLED = (
    Release, ChangeRequest, GoldenRun, GoldenChange, ApiKey, Campaign, EpisodicSummary, ArtCard, Conversation, Message,
    UserFact, MemoryCorrection, ForgetReceipt, Trace, ContradictedClaim, PackSwitchedOff, ExtractionRun,
    ExtractionDelta, ExtractionSample, SampleLabel, BreakerEvent, Notebook, NotebookEntry, NotebookVersion,
    StoreItem, Thread, ThreadCheckpoint, ThreadInterrupt, WorldThreadPolicy,
)  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_the_sample_world_is_complete_and_loading_it_again_changes_nothing(settings, tmp_path, redis):
    settings.DATA_DIR = tmp_path
    first = load_sample_world()
    check_people(first)
    check_play(first)
    assert set(ChangeRequest.objects.values_list("state", flat=True)) == {ChangeState.IN_REVIEW, ChangeState.DRAFT}
    assert set(GoldenRun.objects.values_list("state", flat=True)) == {GoldenRunState.PASSED}
    assert authenticate_key(first.keys["read"]).scopes == {"read"}
    assert (tmp_path / "demo.json").stat().st_mode & 0o077 == 0
    counts = {model.__name__: model.objects.count() for model in FILLED}
    assert all(counts.values()), counts
    assert (counts["Release"], counts["ApiKey"], counts["Campaign"], counts["EpisodicSummary"]) == (2, 5, 2, 24)
    misses = list_missed()
    assert len(misses) >= 3
    second = load_sample_world()
    assert second == first
    assert {model.__name__: model.objects.count() for model in FILLED} == counts
    assert list_missed() == misses
    assert set(NpcPersona.objects.values_list("npc__npc_id", "version")) == {
        ("edda-crane", 1), ("li-shen", 1), ("samira-al-mizan", 1), ("varvara-ples", 1),
    }  # fmt: skip
    world = Campaign.objects.first().world
    state = get_party_state(tenant_id=world.tenant_id, world_id=world.pk, party_id="lamp-party")
    assert state.flags["quest_seventh_lamp"] == "completed"
    assert len(state.summaries) == 2


def check_people(sample: SampleWorld) -> None:
    """Someone of each role and a superuser can sign in."""
    assert [login.role for login in sample.logins] == ["labeller", "editor", "reviewer", "owner", "superuser"]
    for login in sample.logins:
        user = get_user_model().objects.get(username=login.username)
        assert user.is_staff
        assert user.check_password(login.password)
        assert user.is_superuser == (login.role == "superuser")


def check_play(sample: SampleWorld) -> None:
    """Players spoke in four languages, corrected, disputed and had something forgotten; an NPC's reply was mended."""
    known = {
        (fact.type, fact.value, user.external_id): fact.is_disputed
        for user in EndUser.objects.all()
        for fact in list_facts(tenant_id=user.tenant_id, end_user_id=user.pk)
    }
    allergies = {"player-1": "shellfish", "player-2": "nuts", "player-3": "peanuts", "player-5": "fish"}
    assert {("allergy", thing, player) for player, thing in allergies.items()} <= known.keys()
    assert known["hard_ban", "spiders", "player-1"] is False
    assert known["body_params", "L", "player-1"] is False
    assert known["budget", "300 USD", "player-1"] is True
    assert known["allergy", "花生", "player-4"] is False
    assert ("allergy", "nickel", "player-1") not in known
    assert {"deactivated", "disputed"} <= set(MemoryCorrection.objects.values_list("outcome", flat=True))
    languages = set(Message.objects.filter(role="user", forgotten_at=None).values_list("language", flat=True))
    assert {"en", "ru", "ar", "zh"} <= languages
    [receipt] = ForgetReceipt.objects.all()
    assert (receipt.state, receipt.cleared["messages"]) == ("done", 2)
    told = Trace.objects.get(pk=sample.trace_id)
    assert (told.kind, told.npc_id, list(told.degraded)) == ("chat", "li-shen", [])
    assert list(Trace.objects.exclude(degraded=[]).values_list("npc_id", "degraded")) == []
    assert ContradictedClaim.objects.filter(claim__contains="eleven arches", npc_id="li-shen").exists()
    assert Message.objects.filter(role="assistant", content__startswith="The Moon Bridge has nine arches").exists()


def list_missed() -> list[object]:
    index = DomainIndex.objects.get(domain="lore")
    return [(each.query, each.count) for each in list_zero_hits(index.pk)]

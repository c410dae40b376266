"""The re-index command: the same canon, made anew, through the gate."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from knowledge.canon.models import GateState, LorePassage, Release, ReleaseState
from reviews.models import AuditEntry, GoldenQuery
from reviews.releases.actions import reindex as reindex_module
from reviews.releases.selectors.live import find_latest_release
from tests.factories.canon import article
from tests.factories.change_requests import Selmar

pytestmark = pytest.mark.django_db


def reindex(world: Selmar, **options: object) -> str:
    out, err = io.StringIO(), io.StringIO()
    names = {} if options.get("all") else {"world": world.world.slug, "tenant": world.tenant.slug}
    call_command("reindex", stdout=out, stderr=err, **{**names, **options})
    return out.getvalue() + err.getvalue()


def live_number(world: Selmar) -> int:
    release = find_latest_release(world.index.pk)
    assert release is not None
    return release.number


@pytest.fixture
def live(selmar: Selmar) -> Selmar:
    selmar.publish(article("inn", "A warm inn."), article("quay", "A wet quay."))
    return selmar


def test_without_swap_the_twin_waits_on_the_stage(live: Selmar):
    text = reindex(live)
    assert "waits on the stage" in text
    assert "passages: 2\n" in text
    assert live_number(live) == 1
    release = Release.objects.get(number=2)
    assert (release.state, release.gate_state, release.rebuild) == (ReleaseState.STAGED, GateState.PASSED, True)


def test_with_swap_every_passage_is_new_and_says_the_same(live: Selmar):
    assert "Release 2 is live" in reindex(live, swap=True)
    assert live_number(live) == 2
    texts = {
        number: set(LorePassage.objects.filter(added_in=number).values_list("chunk__text", flat=True))
        for number in (1, 2)
    }
    assert texts[1] == texts[2]
    assert AuditEntry.objects.filter(action="release.swapped", details__rebuild=True).count() == 1


def test_a_failed_gate_keeps_the_live_release(live: Selmar):
    GoldenQuery.objects.create(
        tenant=live.tenant, domain_index=live.index, key="x", query="zzz", language="en", must_hit=["inn"]
    )
    with pytest.raises(CommandError, match="1 of 1 not done"):
        reindex(live, swap=True)
    assert live_number(live) == 1
    assert Release.objects.get(number=2).gate_state == GateState.FAILED


def test_a_killed_reindex_goes_on(live: Selmar, monkeypatch):
    def be_killed(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(reindex_module, "build_release", be_killed)
        with pytest.raises(KeyboardInterrupt):
            reindex(live)
    reindex(live, swap=True)
    assert live_number(live) == 2
    assert Release.objects.count() == 2


def test_a_release_with_edits_on_the_stage_is_in_the_way(live: Selmar, capsys):
    live.staged(article("inn", "A cold inn."))
    with pytest.raises(CommandError):
        reindex(live, swap=True)
    assert live_number(live) == 1


def test_all_takes_every_world_that_is_live(live: Selmar, other_studio: Selmar):
    other_studio.publish(article("well", "A deep well."))
    reindex(live, all=True, swap=True)
    assert (live_number(live), live_number(other_studio)) == (2, 2)


def test_nothing_live_and_unclear_options_are_told(selmar: Selmar):
    with pytest.raises(CommandError, match="not done"):
        reindex(selmar)
    with pytest.raises(CommandError, match="either"):
        call_command("reindex")
    with pytest.raises(CommandError, match="either"):
        call_command("reindex", all=True, world="main")

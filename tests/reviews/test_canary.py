"""The canary share: through the gate, or by an owner's word that everyone can read."""

from __future__ import annotations

import pytest

from knowledge.canon.models import CanaryOverride, DomainIndex, GateState, Release
from knowledge.errors import GateClosed, InvalidCanaryShare
from reviews import tasks
from reviews.core.actor import SYSTEM
from reviews.errors import RoleRequired, UnknownDomainIndex, WrongState
from reviews.golden.actions.gate import rerun_gate
from reviews.golden.actions.queries import import_golden_queries
from reviews.models import AuditEntry
from reviews.releases.actions.releases import set_canary, swap_release
from reviews.releases.actions.stage import discard_stage
from reviews.releases.selectors.boards import get_board, list_cards
from tests.factories.canon import article
from tests.factories.change_requests import Selmar

pytestmark = pytest.mark.django_db
BELL = article("bell", "The bronze bell rings at noon.")
QUESTION = {"id": "bell", "query": "bronze", "language": "en", "must_hit": ["bell"]}


def stage_with_closed_gate(selmar: Selmar) -> Release:
    import_golden_queries(actor=SYSTEM, domain_index_id=selmar.index.pk, queries=[QUESTION])
    selmar.publish(BELL)
    _, release = selmar.staged(article("bell", "Nothing to hear."))
    assert release.gate_state == GateState.FAILED
    return release


def test_canary_on_a_failed_release_is_refused(selmar: Selmar):
    stage_with_closed_gate(selmar)
    with pytest.raises(GateClosed):
        set_canary(actor=selmar.owner, domain_index_id=selmar.index.pk, percent=5)
    assert DomainIndex.objects.get(pk=selmar.index.pk).canary_percent == 0


def test_owner_lets_sessions_past_a_closed_gate_with_a_reason_that_home_and_log_show(selmar: Selmar):
    release = stage_with_closed_gate(selmar)
    with pytest.raises(RoleRequired):
        set_canary(actor=selmar.reviewer, domain_index_id=selmar.index.pk, percent=5, override_reason="I say so")
    index = set_canary(
        actor=selmar.owner, domain_index_id=selmar.index.pk, percent=5, release_id=release.pk,
        override_reason="Testers wait for it",
    )  # fmt: skip
    assert index.canary_percent == 5
    entry = AuditEntry.objects.get(action="domain_index.canary_overridden")
    assert (entry.reason, entry.before, entry.after) == ("Testers wait for it", "0", "5")
    assert entry.details == {"release": 2, "gate": "failed"}
    assert list_cards([index])[0].canary_override.reason == "Testers wait for it"
    board = get_board(index)
    assert (board.gate_open, board.canary_override.author) == (False, selmar.owner.label)
    set_canary(actor=selmar.owner, domain_index_id=selmar.index.pk, percent=10)
    assert CanaryOverride.objects.count() == 1


def test_word_for_one_release_is_no_word_for_the_next(selmar: Selmar):
    release = stage_with_closed_gate(selmar)
    set_canary(actor=selmar.owner, domain_index_id=selmar.index.pk, percent=5, override_reason="Testers wait")
    discard_stage(actor=selmar.reviewer, release_id=release.pk, reason="Not good")
    assert AuditEntry.objects.get(action="release.discarded").details["canary_ended_at_percent"] == 5
    _, other = selmar.staged(article("bell", "Still nothing to hear."))
    with pytest.raises(GateClosed):
        set_canary(actor=selmar.owner, domain_index_id=selmar.index.pk, percent=5)
    with pytest.raises(WrongState):
        set_canary(
            actor=selmar.owner, domain_index_id=selmar.index.pk, percent=5, release_id=release.pk,
            override_reason="Seen the other one",
        )  # fmt: skip
    assert not other.canary_overrides.exists()


def test_open_gate_needs_no_word_and_a_gate_that_closes_ends_the_share_in_the_log(selmar: Selmar):
    selmar.publish(BELL)
    _, release = selmar.staged(article("bell", "The silver bell rings."))
    set_canary(actor=selmar.owner, domain_index_id=selmar.index.pk, percent=30, override_reason="Not needed")
    assert not CanaryOverride.objects.exists()
    import_golden_queries(
        actor=SYSTEM, domain_index_id=selmar.index.pk,
        queries=[{"id": "zebra", "query": "zebra", "language": "en", "must_hit": ["bell"]}],
    )  # fmt: skip
    rerun_gate(actor=selmar.reviewer, release_id=release.pk)
    assert DomainIndex.objects.get(pk=selmar.index.pk).canary_percent == 0
    assert AuditEntry.objects.get(action="release.gate_rerun").details["canary_ended_at_percent"] == 30
    tasks.stage_release(release.pk)
    with pytest.raises(GateClosed):
        set_canary(actor=selmar.owner, domain_index_id=selmar.index.pk, percent=30)


def test_everyone_is_no_share(selmar: Selmar):
    selmar.publish(BELL)
    _, release = selmar.staged(article("bell", "The silver bell rings."))
    with pytest.raises(InvalidCanaryShare):
        set_canary(actor=selmar.owner, domain_index_id=selmar.index.pk, percent=100)
    set_canary(actor=selmar.owner, domain_index_id=selmar.index.pk, percent=99)
    swap_release(actor=selmar.reviewer, release_id=release.pk)
    assert AuditEntry.objects.filter(action="release.swapped").first().details["canary_ended_at_percent"] == 99


def test_owner_of_another_tenant_sets_no_share_and_gives_no_word(selmar: Selmar, other_studio: Selmar):
    stage_with_closed_gate(selmar)
    with pytest.raises(UnknownDomainIndex):
        set_canary(actor=other_studio.owner, domain_index_id=selmar.index.pk, percent=5, override_reason="Not my house")
    assert not CanaryOverride.objects.exists()

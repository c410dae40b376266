"""Who gets which item: leases, overlap, skips, order, gold; the four bugs of Label Studio's locks by name."""

from __future__ import annotations

import datetime as dt
import threading
from collections import Counter

import pytest
from django.db import close_old_connections, connection
from django.utils import timezone

from factcheck.extraction.actions.sample_labels import lock_sample
from factcheck.extraction.models import ExtractionSample
from reviews.core.actor import Actor
from reviews.errors import NothingToUndo, SampleGone, SampleLabelled, UnknownSample
from reviews.labelling.actions import leases
from reviews.labelling.actions.gold_schedule import choose_gold, get_gold_score
from reviews.labelling.actions.labels import Verdict, submit_label, undo_last_label
from reviews.labelling.actions.leases import GONE, HELD, LOST, draw_item, give_lease, keep_lease, skip_item
from reviews.labelling.core.gold_items import MAX_GAP, MIN_GAP, GoldScore, choose_gap
from reviews.labelling.selectors.queue import count_open, list_heads
from reviews.models import GoldItem, SampleLabel, SampleLease
from tests.factories.conversations import open_chat
from tests.factories.people import make_member
from tests.reviews.labelling.items import make_run_sample, make_sample

pytestmark = pytest.mark.django_db
CORRECT = Verdict("correct")


def draw(person, tenant, **more):
    return draw_item(tenant_id=tenant.pk, reviewer_id=person.pk, **more)


def submit(lease, given=CORRECT):
    return submit_label(tenant_id=lease.tenant_id, reviewer_id=lease.reviewer_id, lease_id=lease.pk, given=given)


def undo(person, tenant):
    return undo_last_label(tenant_id=tenant.pk, actor=Actor("user", person.pk, "rita", tenant.pk, None))


def expire(lease):
    long_ago = timezone.now() - dt.timedelta(hours=1)
    SampleLease.objects.filter(pk=lease.pk).update(
        taken_at=long_ago, expires_at=timezone.now() - dt.timedelta(seconds=1)
    )


def test_labels_that_call_it_wrong_are_counted_until_they_are_undone(tenant, talk, rita, bela):
    sample = make_sample(talk, labels_wanted=2)
    submit(draw(rita, tenant), Verdict("wrong_value"))
    submit(draw(bela, tenant), CORRECT)
    sample.refresh_from_db()
    assert (sample.label_count, sample.wrong_count) == (2, 1)
    undo(rita, tenant)
    sample.refresh_from_db()
    assert (sample.label_count, sample.wrong_count) == (1, 0)


def test_label_studio_795_two_people_do_not_get_one_task(tenant, talk, rita, bela):
    first, second = (make_sample(talk) for _ in range(2))
    assert draw(rita, tenant).sample_id == first.pk
    assert draw(bela, tenant).sample_id == second.pk
    assert draw(rita, tenant).sample_id == first.pk, "what is open comes again"


def test_label_studio_4190_all_leases_held_is_no_error(tenant, talk, rita, bela, browse):
    make_sample(talk)
    draw(rita, tenant)
    assert draw(bela, tenant) is None
    page = browse(bela).get(f"/admin/labelling/{tenant.pk}/").content.decode()
    assert "1 item is open with others" in page


def test_label_studio_4781_an_expired_lease_holds_nobody_up(tenant, talk, rita, bela):
    sample = make_sample(talk)
    lost = draw(rita, tenant)
    expire(lost)
    assert draw(bela, tenant).sample_id == sample.pk, "nothing sweeps leases: the query compares"
    assert SampleLease.objects.count() == 2


def test_label_studio_6760_a_skip_is_no_label_where_two_are_wanted(tenant, talk, rita, bela):
    sample = make_sample(talk, labels_wanted=2)
    submit(draw(rita, tenant))
    skip_item(tenant_id=tenant.pk, reviewer_id=bela.pk, lease_id=draw(bela, tenant).pk)
    sample.refresh_from_db()
    assert (sample.label_count, sample.labels_wanted) == (1, 2)
    assert draw(rita, tenant) is None, "not twice by one person"
    assert draw(bela, tenant) is None, "skipped for ever"
    cora = make_member(tenant, "cora", "labeller")
    submit(draw(cora, tenant))
    sample.refresh_from_db()
    assert sample.label_count == 2
    assert count_open(tenant.pk) == 0


def test_an_item_that_two_shall_label_is_open_with_two_at_once_and_not_with_three(tenant, talk, rita, bela):
    make_sample(talk, labels_wanted=2)
    cora = make_member(tenant, "cora", "labeller")
    drawn = [draw(person, tenant) for person in (rita, bela, cora)]
    assert [each is not None for each in drawn] == [True, True, False]


def test_the_next_item_is_drawn_beside_the_one_on_the_screen(tenant, talk, rita, bela):
    samples = [make_sample(talk) for _ in range(3)]
    now = draw(rita, tenant)
    ahead = draw(rita, tenant, beside=now.pk)
    assert [now.sample_id, ahead.sample_id] == [samples[0].pk, samples[1].pk]
    assert draw(rita, tenant, beside=now.pk).pk == ahead.pk, "fetched twice it is the same"
    assert draw(bela, tenant).sample_id == samples[2].pk
    submit(now)
    assert draw(rita, tenant).pk == ahead.pk


def test_a_late_label_is_kept_beside_the_one_that_counts(tenant, talk, rita, bela):
    sample = make_sample(talk)
    lost = draw(rita, tenant)
    expire(lost)
    taken = draw(bela, tenant)
    assert keep_lease(tenant_id=tenant.pk, reviewer_id=rita.pk, lease_id=lost.pk) == LOST
    late = submit(lost, Verdict("wrong_value"))
    assert (late.is_late, late.verdict) == (True, "wrong_value")
    on_time = submit(taken)
    assert not on_time.is_late
    sample.refresh_from_db()
    assert sample.label_count == 1


def test_a_page_does_not_renew_what_others_took_while_it_waited_for_the_lock(tenant, talk, rita, bela, monkeypatch):
    sample = make_sample(talk)
    lease = draw(rita, tenant)

    def lock_late(**owner_filter):
        locked = lock_sample(**owner_filter)
        expire(lease)
        give_lease(tenant_id=tenant.pk, reviewer_id=bela.pk, sample_id=sample.pk)
        return locked

    monkeypatch.setattr(leases, "lock_sample", lock_late)
    assert keep_lease(tenant_id=tenant.pk, reviewer_id=rita.pk, lease_id=lease.pk) == LOST
    lease.refresh_from_db()
    assert lease.expires_at < timezone.now()


@pytest.mark.parametrize("kind", ["sample", "gold"])
def test_an_item_that_was_labelled_while_its_page_asked_is_lost_and_no_error(tenant, talk, rita, monkeypatch, kind):
    """A gold item has no sample to lock: what another tab judged is gone between the look and the write."""
    make_sample(talk, labels_wanted=2)
    lease = draw(rita, tenant)
    found = leases.find_lease

    def find_and_lose(**owner_filter):
        row = found(**owner_filter)
        if row is not None:
            SampleLease.objects.filter(pk=row.pk).delete()
            row.sample_id = row.sample_id if kind == "sample" else None
        return row

    monkeypatch.setattr(leases, "find_lease", find_and_lose)
    assert keep_lease(tenant_id=tenant.pk, reviewer_id=rita.pk, lease_id=lease.pk, is_shown=True) == LOST


def test_a_lease_that_ran_out_counts_where_nobody_took_it(tenant, talk, rita):
    sample = make_sample(talk)
    lease = draw(rita, tenant)
    expire(lease)
    assert keep_lease(tenant_id=tenant.pk, reviewer_id=rita.pk, lease_id=lease.pk) == HELD
    expire(lease)
    assert not submit(lease).is_late
    sample.refresh_from_db()
    assert sample.label_count == 1


def test_what_is_gone_is_told_to_who_has_it_open_and_drawn_by_nobody(tenant, talk, rita, bela):
    make_sample(talk)
    lease = draw(rita, tenant)
    ExtractionSample.objects.update(is_gone=True)
    assert keep_lease(tenant_id=tenant.pk, reviewer_id=rita.pk, lease_id=lease.pk) == GONE
    with pytest.raises(SampleGone):
        submit(lease)
    assert draw(rita, tenant) is None
    assert draw(bela, tenant) is None
    assert not SampleLabel.objects.exists()


def test_a_second_verdict_wants_an_undo_first(tenant, talk, rita):
    make_sample(talk)
    lease = draw(rita, tenant)
    assert submit(lease).pk == submit(lease).pk
    with pytest.raises(SampleLabelled):
        submit(lease, Verdict("not_meant"))
    undone = undo(rita, tenant)
    assert submit(undone.lease, Verdict("not_meant")).pk != undone.label.pk
    assert list(SampleLabel.objects.order_by("pk").values_list("verdict", flat=True)) == ["correct", "not_meant"]
    assert ExtractionSample.objects.get().label_count == 1


def test_undo_reaches_twenty_labels_back_and_no_further(tenant, talk, rita):
    for _ in range(22):
        make_run_sample(talk, "Hello.")
        submit(draw(rita, tenant), Verdict("nothing_missed"))
    for _ in range(20):
        undo(rita, tenant)
    with pytest.raises(NothingToUndo):
        undo(rita, tenant)
    assert SampleLabel.objects.filter(undone_at__isnull=True).count() == 2


def test_nobody_submits_under_anothers_lease(tenant, talk, rita, bela):
    make_sample(talk)
    lease = draw(rita, tenant)
    for reviewer, tenant_id in ((bela.pk, tenant.pk), (rita.pk, tenant.pk + 1)):
        with pytest.raises(UnknownSample):
            submit_label(tenant_id=tenant_id, reviewer_id=reviewer, lease_id=lease.pk, given=CORRECT)


def test_trials_come_first_then_the_stratum_that_waits_longest(tenant, talk, rita):
    old_russian = make_sample(talk, language="ru")
    english = [make_sample(talk) for _ in range(2)]
    trial = make_sample(talk, reason="trial")
    floor = make_sample(talk, reason="floor", language="ar")
    make_sample(talk, reason="risk")
    order = []
    while (lease := draw(rita, tenant)) is not None:
        order.append(lease.sample_id)
        submit(lease)
    assert order == [trial.pk, old_russian.pk, *(each.pk for each in english), floor.pk]


def test_heads_are_the_oldest_of_each_stratum(tenant, talk):
    rows = [make_sample(talk, language=language) for language in ("ru", "en", "ru", "ar")]
    make_sample(talk, reason="floor", language="en")
    other = open_chat(type(tenant).objects.create(slug="other", name="Other"))
    make_sample(other)
    assert [(head.reason, head.language, head.sample_id) for head in list_heads(tenant.pk)] == [
        ("random", "ru", rows[0].pk), ("random", "en", rows[1].pk), ("random", "ar", rows[3].pk),
        ("floor", "en", ExtractionSample.objects.get(tenant=tenant, reason="floor").pk),
    ]  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_sixteen_who_draw_at_once_get_sixteen_items(tenant, talk):
    samples = {make_run_sample(talk, "Hello.").pk for _ in range(20)}
    people = [make_member(tenant, f"reviewer-{number}", "labeller") for number in range(16)]
    gate, drawn, errors = threading.Barrier(16), [], []

    def work(person):
        try:
            gate.wait(timeout=30)
            drawn.append(draw(person, tenant).sample_id)
        except Exception as error:  # noqa: BLE001 - told below
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=[person]) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    close_old_connections()
    assert errors == []
    assert len(set(drawn)) == 16
    assert set(drawn) <= samples


def make_gold(**more):
    content = {
        "messages": [{"role": "user", "text": "My sister can't eat nuts."}],
        "facts": [],
        "proposal": {"operation": "ADD", "type": "allergy", "key": "nuts", "value": "nuts", "message": 1,
                     "quote": "can't eat nuts"},
    }  # fmt: skip
    values = {"slug": "g", "language": "en", "kind": "delta", "content": content, "verdict": "wrong_person"}
    return GoldItem.objects.create(**{**values, "is_planted": True, "reason": "She says it of her sister.", **more})


def make_golds(count):
    for number in range(count):
        right = number % 2
        make_gold(slug=f"g{number}", verdict="correct" if right else "wrong_person", is_planted=not right)


def test_gold_comes_between_five_and_ten_in_a_hundred_and_never_three_times_over(tenant, talk, rita):
    make_golds(12)
    run = make_run_sample(talk, "Hello.").run
    met = Counter()
    for _ in range(230):
        lease = draw(rita, tenant)
        if lease.gold_id is not None:
            met[lease.gold_id] += 1
            submit(lease, Verdict("correct"))
            continue
        # As if 200 other samples had been labelled: to make them all is too dear.
        SampleLabel.objects.create(
            tenant=tenant, sample_id=lease.sample_id, reviewer=rita, verdict="nothing_missed", undone_at=timezone.now()
        )
        lease.delete()
    total = SampleLabel.objects.count()
    assert run.samples.count() == 1
    assert 0.05 <= sum(met.values()) / total <= 0.1
    assert max(met.values()) <= 3
    planted = GoldItem.objects.filter(pk__in=met, is_planted=True).count()
    assert abs(planted - (len(met) - planted)) <= 1


def test_gaps_between_gold_are_of_every_length_and_the_same_for_the_same_seed():
    gaps = [choose_gap(f"1:2:{number}") for number in range(400)]
    assert set(gaps) == set(range(MIN_GAP, MAX_GAP + 1))
    assert gaps == [choose_gap(f"1:2:{number}") for number in range(400)]


def test_gold_rests_after_three_meetings_or_thirty_days(tenant, rita):
    old, fresh = make_gold(slug="old"), make_gold(slug="fresh")
    own = {"tenant": tenant, "reviewer": rita, "verdict": "correct", "is_gold_check": True}
    where = {"tenant_id": tenant.pk, "reviewer_id": rita.pk}
    SampleLabel.objects.create(**own, gold=old, created_at=timezone.now() - dt.timedelta(days=31))
    for _ in range(3):
        assert choose_gold(**where) == fresh.pk, "the other was met for the first time more than 30 days ago"
        SampleLabel.objects.create(**own, gold=fresh)
    assert choose_gold(**where) is None, "met three times"
    assert choose_gold(tenant_id=tenant.pk, reviewer_id=make_member(tenant, "bela", "labeller").pk) is not None
    long_ago = make_gold(slug="rested")
    SampleLabel.objects.create(**own, gold=long_ago, created_at=timezone.now() - dt.timedelta(days=200))
    assert choose_gold(**where) == long_ago.pk, "a long rest makes it new"
    assert choose_gold(**where, languages=["ru"]) is None


def test_a_gold_item_looks_like_any_other_until_it_is_judged(tenant, talk, rita, browse):
    gold, sample = make_gold(), make_sample(talk)
    pages = []
    for item in ({"gold": gold}, {"sample": sample}):
        ends = timezone.now() + dt.timedelta(minutes=15)
        lease = SampleLease.objects.create(tenant=tenant, reviewer=rita, expires_at=ends, **item)
        page = browse(rita).get(f"/admin/labelling/{tenant.pk}/", {"lease": lease.pk}).content.decode()
        pages.append(page)
        assert "gold" not in page.split("label-item")[1].split("</section>")[0]
    assert "can&#x27;t eat nuts</mark>" in pages[0]
    lease = SampleLease.objects.get(gold=gold)
    answer = browse(rita).post(
        f"/admin/labelling/{tenant.pk}/label/", {"lease": lease.pk, "verdict": "correct"}, follow=True
    )
    told = answer.content.decode()
    assert "check item of ours: the answer is <strong>Wrong person" in told
    assert "She says it of her sister." in told


def test_weights_follow_gold_and_shut_nobody_out(tenant, rita):
    assert get_gold_score(rita.pk).weight == 1.0
    assert GoldScore(planted=4, found=0, right=40, let_stand=40).weight == 1.0, "too few planted ones to say"
    assert GoldScore(planted=18, found=18, right=18, let_stand=18).weight == pytest.approx(0.9)
    assert GoldScore(planted=18, found=0, right=18, let_stand=18).weight == 0.1
    make_golds(2)
    wrong, right = GoldItem.objects.order_by("slug")
    for gold, verdict in ((wrong, "not_meant"), (wrong, "correct"), (right, "correct"), (right, "cannot_tell")):
        SampleLabel.objects.create(tenant=tenant, reviewer=rita, gold=gold, verdict=verdict, is_gold_check=True)
    assert get_gold_score(rita.pk) == GoldScore(planted=2, found=1, right=2, let_stand=1)


def test_leases_of_days_ago_go_with_the_next_label(tenant, talk, rita, bela):
    for _ in range(3):
        make_sample(talk)
    old, kept = draw(rita, tenant), draw(bela, tenant)
    long_ago = timezone.now() - dt.timedelta(days=2)
    SampleLease.objects.filter(pk__in=[old.pk, kept.pk]).update(taken_at=long_ago, expires_at=long_ago)
    lease = draw(rita, tenant)
    assert lease.pk == old.pk, "the oldest item is taken up again"
    submit(lease)
    assert list(SampleLease.objects.values_list("pk", flat=True)) == [kept.pk], "others' rows are their own"
    later = draw(rita, tenant)
    SampleLease.objects.filter(pk=later.pk).update(taken_at=long_ago, expires_at=long_ago)
    third = make_sample(talk, reason="trial")
    now = draw(rita, tenant)
    assert now.sample_id == third.pk
    submit(now)
    with pytest.raises(UnknownSample):
        submit(later)

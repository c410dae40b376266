"""A labeller's hour in one browser: twenty items by keys alone, undo, skip, a lease that is lost, an item that is
forgotten, a fact that ends, a telephone; a breaker that labels open and an owner resumes. The page is fit for assistive
technology (axe).
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from episodes.facts.actions import write_fact
from factcheck.extraction.actions.sample_labels import lock_sample
from factcheck.extraction.models import BreakerEvent, ExtractionSample
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.models import UserFact
from reviews.labelling.actions.leases import give_lease
from reviews.models import SampleLabel, SampleLease, SampleSkip
from tenancy.models import Tenant
from tests.factories.conversations import open_chat, say
from tests.factories.people import make_member
from tests.reviews.labelling.items import SAID, make_delta, make_run, make_run_sample, make_sample
from tests.waiting import wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.journey, pytest.mark.django_db(transaction=True)]
LINES = [
    (SAID, "reacts to nickel", "nickel"),
    ("أختي لا، أنا عندي حساسية من النيكل", "أنا عندي حساسية من النيكل", "النيكل"),
    ("Моя сестра не переносит никель.", "не переносит никель", "никель"),
    ("我一戴镍首饰就起疹子。", "一戴镍首饰就起疹子", "镍"),
]
KEYS = "11231411512114132151"
"""What is pressed for twenty items; the fifth and the tenth ask what a run missed, where `2` wants a message."""


@pytest.fixture
def tenant() -> Tenant:
    return Tenant.objects.create(slug="t", name="Studio T")


def fill(tenant: Tenant, count: int) -> list[ExtractionSample]:
    """Items in four languages; each fifth is a run that found nothing."""
    talk = open_chat(tenant)
    made = []
    for place in range(count):
        said, quote, value = LINES[place % len(LINES)]
        if place % 5 == 4:
            made.append(make_run_sample(talk, "Hello there.", "I never eat shellfish.", language="en"))
            continue
        say(talk, ("assistant", "What shall I keep in mind?"))
        made.append(make_sample(talk, said, quote, key=value, value=value, language="en"))
    return made


def sign_in(page: Page, url: str, person: Any) -> None:
    """The person's session, without the form: other journeys walk through that."""
    client = Client()
    client.force_login(person)
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}])


def get_lease(page: Page) -> int:
    return int(page.locator("#label-item").get_attribute("data-lease") or 0)


def press(page: Page, key: str) -> None:
    """Presses a key and waits for the next item to be on the screen."""
    before = page.locator("#label-item").get_attribute("data-lease")
    page.keyboard.press(key)
    page.wait_for_function(
        "before => document.getElementById('label-none') || document.getElementById('label-ask')"
        " || (document.getElementById('label-item')?.dataset.lease ?? before) !== before",
        arg=before,
    )


def wait_for_labels(count: int) -> None:
    live = SampleLabel.objects.filter(undone_at__isnull=True)
    wait_for(lambda: live.count() == count)


def give_away(lease: SampleLease, other: Any) -> None:
    """The lease has run out and another person has the item: at once, or the open page would renew it in between."""
    ends = timezone.now() - dt.timedelta(seconds=1)
    with transaction.atomic():
        lock_sample(tenant_id=lease.tenant_id, sample_id=lease.sample_id or 0)
        SampleLease.objects.filter(pk=lease.pk).update(taken_at=ends - dt.timedelta(minutes=16), expires_at=ends)
        give_lease(tenant_id=lease.tenant_id, reviewer_id=other.pk, sample_id=lease.sample_id)


def find_violations(page: Page) -> list[str]:
    found = Axe().run(page, context="#content-start")
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found.response["violations"]]


def test_a_labeller_works_by_keys_alone(page, live_server, tenant, tmp_path, capsys):
    rita, bela = (make_member(tenant, name, "labeller") for name in ("rita", "bela"))
    samples = fill(tenant, 26)
    sign_in(page, live_server.url, rita)
    page.add_init_script(
        "window.pointed = 0; for (const kind of ['pointerdown', 'touchstart'])"
        " addEventListener(kind, () => { window.pointed += 1; }, true);"
    )
    url = live_server.url + reverse("admin:labelling", args=[tenant.pk])
    page.goto(url)
    page.wait_for_selector("#label-item")
    page.screenshot(path=str(tmp_path / "item.png"), full_page=True)
    assert find_violations(page) == []

    shown = page.evaluate("performance.now()")
    for place, key in enumerate(KEYS):
        if place == 1:
            assert page.locator("#label-item mark").evaluate("node => getComputedStyle(node).direction") == "rtl"
        is_run = page.locator("#label-item").get_attribute("data-kind") == "run"
        assert is_run == (place % 5 == 4)
        if is_run and key == "2":
            page.keyboard.press("2")
            assert page.evaluate("document.activeElement.name") == "missed"
            page.keyboard.press("ArrowDown")
        press(page, "1" if is_run and key in "34" else key)
    seconds = (page.evaluate("performance.now()") - shown) / 1000
    wait_for_labels(20)
    with capsys.disabled():
        print(f"\n  20 items labelled by keys in {seconds:.1f} s")  # noqa: T201 - what people ask first
    assert page.evaluate("window.pointed") == 0
    assert page.evaluate("performance.getEntriesByType('navigation').length") == 1, "the page was never loaded anew"
    labels = list(SampleLabel.objects.order_by("pk"))
    assert [label.sample_id for label in labels] == [sample.pk for sample in samples[:20]]
    assert {label.verdict for label in labels} == {
        "correct", "wrong_value", "wrong_person", "not_meant", "cannot_tell", "nothing_missed",
    }  # fmt: skip
    page.wait_for_selector("#label-last >> text=You said Nothing is missing. Nobody else has judged it.")

    page.keyboard.press("z")
    page.wait_for_selector("text=The item is open again")
    assert SampleLease.objects.get(pk=get_lease(page)).sample_id == samples[19].pk
    wait_for_labels(19)
    press(page, "5")
    wait_for_labels(20)

    assert SampleLease.objects.get(pk=get_lease(page)).sample_id == samples[20].pk
    # A Russian keyboard has another letter at the place of S.
    before = str(get_lease(page))
    page.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ы', code: 'KeyS', bubbles: true}))")
    page.wait_for_function("before => document.getElementById('label-item').dataset.lease !== before", arg=before)
    assert SampleSkip.objects.get().sample_id == samples[20].pk

    # The lease runs out, another takes the item and labels it: what comes late is kept beside.
    lost = SampleLease.objects.get(pk=get_lease(page))
    give_away(lost, bela)
    page.evaluate("document.getElementById('labelling').dispatchEvent(new Event('labelling:keep'))")
    page.wait_for_selector("text=Others have this item by now")
    press(page, "1")
    page.wait_for_selector("text=It came late")
    assert "confidence was 0.91" in page.locator("#label-last").inner_text()
    late = SampleLabel.objects.order_by("pk").last()
    assert (late.sample_id, late.is_late) == (lost.sample_id, True)

    # The words of the open item are forgotten: it leaves the screen.
    gone = SampleLease.objects.get(pk=get_lease(page)).sample
    ExtractionSample.objects.filter(pk=gone.pk).update(is_gone=True)
    page.evaluate("document.getElementById('labelling').dispatchEvent(new Event('labelling:keep'))")
    page.wait_for_selector("text=words were forgotten")
    assert SampleLease.objects.get(pk=get_lease(page)).sample_id != gone.pk
    assert page.evaluate("window.pointed") == 0


def test_undo_waits_for_the_verdict_that_is_on_its_way(page, live_server, tenant):
    rita = make_member(tenant, "rita", "labeller")
    samples = fill(tenant, 4)
    sign_in(page, live_server.url, rita)
    page.goto(live_server.url + reverse("admin:labelling", args=[tenant.pk]))
    page.wait_for_selector("#label-item")
    press(page, "1")
    page.wait_for_selector("text=You said Correct")
    held: list[Any] = []
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/label/", lambda route: held.append(route))  # noqa: PLW0108 - a method takes no attribute
    press(page, "3")
    page.keyboard.press("z")
    page.evaluate("fetch(location.href + '?behind').then(answer => answer.status)")
    assert held
    assert asked[-1].endswith("?behind")
    assert not [url for url in asked if url.endswith("/undo/")]
    held[0].continue_()
    page.wait_for_selector("text=The item is open again")
    undone = {label.sample_id: label.undone_at is not None for label in SampleLabel.objects.all()}
    assert undone == {samples[0].pk: False, samples[1].pk: True}
    # What the page asks for ahead is answered before the database goes.
    page.wait_for_function("performance.getEntriesByType('resource').some(each => each.name.includes('fragment='))")


def test_verdicts_are_kept_in_the_order_in_which_they_are_given(page, live_server, tenant):
    rita = make_member(tenant, "rita", "labeller")
    samples = fill(tenant, 4)
    sign_in(page, live_server.url, rita)
    page.goto(live_server.url + reverse("admin:labelling", args=[tenant.pk]))
    page.wait_for_selector("#label-item")
    held: list[Any] = []
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/label/", lambda route: held.append(route), times=1)  # noqa: PLW0108 - a method takes no attribute
    press(page, "1")
    page.keyboard.press("3")
    page.evaluate("fetch(location.href + '?behind').then(answer => answer.status)")
    assert len([url for url in asked if url.endswith("/label/")]) == 1, "the second waits for the first"
    held[0].continue_()
    page.wait_for_selector("#label-last >> text=You said Wrong person")
    given = SampleLabel.objects.order_by("pk").values_list("sample_id", "verdict")
    assert list(given) == [(samples[0].pk, "correct"), (samples[1].pk, "wrong_person")]
    # What the page asks for ahead is answered before the database goes.
    page.wait_for_function(
        "performance.getEntriesByType('resource').filter(each => each.name.includes('fragment=')).length >= 3"
    )


def test_labels_open_a_breaker_and_an_owner_resumes_it_with_a_reason(page, live_server, tenant, tmp_path):
    rita, olga = make_member(tenant, "rita", "labeller"), make_member(tenant, "olga", "owner")
    tenant.extraction = "on"
    tenant.save()
    talk = open_chat(tenant)
    for _ in range(11):
        make_sample(talk, SAID, "reacts to nickel")
    sign_in(page, live_server.url, rita)
    page.goto(live_server.url + reverse("admin:labelling", args=[tenant.pk]))
    page.wait_for_selector("#label-item")
    for _ in range(10):
        press(page, "3")
    wait_for_labels(10)
    wait_for(BreakerEvent.objects.exists)  # judged once the label is committed
    assert [(event.state, event.language, event.n) for event in BreakerEvent.objects.all()] == [("open", "en", 10)]

    sign_in(page, live_server.url, olga)
    page.goto(live_server.url + reverse("admin:index"))
    banner = page.locator("[role=status]", has_text="Extraction of Studio T has stopped")
    assert "10 of the last 10 reviews found an error" in banner.inner_text()
    banner.get_by_role("link", name="Look and resume").click()
    page.wait_for_selector("text=Extraction has stopped")
    page.screenshot(path=str(tmp_path / "stopped.png"), full_page=True)
    assert find_violations(page) == []
    page.get_by_role("button", name="Try 50 reviewed proposals").click()
    assert BreakerEvent.objects.count() == 1, "without a reason the form is not sent"
    page.get_by_label("Why it may go on").fill("Players tell of their sisters: mended in the prompt.")
    page.get_by_role("button", name="Try 50 reviewed proposals").click()
    page.wait_for_selector("text=Extraction is on trial")
    page.get_by_label("Why it may go on").fill("Read by hand: all is right now.")
    page.get_by_role("button", name="Resume at once").click()
    page.wait_for_selector("text=Extraction goes on.")
    events = [(event.state, event.made_by, event.reason) for event in BreakerEvent.objects.order_by("pk")][1:]
    assert events == [
        ("half_open", "olga", "Players tell of their sisters: mended in the prompt."),
        ("closed", "olga", "Read by hand: all is right now."),
    ]
    page.goto(live_server.url + reverse("admin:index"))
    assert page.locator("[role=status]", has_text="Extraction of Studio T").count() == 0


def test_a_wrong_fact_ends_on_a_telephone_and_the_queue_comes_to_its_end(page, live_server, tenant, tmp_path):
    rita, talk = make_member(tenant, "rita", "labeller"), open_chat(tenant)
    [message] = say(talk, SAID)
    draft = FactDraft(type="allergy", value="nickel", source="batch", evidence=(message.pk,), confidence=0.9)
    fact = write_fact(tenant_id=tenant.pk, user_id="player-1", draft=draft).fact
    delta = make_delta(make_run(talk, [message]), message, "reacts to nickel", outcome="written", fact=fact)
    ExtractionSample.objects.create(
        tenant=tenant, end_user=talk.end_user, run=delta.run, delta=delta, kind="delta", reason="random",
        probability=0.1, stratum="en", language="en", labels_wanted=1,
    )  # fmt: skip
    page.set_viewport_size({"width": 390, "height": 844})
    sign_in(page, live_server.url, rita)
    page.goto(live_server.url + reverse("admin:labelling_home"))
    page.wait_for_selector("#label-item")
    page.screenshot(path=str(tmp_path / "phone.png"), full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    heights = page.locator(".m-verdict").evaluate_all("all => all.map(each => each.getBoundingClientRect().height)")
    assert min(heights) >= 44
    assert find_violations(page) == []
    press(page, "3")
    page.wait_for_selector("text=End it?")
    page.wait_for_selector("#label-ask button:focus")  # before axe runs: a busy browser gives up focusing by then
    assert find_violations(page) == []
    assert UserFact.objects.get().is_active
    page.keyboard.press("Enter")
    page.wait_for_selector("text=The fact has ended")
    assert not UserFact.objects.get().is_active
    page.wait_for_selector("text=Nothing is left for you")
    assert find_violations(page) == []
    page.screenshot(path=str(tmp_path / "ended.png"), full_page=True)

"""The pages of patterns: who may write, that no entry point skips validation, and what the try-it box tells."""

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.messages import get_messages
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from factcheck.instant.selectors.cases import list_case_files
from factcheck.models import Concept, InstantPattern, PackSwitchedOff, PatternPack
from factcheck.patterns.admin.installation import InstallationAdmin
from tenancy.models import Tenant
from tests.factcheck.instant.test_semantic import SURE, FixedScorer
from tests.factories.people import make_member, sign_in

pytestmark = pytest.mark.django_db
MODELS = [model for model, pages in admin.site._registry.items() if isinstance(pages, InstallationAdmin)]
TRY = "admin:try_patterns"


def sign_in_new(name: str, *, tenant: str = "", role: str = "owner") -> Client:
    if not tenant:
        return sign_in(get_user_model().objects.create_user(name, is_staff=True))
    row, _ = Tenant.objects.get_or_create(slug=tenant, defaults={"name": tenant.title()})
    return sign_in(make_member(row, name, role))


@pytest.fixture
def owner(db) -> Client:
    return sign_in_new("owner", tenant="studio")


def url_of(model, page: str, *args) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def form_of(row: InstantPattern, **changes) -> dict:
    names = (
        "name", "type", "language", "pattern", "key_rule", "key", "anchors", "anti_anchors", "confidence", "priority",
        "rollout_percent",
    )  # fmt: skip
    data = {name: getattr(row, name) for name in names}
    data |= {
        "pack": row.pack_id,
        "skips": row.skips,
        "opened_revision": row.revision,
        "is_active": "on" if row.is_active else "",
    }
    return data | ({"closed": "on"} if row.closed else {}) | changes


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_tenants_staff_read_every_page_and_write_none(loaded, owner, operator, model):
    row = model._default_manager.first()
    for page in (url_of(model, "changelist"), url_of(model, "change", row.pk), url_of(model, "history", row.pk)):
        assert owner.get(page).status_code == 200
        assert operator.get(page).status_code == 200
    assert url_of(model, "history", row.pk) in owner.get(url_of(model, "change", row.pk)).content.decode()
    before = list(model._default_manager.order_by("pk").values())
    assert owner.get(url_of(model, "add")).status_code == 403
    for page in (url_of(model, "add"), url_of(model, "change", row.pk), url_of(model, "delete", row.pk)):
        assert owner.post(page, {"name": "mine", "post": "yes"}).status_code == 403
    assert operator.post(url_of(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    assert operator.get(url_of(model, "add")).status_code == 200
    assert list(model._default_manager.order_by("pk").values()) == before


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_nothing_is_deleted_or_changed_in_bulk(loaded, operator, model):
    count = model._default_manager.count()
    ids = list(model._default_manager.values_list("pk", flat=True)[:2])
    operator.post(url_of(model, "changelist"), {"action": "delete_selected", "_selected_action": ids, "post": "yes"})
    assert model._default_manager.count() == count


def test_staff_of_no_tenant_see_nothing(loaded):
    stranger = sign_in_new("stranger")
    assert stranger.get(url_of(InstantPattern, "changelist")).status_code == 403
    assert stranger.get(reverse(TRY)).status_code == 403


def test_edit_is_stored_with_its_author_and_reason(loaded, operator):
    row = InstantPattern.objects.get(name="allergy.en.celiac")
    answer = operator.post(
        url_of(InstantPattern, "change", row.pk), form_of(row, rollout_percent=40, reason="On trial.")
    )
    assert answer.status_code == 302, answer.context["errors"]
    row.refresh_from_db()
    assert (row.rollout_percent, row.revision) == (40, 2)
    newest = row.history.first()
    assert (newest.history_user.username, newest.history_change_reason) == ("operator", "On trial.")


@pytest.mark.parametrize(
    ("pattern", "said"), [("(?=x)y", "RE2"), ("{w}", "sample messages"), ("x?", "empty text"), ("a\x00b", "Null")]
)
def test_pattern_that_validation_refuses_is_shown_again_and_not_stored(loaded, operator, pattern, said):
    row = InstantPattern.objects.get(name="allergy.en.celiac")
    answer = operator.post(url_of(InstantPattern, "change", row.pk), form_of(row, pattern=pattern))
    assert answer.status_code == 200
    assert said in answer.content.decode()
    assert InstantPattern.objects.get(pk=row.pk).pattern == row.pattern


def test_stale_form_is_told_and_changes_nothing(loaded, operator):
    row = InstantPattern.objects.get(name="allergy.en.celiac")
    operator.post(url_of(InstantPattern, "change", row.pk), form_of(row, priority=1))
    answer = operator.post(url_of(InstantPattern, "change", row.pk), form_of(row, priority=2))
    assert "saved by someone else" in answer.content.decode()
    assert InstantPattern.objects.get(pk=row.pk).priority == 1


def test_own_pattern_is_added_and_deleted(loaded, operator):
    pattern_set = PatternPack.objects.create(name="own")
    draft = InstantPattern(
        pack=pattern_set, name="allergy.en.own", type="allergy", language="en", pattern="unicorn dust turns me blue",
        key_rule="concept", key="unicorn_dust",
    )  # fmt: skip
    form = {name: value for name, value in form_of(draft).items() if name != "opened_revision"}
    assert operator.post(url_of(InstantPattern, "add"), form).status_code == 302
    row = InstantPattern.objects.get(pack=pattern_set)
    assert row.history.get().history_user.username == "operator"
    operator.post(url_of(InstantPattern, "delete", row.pk), {"post": "yes"})
    assert not InstantPattern.objects.filter(pack=pattern_set).exists()


def test_macros_and_names_survive_their_forms(loaded, operator):
    pattern_set = PatternPack.objects.get(name="companion")
    page = operator.get(url_of(PatternPack, "change", pattern_set.pk))
    macros = page.context["adminform"].form.initial["macros"]
    data = {"name": "companion", "version": 1, "description": "Changed.", "is_active": "on", "macros": macros}
    assert (
        operator.post(url_of(PatternPack, "change", pattern_set.pk), data | {"opened_revision": 1}).status_code == 302
    )
    again = PatternPack.objects.get(pk=pattern_set.pk)
    assert again.macros == pattern_set.macros
    assert again.description == "Changed."
    concept = Concept.objects.get(key="nickel")
    data = {f"names_{language}": ", ".join(names) for language, names in concept.names.items()}
    data |= {"names_en": "nickel, nickle, ni", "is_active": "on", "opened_revision": 1}
    answer = operator.post(url_of(Concept, "change", concept.pk), data)
    assert answer.status_code == 302, answer.context["errors"]
    assert Concept.objects.get(pk=concept.pk).names == concept.names | {"en": ["nickel", "nickle", "ni"]}
    assert "write `name = expression`" in operator.post(
        url_of(PatternPack, "change", pattern_set.pk), {"version": 1, "macros": "no equals sign", "opened_revision": 2}
    ).content.decode().replace("&#x27;", "'")


def test_owner_switches_a_pattern_set_off_and_on_for_the_own_tenant_only(loaded, owner):
    pattern_set, tenant = PatternPack.objects.first(), Tenant.objects.get(slug="studio")
    rival = Tenant.objects.create(slug="rival", name="Rival")
    assert owner.post(url_of(PackSwitchedOff, "add"), {"tenant": rival.pk, "pack": pattern_set.pk}).status_code == 200
    assert owner.post(url_of(PackSwitchedOff, "add"), {"tenant": tenant.pk, "pack": pattern_set.pk}).status_code == 302
    row = PackSwitchedOff.objects.get()
    assert row.tenant == tenant
    other = sign_in_new("other", tenant="rival")
    assert other.post(url_of(PackSwitchedOff, "delete", row.pk), {"post": "yes"}).status_code in (403, 404)
    editor = sign_in_new("editor", tenant="studio", role="editor")
    assert editor.post(url_of(PackSwitchedOff, "delete", row.pk), {"post": "yes"}).status_code == 403
    owner.post(url_of(PackSwitchedOff, "delete", row.pk), {"post": "yes"})
    assert not PackSwitchedOff.objects.exists()


def test_list_takes_the_same_queries_for_ten_rows_and_for_a_page(loaded, operator):
    counts = []
    for search in ("celiac", ""):
        operator.get(url_of(InstantPattern, "changelist"), {"q": search})
        with CaptureQueriesContext(connection) as queries:
            operator.get(url_of(InstantPattern, "changelist"), {"q": search})
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_messages_are_tried_line_by_line(owner):
    page = owner.post(reverse(TRY), {"messages": "I'm allergic to nuts\nhello\nNo, I'm not allergic to nuts!"})
    first, second, third = page.context["outcome"].rows
    assert [fact.key for fact in first.facts] == ["nuts"]
    assert any(each.name == "companion/allergy.en.i_am_allergic" and each.is_believed for each in first.fired)
    assert first.microseconds > 0
    assert "anchors/allergy.en.allergic" in first.anchors
    assert second.anchors == ()
    assert (second.fired, second.facts) == ((), ())
    assert third.facts == ()
    [correction] = third.corrections
    assert correction.outcome == "denied"
    assert [fact.key for fact in correction.facts] == ["nuts"]
    assert "companion/allergy.en.i_am_allergic" in page.content.decode()
    assert "anchors/allergy.en.allergic" in page.content.decode()


def test_meaning_of_messages_is_told_with_whoever_refuses_it(owner, monkeypatch):
    monkeypatch.setattr("factcheck.patterns.admin.try_patterns.get_scorer", lambda: FixedScorer(SURE))
    messages = "hazelnut cake last night, ended up on a drip\nmy brother swells up from hazelnuts every time"
    page = owner.post(reverse(TRY), {"messages": messages})
    believed, guarded = page.context["outcome"].rows
    assert [(each.type, each.key, each.verdict) for each in believed.meant if each.type == "allergy"] == [
        ("allergy", "hazelnuts", "believed")
    ]
    assert [fact.pattern for fact in believed.facts] == ["semantic/allergy@fixed"]
    assert [(each.key, each.verdict) for each in guarded.meant if each.type == "allergy"] == [("hazelnuts", "guarded")]
    assert guarded.facts == ()
    assert "such a statement: 99 %, meant: 99 %" in page.content.decode()


def test_draft_is_tried_before_it_is_saved(operator):
    form = {"messages": "unicorn dust turns me blue", "pattern": "unicorn dust turns me blue", "key": "dust"}
    assert operator.post(reverse(TRY), {"messages": form["messages"]}).context["outcome"].rows[0].facts == ()
    page = operator.post(reverse(TRY), form)
    outcome = page.context["outcome"]
    assert [fact.key for fact in outcome.rows[0].facts] == ["dust"]
    assert outcome.validation.share.size > 100
    assert "can be saved" in page.content.decode()
    refused = operator.post(reverse(TRY), form | {"pattern": "(?=x)"})
    assert "pattern_invalid" in refused.content.decode()
    assert InstantPattern.objects.count() == 0


def test_only_operators_learn_how_often_a_draft_fires_on_stored_messages(owner):
    page = owner.post(reverse(TRY), {"messages": "x", "pattern": "unicorn dust", "key": "dust"})
    assert page.context["outcome"].validation.share is None


def test_stored_pattern_can_be_tried_in_another_wording(loaded, owner):
    row = InstantPattern.objects.get(name="allergy.en.celiac")
    page = owner.get(reverse(TRY), {"pattern": row.pk})
    initial = page.context["form"].initial
    assert initial["name"] == "allergy.en.celiac"
    form = {**initial, "closed": "", "pattern": "wheat is my enemy", "messages": "I am celiac\nwheat is my enemy"}
    outcome = owner.post(reverse(TRY), form).context["outcome"]
    assert [[fact.key for fact in row.facts] for row in outcome.rows] == [[], ["gluten"]]


@pytest.mark.parametrize("name", list_case_files())
def test_every_case_of_every_file_passes_in_the_box(owner, name):
    outcome = owner.post(reverse(TRY), {"case_file": name}).context["outcome"]
    assert outcome.passed > 30
    assert [row.case.name for row in outcome.rows if row.has_passed is False] == []


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({}, "Write at least one message"),
        ({"messages": "x" * 1_000_000}, "the most is 200,000"),
        ({"messages": "x\n" * 10_000}, "the most is 500"),
        ({"messages": "a\x00b"}, "Null characters"),
        ({"case_file": "../../etc/passwd"}, "not one of the available choices"),
        ({"messages": "x", "type": "mood"}, "not one of the available choices"),
        ({"messages": "x", "pattern": "{nothing}"}, "unknown macro"),
    ],
)
def test_bad_input_is_told_plainly(owner, form, said):
    page = owner.post(reverse(TRY), form)
    assert page.status_code == 200
    assert said in page.content.decode()
    assert page.context["outcome"] is None or not page.context["outcome"].rows


def test_odd_messages_are_read_and_shown_escaped(owner):
    page = owner.post(reverse(TRY), {"messages": "😀😀\n<script>alert(1)</script>\n\u202eمرحبا\n" + "(" * 5_000})
    assert page.status_code == 200
    assert "<script>alert(1)" not in page.content.decode()


def test_messages_reach_nobody_without_a_token(loaded):
    user = get_user_model().objects.create_superuser("careful")
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    assert client.post(reverse(TRY), {"messages": "x"}).status_code == 403


def test_refusal_of_a_deletion_becomes_a_message(loaded, operator):
    row = PatternPack.objects.create(name="own")
    InstantPattern.objects.create(
        pack=row, name="x", type="allergy", language="en", pattern="x", key_rule="concept", key="x"
    )
    answer = operator.post(url_of(PatternPack, "delete", row.pk), {"post": "yes"})
    assert PatternPack.objects.filter(pk=row.pk).exists()
    assert answer.status_code == 200 or list(get_messages(answer.wsgi_request))

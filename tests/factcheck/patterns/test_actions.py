"""What may be saved as a pattern, who wins when two edit, and what the database refuses by itself."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth import get_user_model
from django.db import DataError, IntegrityError, connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from episodes.models import Conversation, Message
from factcheck.errors import PatternChanged, PatternRefused, PatternTooBroad, ShippedRow, UnknownPatternRow
from factcheck.models import (
    Concept,
    CorrectionPattern,
    ExtractionAnchor,
    InstantPattern,
    PatternGuard,
    PatternPack,
    PatternVersion,
)
from factcheck.patterns.actions.patterns import delete_row, describe_pattern, save_row
from factcheck.patterns.actions.validation import validate_pattern
from factcheck.patterns.selectors.patterns import read_configuration
from memoryproject.errors import DomainError
from tenancy.models import EndUser, Tenant

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("pattern", "code", "said"),
    [
        ("(?=look)ahead", "pattern_invalid", "RE2"),
        ("(?<!not )nuts", "pattern_invalid", "RE2"),
        (r"(a)\1", "pattern_invalid", "RE2"),
        ("(unclosed", "pattern_invalid", "RE2"),
        ("{no_such_macro}", "pattern_invalid", "no_such_macro"),
        ("", "pattern_invalid", "empty"),
        ("x" * 5_000, "pattern_invalid", "longer"),
        ("(?:nuts)?", "pattern_matches_empty", "every message"),
        (".*", "pattern_matches_empty", "every message"),
    ],
)
def test_pattern_that_cannot_work_is_refused_with_its_reason(loaded, make_pattern, pattern, code, said):
    with pytest.raises(PatternRefused, match=said) as refusal:
        save_row(make_pattern(pattern))
    assert refusal.value.code == code
    assert not InstantPattern.objects.filter(pack__name="own").exists()


@pytest.mark.parametrize("pattern", [".", ".+", r"\S+", "{w}"])
def test_pattern_that_fires_everywhere_is_refused_with_share_and_size(loaded, make_pattern, pattern):
    with pytest.raises(PatternTooBroad) as refusal:
        save_row(make_pattern(pattern))
    assert refusal.value.extra["sample_size"] >= 100
    assert refusal.value.extra["share"] > 0.1


def test_catastrophic_pattern_is_harmless_and_may_be_saved(loaded, make_pattern):
    validation = validate_pattern(describe_pattern(make_pattern("(a+)+$")))
    assert validation.findings == ()
    assert save_row(make_pattern("(a+)+$")).pk


def test_all_shipped_patterns_pass_the_validation_that_edits_must_pass(loaded):
    rows = InstantPattern.objects.select_related("pack")[::9]
    assert [row.name for row in rows if validate_pattern(describe_pattern(row)).findings] == []


def test_key_rule_wants_what_it_reads(loaded, make_pattern):
    with pytest.raises(PatternRefused, match="value"):
        save_row(make_pattern("my budget is low", type="budget", key_rule="money"))
    with pytest.raises(PatternRefused, match="needs a key"):
        save_row(make_pattern(r"tall (?P<value>\d+)", type="body_params", key_rule="measure", key=""))
    with pytest.raises(PatternRefused, match="no guard"):
        save_row(make_pattern(skips=["no_such_guard"]))


@pytest.fixture
def talk(db):
    tenant = Tenant.objects.create(name="Studio", slug="studio")
    user = EndUser.objects.create(tenant=tenant, external_id="player")
    conversation = Conversation.objects.create(tenant=tenant, end_user=user, last_seq=10_000)

    def say(*texts: str, role: str = "user", first: int = 1) -> None:
        from django.utils import timezone

        Message.objects.bulk_create(
            Message(
                tenant=tenant, conversation=conversation, seq=seq, role=role, content=text, language="en",
                sent_at=timezone.now(),
            )
            for seq, text in enumerate(texts, start=first)
        )  # fmt: skip

    return say


def test_share_is_counted_over_stored_user_messages(loaded, make_pattern, talk, settings):
    talk(*["the dragon sleeps"] * 240, *["dust makes me sneeze"] * 10)
    talk(*["dust makes me sneeze"] * 300, role="assistant", first=1_000)
    draft = describe_pattern(make_pattern("dust makes me sneeze"))
    validation = validate_pattern(draft)
    assert (validation.share.hits, validation.share.size) == (10, 250)
    assert validation.is_too_broad
    settings.PATTERN_MAX_SHARE = 0.05
    assert not validate_pattern(draft).is_too_broad
    assert validate_pattern(draft, with_sample=False).share is None


def test_validation_reads_as_many_rows_as_it_needs_in_as_many_queries(loaded, make_pattern, talk):
    draft = describe_pattern(make_pattern())
    counts = []
    for first, size in ((1, 5), (1_000, 300)):
        talk(*["the dragon sleeps"] * size, first=first)
        with CaptureQueriesContext(connection) as queries:
            validate_pattern(draft)
        counts.append(len(queries))
    assert counts == [2, 2]


def test_switching_off_a_pattern_that_is_too_broad_is_never_refused(loaded, make_pattern):
    row = make_pattern("{w}")
    row.save()
    row.is_active = False
    assert save_row(row).is_active is False


def test_one_broken_row_does_not_keep_another_from_being_mended(loaded, make_pattern):
    InstantPattern.objects.filter(name__startswith="allergy.en").update(pattern="(broken")
    row = InstantPattern.objects.filter(name="allergy.en.celiac").get()
    row.pattern = "i am celiac"
    assert save_row(row).revision == 2
    assert save_row(make_pattern()).pk


def test_macro_or_guard_that_others_use_stays(loaded):
    pattern_set = PatternPack.objects.get(name="companion")
    del pattern_set.macros["i_am"]
    with pytest.raises(PatternRefused, match="i_am"):
        save_row(pattern_set)
    guard = PatternGuard.objects.get(name="joking")
    guard.is_active = False
    with pytest.raises(PatternRefused, match="joking"):
        save_row(guard)
    guard = PatternGuard.objects.get(name="joking")
    guard.pattern = "x?"
    with pytest.raises(PatternRefused, match="empty text"):
        save_row(guard)


def test_name_belongs_to_one_concept(loaded):
    with pytest.raises(PatternRefused, match="honey"):
        save_row(Concept(key="nectar", types=["allergy"], names={"en": ["honey"]}))
    assert save_row(Concept(key="unicorn_dust", types=["allergy"], names={"en": ["unicorn dust"]})).pk


def test_shipped_rows_are_not_deleted_and_own_ones_are(loaded, make_pattern):
    with pytest.raises(ShippedRow):
        delete_row(InstantPattern.objects.first())
    row = save_row(make_pattern())
    delete_row(InstantPattern.objects.get(pk=row.pk))
    with pytest.raises(UnknownPatternRow):
        delete_row(row)
    with pytest.raises(UnknownPatternRow):
        save_row(row, expected_revision=1)


def test_pattern_set_with_rows_is_not_deleted(loaded, make_pattern):
    row = save_row(make_pattern())
    with pytest.raises(ShippedRow, match="still holds"):
        delete_row(row.pack)


def test_row_keeps_what_it_is_known_by_and_its_history_says_who_and_why(loaded):
    user = get_user_model().objects.create_user("operator")
    row = InstantPattern.objects.get(name="allergy.en.celiac")
    row.name, row.priority = "renamed", 7
    save_row(row, expected_revision=1, user_id=user.pk, reason="It was too quiet.")
    row.refresh_from_db()
    assert (row.name, row.priority, row.revision) == ("allergy.en.celiac", 7, 2)
    newest = row.history.first()
    assert (newest.history_user, newest.history_change_reason) == (user, "It was too quiet.")


def test_dry_run_stores_nothing(loaded, make_pattern):
    before = PatternVersion.objects.get().number
    save_row(make_pattern(), dry_run=True)
    assert not InstantPattern.objects.filter(pack__name="own").exists()
    assert PatternVersion.objects.get().number == before + 1  # the pack that the fixture made


def test_first_edit_of_empty_tables_keeps_what_ships():
    pattern_set = PatternPack(name="own")
    save_row(pattern_set)
    assert InstantPattern.objects.count() > 100


@pytest.mark.django_db(transaction=True)
def test_of_two_editors_of_one_row_the_second_is_told(loaded):
    barrier = threading.Barrier(2)

    def edit(priority: int) -> object:
        try:
            row = InstantPattern.objects.get(name="allergy.en.celiac")
            row.priority = priority
            barrier.wait(20)
            return save_row(row, expected_revision=1)
        except DomainError as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(edit, (1, 2)))
    [won] = [each for each in results if isinstance(each, InstantPattern)]
    assert [type(each) for each in results if each is not won] == [PatternChanged]
    stored = InstantPattern.objects.get(pk=won.pk)
    assert (stored.priority, stored.revision) == (won.priority, 2)


@pytest.mark.django_db(transaction=True)
def test_macro_and_the_pattern_that_uses_it_do_not_pass_each_other(loaded):
    pattern_set = save_row(PatternPack(name="own", macros={"thing": "unicorn dust"}))
    barrier = threading.Barrier(2)

    def run(action) -> object:
        try:
            barrier.wait(20)
            return action()
        except DomainError as error:
            return error
        finally:
            connections.close_all()

    def drop_macro() -> object:
        mine = PatternPack.objects.get(pk=pattern_set.pk)
        mine.macros = {}
        return save_row(mine)

    def use_macro() -> object:
        return save_row(
            InstantPattern(
                pack=pattern_set,
                name="uses",
                type="allergy",
                language="en",
                pattern="my {thing}",
                key_rule="concept",
                key="x",
            )
        )

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(run, (drop_macro, use_macro)))
    assert [isinstance(each, PatternRefused) for each in results].count(True) == 1


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("instant_pattern_type_known", "type = 'mood'"),
        ("instant_pattern_language_known", "language = 'xx'"),
        ("instant_pattern_key_rule_known", "key_rule = 'guess'"),
        ("instant_pattern_not_empty", "pattern = '  '"),
        ("instant_pattern_key_well_formed", "key = 'No Spaces'"),
        ("instant_pattern_confidence_range", "confidence = 1.5"),
        ("instant_pattern_rollout_range", "rollout_percent = 101"),
        ("instant_pattern_name_well_formed", "name = 'Bad Name'"),
    ],
)
def test_database_refuses_a_wrong_pattern_by_itself(loaded, rule, change):
    _refuse(f"UPDATE factcheck_instantpattern SET {change}", rule)


@pytest.mark.parametrize(
    ("rule", "statement"),
    [
        ("pattern_pack_name_unique", "UPDATE factcheck_patternpack SET name = 'same'"),
        ("pattern_pack_name_well_formed", "UPDATE factcheck_patternpack SET name = 'No'"),
        ("pattern_pack_macros_are_an_object", "UPDATE factcheck_patternpack SET macros = '[]'"),
        ("pattern_guard_name_unique", "UPDATE factcheck_patternguard SET name = 'same'"),
        ("pattern_guard_where_known", "UPDATE factcheck_patternguard SET \"where\" = 'there'"),
        ("pattern_guard_types_known", "UPDATE factcheck_patternguard SET types = '{mood}'"),
        ("pattern_guard_not_empty", "UPDATE factcheck_patternguard SET pattern = ''"),
        ("correction_pattern_kind_known", "UPDATE factcheck_correctionpattern SET kind = 'x'"),
        ("correction_pattern_not_empty", "UPDATE factcheck_correctionpattern SET pattern = ''"),
        ("correction_pattern_name_unique", "UPDATE factcheck_correctionpattern SET name = 'same'"),
        ("extraction_anchor_name_unique", "UPDATE factcheck_extractionanchor SET name = 'same'"),
        ("extraction_anchor_name_well_formed", "UPDATE factcheck_extractionanchor SET name = 'Bad Name'"),
        ("extraction_anchor_type_known", "UPDATE factcheck_extractionanchor SET type = 'onboarding_style'"),
        ("extraction_anchor_language_known", "UPDATE factcheck_extractionanchor SET language = 'xx'"),
        ("extraction_anchor_not_empty", "UPDATE factcheck_extractionanchor SET pattern = ' '"),
        ("concept_key_well_formed", "UPDATE factcheck_concept SET key = 'Bad Key'"),
        ("concept_key_unique", "UPDATE factcheck_concept SET key = 'same'"),
        ("concept_types_known", "UPDATE factcheck_concept SET types = '{}'"),
        ("concept_names_are_an_object", "UPDATE factcheck_concept SET names = '[]'"),
        ("pattern_version_is_one_row", "INSERT INTO factcheck_patternversion (id) VALUES (2)"),
    ],
)
def test_database_refuses_other_wrong_rows_by_itself(loaded, rule, statement):
    _refuse(statement, rule)


def _refuse(statement: str, rule: str) -> None:
    with (
        pytest.raises((IntegrityError, DataError), match=rule),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def test_anchor_is_checked_and_a_changed_one_makes_a_version(loaded):
    pattern_set = PatternPack.objects.get(name="anchors")
    with pytest.raises(PatternRefused, match="RE2"):
        save_row(ExtractionAnchor(pack=pattern_set, name="own", type="allergy", language="en", pattern="(?!x)no"))
    with pytest.raises(PatternRefused, match="empty text"):
        save_row(ExtractionAnchor(pack=pattern_set, name="own", type="allergy", language="en", pattern="(?:no)?"))
    before = PatternVersion.objects.get().number
    with connection.cursor() as cursor:
        cursor.execute("UPDATE factcheck_extractionanchor SET is_active = false WHERE name = 'allergy.en.reaction'")
    names = {row.name for each in read_configuration().pattern_sets for row in each.anchors}
    assert "allergy.en.allergic" in names
    assert "allergy.en.reaction" not in names
    assert PatternVersion.objects.get().number >= before


def test_correction_is_checked_too(loaded):
    pattern_set = PatternPack.objects.get(name="companion")
    with pytest.raises(PatternRefused, match="RE2"):
        save_row(CorrectionPattern(pack=pattern_set, name="own", kind="denied", language="en", pattern="(?!x)no"))

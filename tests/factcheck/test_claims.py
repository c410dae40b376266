"""A claim from end to end: what decides, who may know, what is kept, and what happens without a part."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from factcheck.claims.actions.claims import assert_claim
from factcheck.claims.selectors.claims import list_contradicted_claims
from factcheck.errors import InvalidClaim
from factcheck.models import ContradictedClaim
from knowledge.errors import UnknownDomain, UnknownRelease
from tests.factories.canon import make_article, publish
from tests.factories.tenants import make_world
from tests.loopback_openai import serve_openai

BRIDGE = make_article(
    "moon-bridge",
    "The Moon Bridge stands on black oak piles. The fog never reaches its lanterns. Legend says it sings at night.",
    title="The Moon Bridge",
    fields={"arches": 9, "keeper": "[[li-shen]]"},
    field_labels={"arches": ["arches"], "keeper": ["keeper"]},
)
BRIDGE_RU = make_article(
    "moon-bridge-ru",
    "Мост стоит на дубовых сваях.",
    title="Лунный мост",
    language="ru",
    field_labels={"arches": ["арок"]},
    fields={"arches": 9},
    relations=[{"type": "translation_of", "to": "moon-bridge"}],
)
KEEPER = make_article("li-shen", "He keeps the bridge.", title="Li Shen", type="character", aliases=["Old Li"])
SECRET = make_article(
    "hidden-door",
    "The hidden door has three iron locks.",
    title="The Hidden Door",
    audience=["npc:li-shen"],
    fields={"steps": 61},
    field_labels={"steps": ["steps"]},
)


@pytest.fixture
def world(db):
    made = make_world()
    publish(made, BRIDGE, BRIDGE_RU, KEEPER, SECRET)
    return made


def judge(world, claim, **options):
    return assert_claim(tenant_id=world.tenant_id, world_id=world.pk, claim=claim, **options)


def test_field_decides_and_names_its_source(world):
    result = judge(world, "The Moon Bridge has eleven arches.", request_id="turn-1", npc_id="oda")
    source = result.sources[0]
    assert (result.verdict, result.method, result.expected, result.release) == ("false", "fields", 9, 1)
    assert (source.slug, source.field, source.release, source.version) == ("moon-bridge", "arches", 1, "1.0.0")
    assert source.passage_id is not None
    kept = list_contradicted_claims(ContradictedClaim.objects.get().domain_index_id).get()
    assert (kept.claim, kept.npc_id, kept.source_slug, kept.expected, kept.request_id, kept.tenant_id) == (
        "The Moon Bridge has eleven arches.",
        "oda",
        "moon-bridge",
        9,
        "turn-1",
        world.tenant_id,
    )


def test_claim_may_name_the_subject_in_one_language_and_the_field_in_another(world):
    assert judge(world, "У Лунного моста девять арок.").verdict == "true"
    assert judge(world, "Лунный мост has nine arches.").verdict == "true"


def test_true_and_unknown_claims_are_not_kept(world):
    assert judge(world, "The keeper of the Moon Bridge is Old Li.").verdict == "true"
    assert judge(world, "The Moon Bridge is painted blue.").verdict == "unknown"
    assert not ContradictedClaim.objects.exists()


def test_sentence_of_canon_bears_out_the_whole_claim_or_nothing(world):
    true = judge(world, "The Moon Bridge stands on black oak piles.")
    assert (true.verdict, true.method, true.sources[0].slug) == ("true", "retrieval", "moon-bridge")
    assert true.sources[0].excerpt == "The Moon Bridge stands on black oak piles."
    assert judge(world, "The Moon Bridge stands on oak piles.").verdict == "unknown"
    assert judge(world, "Black oak piles stand on the Moon Bridge.").verdict == "unknown"


def test_sentence_with_another_number_or_polarity_contradicts(world):
    number = judge(world, "The hidden door has four iron locks.", npc_id="li-shen")
    polarity = judge(world, "The fog reaches its lanterns.")
    assert (number.verdict, number.method) == ("false", "retrieval")
    assert (polarity.verdict, polarity.method) == ("false", "retrieval")


def test_hearsay_in_canon_decides_nothing(world):
    assert judge(world, "It sings at night.").verdict == "unknown"
    assert judge(world, "Legend says it sings at night.").verdict == "unknown"


def test_secret_decides_for_those_only_who_may_know_it(world):
    for claim in ("The Hidden Door has 61 steps.", "The Hidden Door has 60 steps.", "The hidden door has four locks."):
        outsider = judge(world, claim)
        stranger = judge(world, claim, npc_id="oda-marr")
        for result in (outsider, stranger):
            assert (result.verdict, result.sources, result.expected) == ("unknown", (), None)
            assert "61" not in result.explanation
    assert judge(world, "The Hidden Door has 61 steps.", npc_id="li-shen").verdict == "true"


def test_past_release_answers_with_what_it_said(world):
    publish(world, {**BRIDGE, "fields": {"arches": 10}}, retire=["moon-bridge-ru"])
    claim = "The Moon Bridge has nine arches."
    assert judge(world, claim).verdict == "false"
    past = judge(world, claim, release=1)
    assert (past.verdict, past.release) == ("true", 1)


def test_bad_input_is_refused_with_a_code(world):
    for claim, code in (("", "claim_empty"), ("?!…", "claim_empty"), ("x" * 1001, "claim_too_long")):
        with pytest.raises(InvalidClaim) as refusal:
            judge(world, claim)
        assert refusal.value.code == code
    with pytest.raises(InvalidClaim):
        judge(world, "The Moon Bridge has nine arches.", npc_id="n" * 121)
    with pytest.raises(UnknownRelease):
        judge(world, "The Moon Bridge has nine arches.", release=9)
    with pytest.raises(UnknownDomain):
        assert_claim(tenant_id=world.tenant_id + 1, world_id=world.pk, claim="The Moon Bridge has nine arches.")


def test_claim_costs_the_same_queries_however_many_articles_there_are(world):
    def count():
        with CaptureQueriesContext(
            connection,
        ) as queries:
            judge(world, "The keeper of the Moon Bridge is Li Shen.")
        return len(queries)

    small = count()
    publish(world, *[make_article(f"filler-{number}", f"Filler number {number}.") for number in range(30)])
    assert count() == small <= 7


def ask_model(world, settings, claim, answer, **options):
    with serve_openai(chat=lambda _body: json.dumps(answer), **options) as server:
        settings.CHAT_MODEL, settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY = "m", server.url, "k"
        return judge(world, claim)


def test_model_decides_only_with_a_verbatim_quotation(world, settings):
    claim = "The Moon Bridge rests on piles of oak."
    good = {"verdict": "true", "passage": 1, "quote": "The Moon Bridge stands on black oak piles."}
    result = ask_model(world, settings, claim, good)
    assert (result.verdict, result.method, result.sources[0].excerpt) == ("true", "model", good["quote"])
    for bad in (
        {**good, "quote": "The Moon Bridge rests on piles of oak."},
        {**good, "quote": "The fog never reaches its lanterns."},
        {**good, "passage": 99},
        {**good, "verdict": "certainly"},
        {"verdict": "unknown"},
        {},
    ):
        assert ask_model(world, settings, claim, bad).verdict == "unknown"


def test_failing_model_leaves_the_claim_unknown_and_says_so(world, settings):
    result = ask_model(world, settings, "The Moon Bridge rests on piles of oak.", {}, status=500)
    assert (result.verdict, result.degraded) == ("unknown", ("model_unavailable",))

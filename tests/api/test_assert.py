"""Holding claims against canon by REST."""

from __future__ import annotations

import pytest

from factcheck.models import ContradictedClaim
from tests.factories.canon import LORE, article, publish


@pytest.fixture
def canon(world):
    mira = article(
        "mira",
        "Mira keeps the bells.",
        type="character",
        fields={"born_year": 1180},
        field_labels={"born_year": ["born"]},
    )
    orin = article(
        "orin",
        "Orin is Mira's lost brother.",
        type="character",
        audience=["npc:mira"],
        fields={"born_year": 1176},
        field_labels={"born_year": ["born"]},
    )
    publish(world, *(each for each in LORE if each["slug"] != "mira"), mira, orin)
    return world


def test_a_false_claim_is_answered_with_what_canon_says_and_kept(api, canon):
    document = api.post("lore/assert", {"fact": "Mira was born in 1179."}, X_Request_ID="turn-7").json()
    assert (document["verdict"], document["method"], document["expected"]) == ("false", "fields", 1180)
    source = document["sources"][0]
    assert (source["slug"], source["field"], source["release"]) == ("mira", "born_year", 1)
    kept = ContradictedClaim.objects.get()
    assert (kept.claim, kept.source_slug, kept.request_id) == ("Mira was born in 1179.", "mira", "turn-7")


def test_a_true_claim_and_one_that_canon_does_not_decide(api, canon):
    assert api.post("lore/assert", {"fact": "Mira was born in 1180."}).json()["verdict"] == "true"
    document = api.post("lore/assert", {"fact": "Dragons like cheese."}).json()
    assert (document["verdict"], document["method"], document["sources"]) == ("unknown", None, [])
    assert not ContradictedClaim.objects.exists()


def test_a_past_release_is_asked_by_number(api, canon):
    publish(canon, article("mira", "New.", type="character", fields={"born_year": 1181}))
    claim = {"fact": "Mira was born in 1180."}
    assert api.post("lore/assert", {**claim, "release": 1}).json()["verdict"] == "true"
    assert api.post("lore/assert", claim).json()["release"] == 2


BAD_CLAIMS = [
    ({}, 400, "body_invalid"),
    ({"fact": 7}, 400, "body_invalid"),
    ({"fact": ""}, 400, "body_invalid"),
    ({"fact": " \0\n"}, 400, "body_invalid"),
    ({"fact": "x" * 1001}, 400, "body_invalid"),
    ({"fact": "x", "npc": "mira"}, 400, "body_invalid"),
    ({"fact": "x", "npc_id": "a\0b"}, 400, "body_invalid"),
    ({"fact": "x", "release": 1, "alias": "latest"}, 400, "body_invalid"),
    ({"fact": "x", "release": 0}, 400, "body_invalid"),
    ({"fact": "x", "release": True}, 400, "body_invalid"),
    ({"fact": "x", "release": 9}, 404, "release_not_found"),
    ({"fact": "x", "alias": "newest"}, 404, "alias_not_found"),
    ({"fact": "x", "domain": "myths"}, 404, "domain_not_found"),
]


def test_a_claim_out_of_form_is_told_by_its_code(api, canon, problem, subtests):
    for body, status, code in BAD_CLAIMS:
        with subtests.test(body=str(body)[:60]):
            problem(api.post("lore/assert", body), status, code)


def test_half_a_surrogate_in_a_claim_is_no_server_error(api, canon):
    assert api.post("lore/assert", {"fact": "Mira \ud800 was born"}).status_code in {200, 400}


def test_asserting_takes_the_scope_read(make_api, canon, problem):
    problem(make_api("editor").post("lore/assert", {"fact": "x"}), 403, "scope_missing")


def test_a_secret_decides_nothing_for_those_who_may_not_know_it(api, canon):
    claim = {"fact": "Orin was born in 1176."}
    document = api.post("lore/assert", claim).json()
    assert (document["verdict"], document["sources"], document["expected"]) == ("unknown", [], None)
    assert api.post("lore/assert", {**claim, "npc_id": "mira"}).json()["verdict"] == "true"

"""The claims about the sample world point at articles that prove or disprove them."""

import re
from collections import Counter
from typing import Any

import pytest

from tests.samples.articles import LANGUAGES, read_articles, read_claims

BY_SLUG = {article.slug: article for article in read_articles()}
CLAIMS = read_claims()
NUMBER = re.compile(r"\d+(?:[.,]\d+)?")

every_claim = pytest.mark.parametrize("claim", CLAIMS, ids=[claim["claim"] for claim in CLAIMS])


def numbers_in(text: str) -> set[float]:
    return {float(match[0].replace(",", ".")) for match in NUMBER.finditer(text.replace("-", " "))}


@every_claim
def test_claim_has_the_keys_that_the_readme_promises(claim: dict[str, Any]):
    assert claim.keys() == {"claim", "language", "expect", "source"}
    assert claim["language"] in LANGUAGES
    assert claim["expect"] in {"true", "false", "unknown"}


@every_claim
def test_decided_claim_names_a_public_article_with_fields_in_its_language(claim: dict[str, Any]):
    if claim["expect"] == "unknown":
        assert claim["source"] is None
        return
    source = BY_SLUG[claim["source"]]
    assert not source.is_secret
    assert source.front["fields"]
    assert source.front["language"] == claim["language"]


@pytest.mark.parametrize(
    "claim",
    [claim for claim in CLAIMS if claim["source"] and NUMBER.search(claim["claim"])],
    ids=lambda claim: claim["claim"],
)
def test_numbers_of_a_claim_are_in_the_fields_of_its_source_only_if_it_is_true(claim: dict[str, Any]):
    known = numbers_in(" ".join(str(value) for value in BY_SLUG[claim["source"]].front["fields"].values()))
    assert (numbers_in(claim["claim"]) <= known) == (claim["expect"] == "true")


def test_claims_cover_all_languages_and_verdicts():
    per_group = Counter((claim["language"], claim["expect"]) for claim in CLAIMS)
    assert set(per_group) == {(language, verdict) for language in LANGUAGES for verdict in ("true", "false", "unknown")}
    assert min(per_group.values()) >= 2
    assert len(CLAIMS) >= 40


def test_no_claim_is_made_twice():
    assert max(Counter(claim["claim"] for claim in CLAIMS).values()) == 1

"""The golden queries of the sample world are well formed, and keywords alone can answer them."""

from collections import Counter
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from knowledge.search.core.bm25 import ExactDocument, ExactIndex
from knowledge.text.analysis import lexeme_counts
from tests.samples.articles import DOMAINS, LANGUAGES, Article, read_articles, read_golden, read_schema

BY_SLUG = {article.slug: article for article in read_articles()}
QUERIES = [(domain, query) for domain in DOMAINS for query in read_golden(domain)]

every_query = pytest.mark.parametrize(("domain", "query"), QUERIES, ids=[query["id"] for _, query in QUERIES])


def may_read(article: Article, npc_id: str | None) -> bool:
    if not article.is_secret:
        return True
    if npc_id is None:
        return False
    factions = BY_SLUG[npc_id].front["fields"]["factions"]
    readers = {f"npc:{npc_id}", *(f"faction:{faction}" for faction in factions)}
    return bool(readers & set(article.front["audience"]))


@cache
def index_for(domain: str, npc_id: str | None) -> ExactIndex:
    """Exact BM25 over what the asker may read."""
    readable = [article for article in read_articles() if article.domain == domain and may_read(article, npc_id)]
    return ExactIndex(
        ExactDocument(a.slug, lexeme_counts(" ".join([a.front["title"], *a.front.get("aliases", []), a.body])))
        for a in readable
    )


def search(domain: str, query: dict[str, Any], *, limit: int) -> list[str]:
    ranked = index_for(domain, query.get("npc_id")).rank(lexeme_counts(query["query"]), limit=limit)
    return [slug for slug, _ in ranked]


@pytest.mark.parametrize("domain", DOMAINS)
def test_golden_file_matches_the_schema(domain: str):
    schema = read_schema("golden_queries.schema.json")
    Draft202012Validator.check_schema(schema)
    assert [error.message for error in Draft202012Validator(schema).iter_errors(read_golden(domain))] == []


@every_query
def test_golden_query_names_articles_of_its_domain_and_a_character(domain: str, query: dict[str, Any]):
    named = {*query.get("must_hit", []), *query.get("relevant", {}), *query.get("must_not_hit", [])}
    assert {slug: BY_SLUG[slug].domain for slug in named} == dict.fromkeys(named, domain)
    if "npc_id" in query:
        assert BY_SLUG[query["npc_id"]].front["type"] == "character"


@every_query
def test_must_hits_are_graded_as_answers_and_never_forbidden(domain: str, query: dict[str, Any]):
    must_hit = query.get("must_hit", [])
    assert all(query["relevant"][slug] == 3 for slug in must_hit)
    assert not set(must_hit) & set(query.get("must_not_hit", []))


@every_query
def test_keywords_alone_bring_the_must_hits_into_the_first_eight(domain: str, query: dict[str, Any]):
    found = search(domain, query, limit=query.get("k", 8))
    assert set(query.get("must_hit", [])) <= set(found)


@every_query
def test_forbidden_articles_are_secrets_that_the_words_of_the_query_do_match(domain: str, query: dict[str, Any]):
    lexemes = lexeme_counts(query["query"]).keys()
    for slug in query.get("must_not_hit", []):
        article = BY_SLUG[slug]
        assert not may_read(article, query.get("npc_id"))
        assert lexemes & lexeme_counts(article.front["title"] + article.body).keys()


@every_query
def test_golden_query_does_not_copy_the_title_of_its_answer(domain: str, query: dict[str, Any]):
    assert all(
        query["query"].casefold() != BY_SLUG[slug].front["title"].casefold() for slug in query.get("must_hit", [])
    )


def test_ids_are_unique_over_both_domains():
    assert max(Counter(query["id"] for _, query in QUERIES).values()) == 1


def test_queries_cover_both_domains_and_all_languages():
    per_group = Counter((domain, query["language"]) for domain, query in QUERIES)
    assert set(per_group) == {(domain, language) for domain in DOMAINS for language in LANGUAGES}
    assert min(per_group.values()) >= 5
    assert per_group.total() >= 40


def test_secrecy_is_tried_with_and_without_an_asker():
    forbidding = [query for _, query in QUERIES if query.get("must_not_hit")]
    assert len([query for query in forbidding if "npc_id" in query]) >= 4
    assert len([query for query in forbidding if "npc_id" not in query]) >= 4


def test_every_secret_is_forbidden_to_somebody_and_most_are_found_by_somebody():
    secrets = {slug for slug, article in BY_SLUG.items() if article.is_secret}
    forbidden = {slug for _, query in QUERIES for slug in query.get("must_not_hit", [])}
    found = {slug for _, query in QUERIES for slug in query.get("must_hit", []) if slug in secrets}
    assert forbidden == secrets
    assert len(found) >= 6

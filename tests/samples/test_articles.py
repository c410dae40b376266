"""The sample world keeps its own rules: format, links, languages and secrets."""

import re
import unicodedata
from collections import Counter
from datetime import date

import pytest
from jsonschema import Draft202012Validator

from tests.samples.articles import DOMAINS, LANGUAGES, MENTION, WORLD, Article, read_articles, read_schema

ARTICLES = read_articles()
BY_SLUG = {article.slug: article for article in ARTICLES}
SCRIPTS = {"en": "LATIN", "ru": "CYRILLIC", "ar": "ARABIC", "zh": "CJK"}
READING_SPAN = {"en": (80, 350), "ru": (80, 350), "ar": (80, 350), "zh": (130, 700)}
HAN = re.compile(r"[\u4e00-\u9fff]")

every_article = pytest.mark.parametrize("article", ARTICLES, ids=lambda article: article.slug)


def words_of(article: Article) -> int:
    """Words of the body, or characters where words are not spaced."""
    text = MENTION.sub(lambda match: match.group(2) or match.group(1), article.body)
    return len(HAN.findall(text)) if article.front["language"] == "zh" else len(text.split())


def letters_by_script(text: str) -> Counter[str]:
    return Counter(unicodedata.name(letter, "?").split()[0] for letter in text if letter.isalpha())


def test_schema_itself_is_valid():
    Draft202012Validator.check_schema(read_schema("lore_document.schema.json"))


@every_article
def test_article_matches_the_schema(article: Article):
    validator = Draft202012Validator(read_schema("lore_document.schema.json"))
    assert [error.message for error in validator.iter_errors(article.as_document())] == []


@every_article
def test_article_lies_where_its_slug_and_language_say(article: Article):
    assert article.path.stem == article.slug
    assert article.folder_language == article.front["language"]


@every_article
def test_article_is_written_in_the_script_of_its_language(article: Article):
    prose = MENTION.sub(lambda match: match.group(2) or "", article.body)
    letters = letters_by_script(prose + article.front["title"])
    assert letters[SCRIPTS[article.front["language"]]] >= 0.97 * letters.total()


@every_article
def test_links_of_an_article_lead_somewhere(article: Article):
    assert article.links() - BY_SLUG.keys() == set()


@every_article
def test_article_is_of_a_readable_length(article: Article):
    low, high = READING_SPAN[article.front["language"]]
    if "long" in article.front["tags"]:
        assert words_of(article) > high
        assert article.body.count("\n## ") >= 3
        assert "\n|---" in article.body
    else:
        assert low <= words_of(article) <= high


@every_article
def test_field_labels_name_fields_that_exist(article: Article):
    assert article.front.get("field_labels", {}).keys() <= article.front["fields"].keys()


@every_article
def test_dates_among_the_fields_are_quoted_iso_dates(article: Article):
    for name, value in article.front["fields"].items():
        if name == "date" or name.endswith("_date"):
            assert isinstance(value, str)
            assert date.fromisoformat(value)


def test_slugs_are_unique_over_both_domains():
    assert [slug for slug, count in Counter(article.slug for article in ARTICLES).items() if count > 1] == []


def test_rule_ids_belong_to_rules_and_are_unique_in_a_language():
    numbered = [article for article in ARTICLES if article.front.get("rule_id")]
    assert {article.front["type"] for article in numbered} == {"rule"}
    counts = Counter((article.front["rule_id"], article.front["language"]) for article in numbered)
    assert max(counts.values()) == 1


def test_every_rule_lies_in_srd_and_has_an_id():
    rules = {article.slug for article in ARTICLES if article.front["type"] == "rule"}
    assert rules == {article.slug for article in ARTICLES if article.domain == "srd"}
    assert all(BY_SLUG[slug].front["rule_id"] for slug in rules)


def test_translations_join_two_languages_of_one_kind_with_the_same_numbers():
    pairs = [
        (article, BY_SLUG[relation["to"]])
        for article in ARTICLES
        for relation in article.front.get("relations", [])
        if relation["type"] == "translation_of"
    ]
    assert len(pairs) >= 10
    for translation, original in pairs:
        assert translation.front["language"] != original.front["language"]
        assert translation.front["type"] == original.front["type"]
        assert translation.front.get("rule_id") == original.front.get("rule_id")
        numbers = {name: value for name, value in original.front["fields"].items() if isinstance(value, int | float)}
        assert numbers == {name: translation.front["fields"][name] for name in numbers}


def test_world_is_large_enough_in_both_domains_and_all_languages():
    by_domain = Counter(article.domain for article in ARTICLES)
    by_language = Counter(article.front["language"] for article in ARTICLES)
    assert set(by_domain) == set(DOMAINS)
    assert set(by_language) == set(LANGUAGES)
    assert by_domain["srd"] >= 28
    assert by_domain["lore"] >= 44
    assert min(by_language.values()) >= 14


def test_long_articles_show_chunking_in_three_languages():
    long = [article for article in ARTICLES if "long" in article.front["tags"]]
    assert {article.front["language"] for article in long} == {"en", "ru", "ar"}


def test_secrets_are_told_in_at_least_two_languages_and_to_readers_that_exist():
    secrets = [article for article in ARTICLES if article.is_secret]
    assert len(secrets) >= 6
    assert len({article.front["language"] for article in secrets}) >= 2
    for secret in secrets:
        for reader in secret.front["audience"]:
            kind, slug = reader.split(":")
            assert BY_SLUG[slug].front["type"] == {"npc": "character", "faction": "faction"}[kind]


def test_public_articles_never_point_at_a_secret_one():
    secret = {article.slug for article in ARTICLES if article.is_secret}
    leaks = {article.slug: article.links() & secret for article in ARTICLES if not article.is_secret}
    assert {slug: found for slug, found in leaks.items() if found} == {}


def test_public_articles_never_use_the_title_or_another_name_of_a_secret_one():
    names = {
        name.casefold()
        for article in ARTICLES
        if article.is_secret
        for name in [article.front["title"], *article.front.get("aliases", [])]
    }
    public = " ".join(f"{a.front['title']} {a.front.get('aliases')} {a.body}" for a in ARTICLES if not a.is_secret)
    assert [name for name in names if name in public.casefold()] == []


def test_factions_of_characters_are_articles_of_factions():
    factions = {
        slug
        for article in ARTICLES
        if article.front["type"] == "character"
        for slug in article.front["fields"]["factions"]
    }
    assert factions
    assert {BY_SLUG[slug].front["type"] for slug in factions} == {"faction"}


def test_nothing_but_articles_lies_in_the_domain_folders():
    strays = [path.name for domain in DOMAINS for path in (WORLD / domain).rglob("*") if path.is_file()]
    assert sorted(strays) == sorted(f"{article.slug}.md" for article in ARTICLES)

"""One registry of languages: every part of each is there or None, and nobody keeps a second list."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields

import pytest
import yaml

from episodes.events.core.cards import TEMPLATES
from factcheck.core.message_extraction import label_language
from factcheck.extraction.proposers.prompts import load_extraction_prompts
from factcheck.instant.core.concept_files import read_shipped_concepts
from factcheck.patterns.models.patterns import CorrectionPattern, ExtractionAnchor, InstantPattern
from factcheck.plots.proposers.prompts import load_plot_prompts
from knowledge.text.language import script_of_language
from knowledge.text.languages import (
    DIALOGUE_WORDS,
    HEARD_LANGUAGES,
    LANGUAGES,
    PATTERN_LANGUAGES,
    PROMPT_LANGUAGES,
    PROPOSER_LANGUAGES,
    SCRIPT_DEFAULTS,
    SEARCH_LANGUAGES,
    Language,
    find_prompt_language,
    find_proposer_language,
)
from runtime.config import load_check_prompts, load_condense_prompts, load_prompts, load_reply_templates
from runtime.notebook.templates import load_notebook_templates
from tests.tree import APPS, ROOT

REGISTRY = "knowledge/text/languages/"
NOT_LISTS = {
    "bench/facts.py": "lines that a benchmark makes up, by language",
    "bench/heard.py": "goals of a benchmark, by language",
    "episodes/events/core/references.py": "how each language refers to what happened: expressions",
    "factcheck/claims/core/replies/lexicon.py": "the columns of values.yaml",
    "factcheck/plots/proposers/offline/words.py": "words of stories for the offline proposer, by language",
    "knowledge/facts/core/types.py": "labels and hints of fact types, by language",
    "runtime/status/api/shapes.py": "the languages of the sample world, in an example",
    "devtools/demo/load.py": "the languages of the sample world",
}
"""Where three languages are named in one literal, and what that is."""


def list_second_lists() -> Iterator[tuple[str, int]]:
    """Literals of three or more codes of languages outside of the registry, by file and line."""
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if name.startswith(REGISTRY) or "migrations" in path.parts:
                continue
            source = path.read_text(encoding="utf-8")
            if sum(f'"{code}"' in source for code in LANGUAGES) > 2:
                yield from ((name, line) for line in find_literals(ast.parse(source)))


def find_literals(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        parts: list[ast.expr | None] = []
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            parts = list(node.elts)
        elif isinstance(node, ast.Dict):
            parts = list(node.keys)
        if len({part.value for part in parts if isinstance(part, ast.Constant)} & set(LANGUAGES)) > 2:
            yield node.lineno


def test_nobody_keeps_a_second_list():
    found = [place for place in list_second_lists() if place[0] not in NOT_LISTS]
    assert found == [], f"read knowledge.text.languages instead: {found}"


def test_exceptions_are_still_needed():
    assert set(NOT_LISTS) == {name for name, _ in list_second_lists()} & set(NOT_LISTS)


def test_the_search_for_lists_finds_them():
    assert list(find_literals(ast.parse('X = ("en", "ru", "ar")'))) == [1]
    assert not list(find_literals(ast.parse('X = ("en", "de", "fr"); Y = ("ru", "ar")')))


def test_no_part_of_a_language_has_a_default():
    with pytest.raises(TypeError):
        Language(code="xx", name="None")  # type: ignore[call-arg]
    assert {each.name for each in fields(Language)} >= {"script", "stem", "negations", "prompts", "patterns"}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_part_of_a_language_is_there(code: str):
    language = LANGUAGES[code]
    assert (ROOT / REGISTRY / code / "__init__.py").is_file()
    assert language.code == code
    assert script_of_language(code) in (language.script, None)
    if language.stem:
        assert language.stem("abcde" if language.script == "latin" else "абвгд")
    for words in (language.asking_words, language.negations):
        assert words is None or words.split()
    if language.dialogue:
        assert len(language.dialogue.months) == 12
        assert len(language.dialogue.units) == len(language.dialogue.seasons) == 4
        for form in (*language.dialogue.months, *language.dialogue.units, language.dialogue.asks_when):
            re.compile(form)
        assert language.dialogue.is_spaced == (language.boundary != "none")
    assert language.prompts is None or LANGUAGES[language.prompts].prompts == language.prompts
    assert language.proposer_prompts is None or language.proposer_prompts in PROPOSER_LANGUAGES
    if language.reply_name:
        for prompts in load_prompts().values():
            assert f"language_{language.reply_name}" in prompts.words
    if language.prompts == code:
        assert language.scenes is not None


def test_each_script_has_one_default():
    assert set(SCRIPT_DEFAULTS) == {each.script for each in LANGUAGES.values()}
    assert sum(each.is_script_default for each in LANGUAGES.values()) == len(SCRIPT_DEFAULTS)


def test_prompts_are_there_in_every_language_that_has_them():
    for loaded in (load_prompts(), load_reply_templates(), load_check_prompts(), load_notebook_templates()):
        assert tuple(loaded) == PROMPT_LANGUAGES
    for name in ("snippet", "summary"):
        assert tuple(load_condense_prompts(name)) == PROMPT_LANGUAGES
    assert tuple(load_extraction_prompts()) == tuple(load_plot_prompts()) == PROPOSER_LANGUAGES
    folders = {path.name for path in (ROOT / "config" / "prompts").iterdir() if path.is_dir()}
    assert folders == set(PROMPT_LANGUAGES)
    assert set(TEMPLATES) == set(PROMPT_LANGUAGES)


def test_patterns_and_names_are_there_in_every_language_that_is_heard():
    rows: dict[str, set[str]] = {}
    for path in sorted((ROOT / "factcheck" / "pattern_sets").glob("*.yaml")):
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        groups = [*(content.get("patterns") or ()), *(content.get("anchors") or ())] if "pack" in content else []
        for group in groups:
            rows.setdefault(group["language"], set()).add(path.stem)
    named = {code for concept in read_shipped_concepts() for code in concept.names}
    for code, language in LANGUAGES.items():
        assert set(language.patterns or ()) == rows.get(code, set()), code
        assert bool(language.concept_names) == (code in named), code
        assert bool(language.word_section) == bool(language.patterns), code


def test_lists_and_checks_are_those_of_the_registry():
    for model in (InstantPattern, CorrectionPattern, ExtractionAnchor):
        assert tuple(value for value, _ in model._meta.get_field("language").choices) == PATTERN_LANGUAGES
    assert [label_language(code) for code in ("zh", "mixed", "uk")] == ["zh", "mixed", "other"]
    assert set(SEARCH_LANGUAGES) == {code for code, each in LANGUAGES.items() if each.analyser != "as typed"}
    assert set(DIALOGUE_WORDS) == set(SEARCH_LANGUAGES)
    assert PATTERN_LANGUAGES[:-1] == HEARD_LANGUAGES


@pytest.mark.parametrize(
    ("tag", "prompts", "proposer"),
    [
        ("zh-Hant", "zh", "zh"), ("EN_us", "en", "en"), ("arabizi", "ar", "ar"), ("es-MX", "es", None),
        ("uk", "uk", None), ("de", None, None), ("", None, None), (None, None, None),
    ],
)  # fmt: skip
def test_a_tag_finds_its_prompts(tag: str | None, prompts: str | None, proposer: str | None):
    assert (find_prompt_language(tag), find_proposer_language(tag)) == (prompts, proposer)


def test_the_table_of_the_readme_is_that_of_the_registry():
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Which language does what")[2]
    lines = [line.strip("| \n").split("|") for line in section.partition("\n## ")[0].splitlines() if line[:1] == "|"]
    table = [[cell.strip() for cell in line] for line in lines]
    assert table[0][-len(LANGUAGES) - 1 : -1] == [each.name for each in LANGUAGES.values()]
    rows = {row[0]: dict(zip(LANGUAGES, row[1:], strict=False)) for row in table[2:]}
    for code, language in LANGUAGES.items():
        assert rows["recognised in short messages"][code] == "✓"
        assert rows["search: forms of words"][code] == language.analyser
        assert rows["players' facts and corrections heard"][code].startswith("✓") == bool(language.patterns)
        assert (rows["texts of prompts"][code] == "✓") == (language.prompts == code)
        assert rows["the NPC is asked to reply in it"][code].startswith("✓")
        assert (rows["claims and replies held against canon"][code] == "✓") == language.has_claim_check

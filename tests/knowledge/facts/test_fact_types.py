"""One table of fact types: everything that differs between types is read from it, and nobody keeps a second list."""

import ast
import re
from collections.abc import Iterator

import pytest

from factcheck.extraction.core.deltas import DELTA_SCHEMA, PROPOSED_TYPES
from factcheck.extraction.proposers.prompts import load_extraction_prompts
from factcheck.instant.core.denial_rules import RULES
from factcheck.patterns.models.patterns import CONCEPT_USES, InstantPattern
from knowledge.facts.core.types import FACT_TYPES, GUARANTEED_TYPES, HEARD_TYPES, PROTECTED_TYPES, SOFT_TYPES
from knowledge.facts.models import FACT_TYPE_CHOICES, FactTombstone, UserFact
from runtime.config import load_prompts
from tests.tree import APPS, ROOT

TABLE = "knowledge/facts/core/types.py"
NOT_LISTS = {
    "factcheck/instant/core/questions.py": "the words by which each thing is asked for, body parameters by their keys",
    "factcheck/instant/core/hearing_fit.py": "bounds of the fit, for the types that protect",
    "factcheck/extraction/core/gate/doubts.py": "groups of doubts.yaml that one type alone is asked about",
    "factcheck/extraction/proposers/offline/odds.py": "figures of a fit, by type",
}
"""Where two types are named in one literal, and what that is."""


def list_second_lists() -> Iterator[tuple[str, int]]:
    """Literals of two or more names of fact types outside of the table, by file and line."""
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if name == TABLE or "migrations" in path.parts:
                continue
            source = path.read_text(encoding="utf-8")
            if sum(f'"{each}"' in source or f"'{each}'" in source for each in FACT_TYPES) < 2:
                continue
            yield from ((name, line) for line in find_literals(ast.parse(source)))


def find_literals(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        parts: list[ast.expr | None] = []
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            parts = list(node.elts)
        elif isinstance(node, ast.Dict):
            parts = list(node.keys)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            said = re.findall(r"'(\w+)'", node.value)  # SQL
            if len(set(said) & set(FACT_TYPES)) > 1:
                yield node.lineno
        named = {part.value for part in parts if isinstance(part, ast.Constant)}
        if len(named & set(FACT_TYPES)) > 1:
            yield node.lineno


def test_nobody_keeps_a_second_list():
    found = [place for place in list_second_lists() if place[0] not in NOT_LISTS]
    assert found == [], f"read knowledge.facts.core.types instead: {found}"


def test_exceptions_are_still_needed():
    assert set(NOT_LISTS) == {name for name, _ in list_second_lists()} & set(NOT_LISTS)


@pytest.mark.parametrize(
    "source",
    ['X = ("allergy", "hard_ban")', 'X = {"allergy": 1, "budget": 2}', "X = \"type IN ('allergy', 'hard_ban')\""],
)
def test_the_search_for_lists_finds_them(source: str):
    assert list(find_literals(ast.parse(source))) == [1]


def test_one_name_is_no_list():
    assert not list(find_literals(ast.parse('X = ("allergy", "nuts"); Y = x == "hard_ban"')))


def test_choices_checks_and_schema_are_those_of_the_table():
    assert [value for value, _ in FACT_TYPE_CHOICES] == list(GUARANTEED_TYPES)
    for model in (UserFact, FactTombstone):
        assert [value for value, _ in model._meta.get_field("type").choices] == list(GUARANTEED_TYPES)
    assert [value for value, _ in InstantPattern._meta.get_field("type").choices] == list(HEARD_TYPES)
    assert set(HEARD_TYPES) < set(CONCEPT_USES)
    assert (*HEARD_TYPES, *SOFT_TYPES) == PROPOSED_TYPES
    assert '"enum": ' + str(list(PROPOSED_TYPES)).replace("'", '"') in str(DELTA_SCHEMA).replace("'", '"')


def test_the_trigger_guards_the_types_that_protect():
    [trigger] = [each for each in UserFact._meta.triggers if each.name == "user_fact_protected_ends_on_ground"]
    assert f"OLD.type IN {PROTECTED_TYPES}" in str(trigger.func)


def test_every_type_is_labelled_in_every_language_of_the_prompts():
    for language, prompts in load_prompts().items():
        for each in FACT_TYPES.values():
            assert prompts.words[f"fact_{each.name}"] == each.labels[language]


def test_a_model_is_told_of_every_type_that_can_be_heard():
    for prompt in load_extraction_prompts().values():
        assert " | ".join(HEARD_TYPES) in prompt.system
        assert " | ".join(SOFT_TYPES) in prompt.system
        assert "{" not in re.sub(r"\{[^a-z]", "", prompt.system)
        for name in HEARD_TYPES:
            assert FACT_TYPES[name].key_hints[prompt.language] in prompt.system


def test_every_way_of_correcting_has_a_rule():
    assert {each.correction for each in FACT_TYPES.values()} == set(RULES)


def test_no_prompt_names_a_type_by_itself():
    for path in (ROOT / "config" / "prompts").rglob("context.yaml"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert not {line.strip().split(":")[0] for line in lines} & {f"fact_{name}" for name in FACT_TYPES}, path

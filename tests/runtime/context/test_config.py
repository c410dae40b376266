"""Mistakes in budgets and prompts are named by file and line."""

from pathlib import Path

import pytest
from django.conf import settings

from knowledge.text.languages import PROMPT_LANGUAGES
from memoryproject.config_files import ConfigError
from runtime.config import load_budgets, load_prompts, parse_budget_file, parse_prompt_file
from runtime.context.core.pack import LAYERS

BUDGETS = Path(settings.PROMPT_BUDGETS).read_text(encoding="utf-8")
PROMPTS = (Path(settings.PROMPTS_DIR) / "en" / "context.yaml").read_text(encoding="utf-8")


def test_shipped_files_have_every_layer():
    assert set(load_budgets().to_budget().layers) == set(LAYERS)
    assert tuple(load_prompts()) == PROMPT_LANGUAGES
    assert all(set(prompts.layers) == set(LAYERS) for prompts in load_prompts().values())


@pytest.mark.parametrize(
    ("old", "new", "setting", "told"),
    [
        ("total: 1800", "total: none", "context.total", "valid integer"),
        ("total: 1800", "total: 400", "context", "min_tokens are more than the total"),
        ("models: {}", "models: { small: { total: 400 } }", "context", "min_tokens are more than the total"),
        ("priority: 40", "priority: 400", "context.layers.art.priority", "less than or equal to 100"),
        ("{ min_tokens: 30, max_tokens: 80", "{ min_tokens: 90, max_tokens: 80", "context.layers.preferences", "above"),
        ("    art: ", "    arts: ", "context", "layers missing: art; unknown: arts"),
        ("share: 0.40", "share: 1.4", "context.density.2.share", "less than or equal to 1"),
        ("- { below_messages: 50,", "- { below_messages: 500,", "context", "few messages to many"),
        ("- { max_items: 7,", "- { below_messages: 900, max_items: 7,", "context", "few messages to many"),
        ("  span:", "  spam:", "context.spam", "not permitted"),
        ("named_share: 0.15", "named_share: 0.5", "context.rules_gate", "named_share is above share"),
        ("share: 0.4 #", "share: 4 #", "context.rules_gate.share", "less than or equal to 1"),
        ("telling_words: 1.2", "telling_words: -1", "context.rules_gate.telling_words", "greater than or equal to 0"),
        ("similarity: 0.45", "similarity: high", "context.rules_gate.similarity", "valid number"),
        ("enabled: true", "enabled: sometimes", "context.rules_gate.enabled", "valid boolean"),
    ],
)
def test_mistake_in_budgets_is_named(old, new, setting, told):
    assert old in BUDGETS
    with pytest.raises(ConfigError) as caught:
        parse_budget_file(BUDGETS.replace(old, new))
    lines = str(caught.value).splitlines()
    assert any(f": {setting}: " in line and told in line for line in lines)


def test_a_file_from_before_the_relevance_filter_has_the_shipped_one():
    start, end = BUDGETS.index("  rules_gate:"), BUDGETS.index("similarity: 0.45")
    older = BUDGETS[:start] + BUDGETS[BUDGETS.index("\n", end) + 1 :]
    assert "rules_gate" not in older
    assert parse_budget_file(older).to_relevance_filter() == load_budgets().to_relevance_filter()


def test_line_of_a_mistake_is_told():
    number = next(n for n, line in enumerate(BUDGETS.splitlines(), 1) if line.lstrip().startswith("art:"))
    with pytest.raises(ConfigError, match=rf"^b\.yaml:{number}: context\.layers\.art\.priority: "):
        parse_budget_file(BUDGETS.replace("priority: 40", "priority: x"), filename="b.yaml")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("\nversion: ", "\nversion: -", "version: "),
        ("  art:", "  arts:", "layers must be"),
        ('card: "- Tags: $text"', 'card: "- Tags: $ 5"', "layers.art: "),
    ],
)
def test_mistake_in_prompts_is_named(old, new, told):
    with pytest.raises(ConfigError) as caught:
        parse_prompt_file(PROMPTS.replace(old, new), "en", filename="en/context.yaml")
    assert str(caught.value).startswith("en/context.yaml:")
    assert told in str(caught.value)


def test_source_of_a_prompt_changes_with_its_text():
    first = parse_prompt_file(PROMPTS, "en", filename="en/context.yaml")
    other = parse_prompt_file(PROMPTS.replace("vividly", "plainly"), "en", filename="en/context.yaml")
    assert first.source.startswith("en/context.yaml@")
    assert first.source != other.source


def test_languages_that_tell_different_things_are_refused(tmp_path, settings):
    for language in PROMPT_LANGUAGES:
        (tmp_path / language).mkdir()
        (tmp_path / language / "context.yaml").write_text(PROMPTS, encoding="utf-8")
    settings.PROMPTS_DIR = tmp_path
    load_prompts.cache_clear()
    try:
        load_prompts()
        load_prompts.cache_clear()
        (tmp_path / "ar" / "context.yaml").write_text(PROMPTS.replace("  told:", "  heard:"), encoding="utf-8")
        with pytest.raises(ConfigError, match=r"ar/context\.yaml.*summaries\.heard"):
            load_prompts()
        (tmp_path / "zh" / "context.yaml").unlink()
        with pytest.raises(ConfigError, match=r"zh/context\.yaml: No such file"):
            load_prompts()
    finally:
        load_prompts.cache_clear()

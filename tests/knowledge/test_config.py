"""Settings of the domains: mistakes are named by line."""

import pytest

from knowledge.config import get_domain_settings, load_knowledge_settings, parse_knowledge_settings
from knowledge.errors import UnknownDomain
from memoryproject.config_files import ConfigError

GOOD = """\
knowledge:
  lore:
    embedding: some-model
    dims: 256
"""


def test_shipped_file_is_valid_and_has_both_canon_domains():
    assert {"srd", "lore"} <= set(load_knowledge_settings())
    assert get_domain_settings("srd").dims == 1536
    assert get_domain_settings("lore").retrieval.k_keyword == 50


def test_defaults_fill_what_is_left_out():
    lore = parse_knowledge_settings(GOOD)["lore"]
    assert (lore.chunk.min_tokens, lore.chunk.max_tokens) == (500, 1500)
    assert lore.retrieval.fuse == "convex"


@pytest.mark.parametrize(
    ("text", "line", "setting"),
    [
        (GOOD + "    dimz: 3\n", 5, "knowledge.lore.dimz"),
        (GOOD.replace("256", "no"), 4, "knowledge.lore.dims"),
        (GOOD.replace("256", "0"), 4, "knowledge.lore.dims"),
        (GOOD + "    retrieval:\n      fuse: magic\n", 6, "knowledge.lore.retrieval.fuse"),
        (GOOD + "    chunk: { min_tokens: 900, max_tokens: 100 }\n", 5, "knowledge.lore.chunk"),
        (GOOD + "    retrieval:\n      weights: { keyword: 0, vector: 0 }\n", 6, "knowledge.lore.retrieval.weights"),
        (GOOD.replace("lore", "Lore and more"), 2, "knowledge.Lore and more"),
        ("knowledge: {}\n", 1, "knowledge"),
        ("other: 1\n", 1, "other"),
    ],
)
def test_mistake_is_named_by_line_and_setting(text, line, setting):
    with pytest.raises(ConfigError) as caught:
        parse_knowledge_settings(text, filename="k.yaml")
    assert f"k.yaml:{line}: {setting}: " in str(caught.value)


def test_all_mistakes_are_told_at_once():
    with pytest.raises(ConfigError) as caught:
        parse_knowledge_settings(GOOD.replace("256", "no") + "    extra: 1\n")
    assert len(str(caught.value).splitlines()) == 2


@pytest.mark.parametrize("text", ["knowledge: [\n", "knowledge:\n\t- x\n", "a: b: c\n"])
def test_broken_yaml_is_named_by_line(text):
    with pytest.raises(ConfigError, match=r"^knowledge\.yaml:\d+: "):
        parse_knowledge_settings(text)


@pytest.mark.parametrize("text", ["", "just words", "- a list"])
def test_a_file_that_is_no_mapping_is_refused(text):
    with pytest.raises(ConfigError):
        parse_knowledge_settings(text)


def test_unknown_domain_is_told_with_the_known_ones():
    with pytest.raises(UnknownDomain, match="lore"):
        get_domain_settings("poetry")

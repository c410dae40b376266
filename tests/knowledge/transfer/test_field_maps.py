import json

import pytest
import yaml

from knowledge.canon.core.field_maps import parse_mapping
from knowledge.canon.transfer.mappings import read_mapping
from knowledge.errors import InvalidMapping
from tests.knowledge.transfer.samples import read_articles, read_refusals

MAPPING = yaml.safe_load("""
list: data.spells
article:
  slug: {path: name, as: slug}
  title: name
  type: {constant: rule}
  language: {path: lang, default: en}
  body: {template: "{desc}\\n\\n**Range:** {range.value} {range.unit}"}
  tags: {path: "classes[*].index", optional: true}
  rule_id: {path: code, optional: true}
  fields:
    members:
      level: {path: level, as: number}
      school: {path: school, values: {evo: Evocation}}
      shape: {path: "areas[0].shape", optional: true}
""")
SPELL = {
    "name": "Fire Ball",
    "desc": ["A bright streak.", "It blooms."],
    "range": {"value": 150, "unit": "feet"},
    "classes": [{"index": "wizard"}, {"index": "sorcerer"}],
    "level": "3",
    "school": "evo",
    "areas": [{"shape": "sphere"}],
}


def write(tmp_path, *spells):
    (tmp_path / "spells.json").write_text(json.dumps({"meta": {"count": 1}, "data": {"spells": list(spells)}}))


def test_foreign_json_becomes_articles(tmp_path):
    write(tmp_path, SPELL)
    (article,) = read_articles(tmp_path, mapping=parse_mapping(MAPPING))
    assert (article.slug, article.title, article.language) == ("fire-ball", "Fire Ball", "en")
    assert article.body == "A bright streak.\n\nIt blooms.\n\n**Range:** 150 feet"
    assert article.tags == ("wizard", "sorcerer")
    assert article.fields == {"level": 3, "school": "Evocation", "shape": "sphere"}
    assert article.rule_id == ""


def test_an_object_that_lacks_what_the_mapping_needs_is_refused_with_its_place(tmp_path):
    write(tmp_path, SPELL, {**SPELL, "name": "Ice", "range": {}}, {**SPELL, "name": "Sun", "level": "many"})
    first, second = read_refusals(tmp_path, mapping=parse_mapping(MAPPING))
    assert (first.code, str(first.place)) == ("mapping_does_not_fit", "spells.json, object 2")
    assert "body" in first.reason
    assert "level" in second.reason


def test_a_list_that_is_not_there_is_told(tmp_path):
    (tmp_path / "spells.json").write_text(json.dumps({"other": []}))
    (refusal,) = read_refusals(tmp_path, mapping=parse_mapping(MAPPING))
    assert refusal.code == "file_empty"
    assert "data.spells" in refusal.reason


def test_mapped_values_are_checked_as_articles_are(tmp_path):
    write(tmp_path, {**SPELL, "classes": [{"index": "two words"}]})
    (refusal,) = read_refusals(tmp_path, mapping=parse_mapping(MAPPING))
    assert refusal.code == "article_invalid"


@pytest.mark.parametrize(
    "article",
    [
        {},
        {**MAPPING["article"], "colour": "x"},
        {**MAPPING["article"], "title": {"path": "a", "constant": "b"}},
        {**MAPPING["article"], "title": {"path": "a..b"}},
        {**MAPPING["article"], "title": {"path": "a", "as": "poem"}},
    ],
)
def test_a_mapping_that_does_not_fit_its_schema_is_refused(article):
    with pytest.raises(InvalidMapping) as caught:
        parse_mapping({"article": article})
    assert caught.value.extra["errors"]


def test_bad_yaml_in_a_mapping_names_file_and_line(tmp_path):
    path = tmp_path / "map.yaml"
    path.write_text("list: x\narticle: [\n")
    with pytest.raises(InvalidMapping, match=r"map\.yaml:3"):
        read_mapping(path)

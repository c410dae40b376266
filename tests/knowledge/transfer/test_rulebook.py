from knowledge.canon.core.rulebook import find_aliases, make_whole_entry, split_rulebook
from tests.knowledge.transfer.samples import read_articles, read_folder

RULES = """# Rules Glossary

## Rules Definitions

Terms in order.

#### Grappled [Condition]

Your Speed is 0.

#### Carrying Capacity

You can carry a lot.

#### Carrying Capacity

| Size | Carry |
|---|---|
| Tiny | little |
"""


def test_headings_with_text_are_articles_and_empty_ones_only_lead_to_them():
    entries = list(split_rulebook(RULES, name="Glossary"))
    assert [(entry.title, entry.path) for entry in entries] == [
        ("Rules Definitions", ("Rules Glossary",)),
        ("Grappled [Condition]", ("Rules Glossary", "Rules Definitions")),
        ("Carrying Capacity", ("Rules Glossary", "Rules Definitions")),
    ]
    assert [entry.line for entry in entries] == [3, 7, 11]


def test_a_repeated_heading_continues_its_article():
    carrying = list(split_rulebook(RULES, name="Glossary"))[-1]
    assert carrying.body.startswith("You can carry a lot.")
    assert "| Tiny | little |" in carrying.body


def test_headings_that_come_again_and_again_are_parts_of_articles():
    text = "# Monsters\n" + "".join(
        f"\n## Beast {name}\n\nA beast.\n\n#### Actions\n\nBite {name}.\n" for name in "abcd"
    )
    entries = list(split_rulebook(text, name="Monsters"))
    assert [entry.title for entry in entries] == ["Beast a", "Beast b", "Beast c", "Beast d"]
    assert entries[2].body == "A beast.\n\n#### Actions\n\nBite c."


def test_text_before_the_first_heading_is_called_as_the_file():
    entries = list(split_rulebook("Some words.\n\n# Later\n\nMore.\n", name="Opening"))
    assert [entry.title for entry in entries] == ["Opening", "Later"]


def test_aliases_come_from_tags_and_from_behind_a_colon():
    assert find_aliases("Grappled [Condition]") == ("Grappled",)
    assert find_aliases("Схваченный [Состояние]") == ("Схваченный",)
    assert find_aliases("Level 2: Action Surge") == ("Action Surge",)
    assert find_aliases("Fireball") == ()


def test_a_whole_file_is_one_article_named_by_its_first_heading():
    entry = make_whole_entry("# Moon Bridge\n\nOld.\n\n## History\n\nOlder.\n", name="file")
    assert entry is not None
    assert (entry.title, entry.body) == ("Moon Bridge", "Old.\n\n## History\n\nOlder.")
    assert make_whole_entry("# Only a heading\n", name="file") is None


def test_articles_of_a_rulebook_say_where_they_come_from(tmp_path):
    (tmp_path / "08_RulesGlossary.md").write_text(RULES)
    grappled = read_articles(tmp_path, domain="srd", source="SRD 5.2.1")[1]
    assert grappled.slug == "grappled-condition"
    assert grappled.aliases == ("Grappled",)
    assert (grappled.type, grappled.language, grappled.audience) == ("rule", "en", ("public",))
    assert grappled.source == (
        "SRD 5.2.1 · 08_RulesGlossary.md › Rules Glossary › Rules Definitions › Grappled [Condition]"
    )


def test_slugs_that_clash_are_told_apart_by_their_headings_the_same_in_every_run(tmp_path):
    for number, name in enumerate(["Fighter", "Monk", "Monk"]):
        text = f"# {name} Features\n\n## Extra Attack\n\nTwice for the {name}.\n"
        (tmp_path / f"{number}.md").write_text(text)
    slugs = [article.slug for article in read_articles(tmp_path, domain="srd")]
    assert slugs == ["extra-attack", "monk-features-extra-attack", "2-monk-features-extra-attack"]
    assert [article.slug for article in read_articles(tmp_path, domain="srd")] == slugs


def test_clashes_without_headings_to_tell_them_apart_are_numbered(tmp_path):
    (tmp_path / "a.md").write_text("# Foo\n\n" + "## Bar\n\nOne.\n\n## Other\n\nTwo.\n\n" * 3)
    slugs = [article.slug for article in read_articles(tmp_path, domain="srd")]
    assert slugs == ["bar", "other", "foo-bar", "foo-other", "a-foo-bar", "a-foo-other"]
    (tmp_path / "b.md").write_text("# Foo\n\n## Bar\n\nOne.\n")
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "b.md").write_text("# Foo\n\n## Bar\n\nOne.\n")
    assert [article.slug for article in read_articles(tmp_path, domain="srd")][-2:] == ["b-foo-bar", "bar-2"]


def test_languages_are_found_out_article_by_article(tmp_path):
    (tmp_path / "a.md").write_text(
        "# Свет\n\nЛампа горит всю ночь, и никто её не гасит.\n\n# Light\n\nThe lamp burns.\n\n# 100\n\n10 20 30\n"
    )
    assert [article.language for article in read_articles(tmp_path, domain="srd")] == ["ru", "en", "ru"]
    assert {article.language for article in read_articles(tmp_path, domain="srd", language="de")} == {"de"}


def test_a_short_file_of_lore_is_one_article(tmp_path):
    (tmp_path / "moon-bridge.md").write_text("# Moon Bridge\n\nOld.\n\n## History\n\nOlder.\n")
    assert [article.slug for article in read_articles(tmp_path)] == ["moon-bridge"]
    assert len(read_folder(tmp_path, domain="srd")) == 2

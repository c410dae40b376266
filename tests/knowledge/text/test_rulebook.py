from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.text.rulebook import MarkdownArticle, split_articles

RULES = """# Field Rules

Opening words.

## Conditions

#### Dazed

A dazed creature acts last.

#### Frozen

A frozen creature does not move.
"""

BESTIARY = """# Beasts

## Ash Wolf

## Ash Wolf

*Large wolf*

#### Traits

Smells of smoke.

### Actions

*Bite.* Burns.

## Bog Crab

*Small crab*

#### Traits

Hides in mud.

#### Actions

*Pinch.* Holds.

## Cave Owl

#### Traits

Sees in the dark.

#### Actions

*Dive.* Falls.
"""


def titles(text: str) -> list[str]:
    return [article.title for article in split_articles(text, title="File")]


def test_each_heading_with_text_is_an_article() -> None:
    assert split_articles(RULES, title="File") == [
        MarkdownArticle((), "Field Rules", "Opening words.", 1),
        MarkdownArticle(("Field Rules", "Conditions"), "Dazed", "A dazed creature acts last.", 7),
        MarkdownArticle(("Field Rules", "Conditions"), "Frozen", "A frozen creature does not move.", 11),
    ]


def test_recurring_headings_are_parts_of_the_article_above() -> None:
    articles = split_articles(BESTIARY, title="File")
    assert [(article.heading_path, article.title) for article in articles] == [
        (("Beasts",), "Ash Wolf"),
        (("Beasts",), "Bog Crab"),
        (("Beasts",), "Cave Owl"),
    ]
    assert articles[0].body.startswith("*Large wolf*")
    assert articles[0].body.endswith("### Actions\n\n*Bite.* Burns.")
    assert articles[2].body.startswith("#### Traits")


def test_recurring_headings_directly_under_top_headings_are_parts() -> None:
    text = (
        "# Elves\n\nTall.\n\n## History\n\nOld.\n\n## Food\n\n"
        "Bread.\n\n# Dwarves\n\n## History\n\nDeep.\n\n## Food\n\nStew.\n"
    )
    assert titles(text) == ["Elves", "Dwarves"]


def test_one_repeated_title_alone_is_no_part() -> None:
    text = (
        "# Book\n\n## Town\n\nA town.\n\n### Market\n\nFish.\n\n### Gate\n\n"
        "Iron.\n\n## Port\n\nA port.\n\n### Market\n\nSalt.\n\n### Pier\n\nWood.\n"
    )
    assert titles(text) == ["Town", "Market", "Gate", "Port", "Market", "Pier"]


def test_short_only_child_stays_with_its_parent() -> None:
    text = (
        "# Book\n\n## Climbing\n\nSlow.\n\n### In rain\n\nSlower.\n\n"
        "## Swimming\n\nWet.\n\n### At night\n\nCold.\n\n### In armour\n\nNo.\n"
    )
    assert titles(text) == ["Climbing", "Swimming", "At night", "In armour"]


def test_long_only_child_is_an_article() -> None:
    assert titles("# Book\n\n## Climbing\n\nSlow.\n\n### In rain\n\n" + "slower " * 100) == ["Climbing", "In rain"]


def test_entry_set_a_level_too_high_does_not_own_its_neighbours() -> None:
    entries = "".join(f"#### Rule {number}\n\nText {number}.\n\n" for number in range(30))
    articles = split_articles("# Book\n\n## Odd one\n\n" + "word " * 50 + "\n\n" + entries, title="File")
    assert articles[-1].heading_path == ("Book",)


def test_file_without_headings_is_one_article_by_the_given_title() -> None:
    assert split_articles("Just text.\n", title="Note") == [MarkdownArticle((), "Note", "Just text.", 1)]
    assert split_articles("  \n", title="Note") == []


def test_headings_in_code_cut_nothing() -> None:
    assert titles("# A\n\ntext\n\n```\n# B\n```\n") == ["A"]


LINES = st.sampled_from(
    ["# A", "## B", "## C", "### D", "### E", "#### D", "#### E", "text one", "words two", "", "```"]
)


@given(st.lists(LINES, max_size=40))
@settings(deadline=None)
def test_no_line_of_text_is_lost(lines: list[str]) -> None:
    bodies = "\n".join(article.body for article in split_articles("\n".join(lines), title="File"))
    for word in ("text one", "words two"):
        assert bodies.count(word) == lines.count(word)

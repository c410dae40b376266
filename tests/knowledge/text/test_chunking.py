import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.text.chunking import Chunk, ChunkLimits, chunk_article
from knowledge.text.tokens import count_tokens

SMALL = ChunkLimits(min_tokens=40, max_tokens=80)


def prose(word: str, count: int) -> str:
    return " ".join([word] * count) + "\n\n"


def squeezed(text: str) -> str:
    return "".join(text.split())


def chunk(body: str, title: str = "Article") -> list[Chunk]:
    return chunk_article(title=title, body=body, limits=SMALL)


def test_short_article_stays_whole() -> None:
    body = "# One\n\nfirst\n\n## Two\n\nsecond\n\n# Three\n\nthird"
    (only,) = chunk(body)
    assert (only.ordinal, only.heading_path, only.text, only.anchor) == (0, (), body, "")
    assert only.token_count == count_tokens(body)


def test_article_without_text_gives_one_empty_chunk() -> None:
    assert chunk("") == [Chunk(0, (), "", 0, "")]
    assert chunk("\n \n") == [Chunk(0, (), "", 0, "")]


def test_article_without_headings_is_cut_only_above_the_limit() -> None:
    assert len(chunk(prose("dragon", 70))) == 1
    assert len(chunk(prose("dragon", 90))) > 1


def test_full_sections_stand_alone_with_their_path_and_anchor() -> None:
    body = (
        "## Lair\n\n" + prose("cave", 50) + "### Hoard\n\n" + prose("gold", 50) + "## Habits\n\n" + prose("sleep", 50)
    )
    chunks = chunk(body)
    assert [found.heading_path for found in chunks] == [("Lair",), ("Lair", "Hoard"), ("Habits",)]
    assert [found.anchor for found in chunks] == ["lair", "hoard", "habits"]
    assert [found.ordinal for found in chunks] == [0, 1, 2]
    assert chunks[1].text.startswith("### Hoard")


def test_small_neighbours_share_a_chunk_until_it_is_full() -> None:
    body = "".join(f"## Rule {number}\n\n" + prose("word", 15) for number in range(6))
    chunks = chunk(body)
    assert len(chunks) < 4
    assert all(found.token_count >= SMALL.min_tokens for found in chunks)
    assert chunks[0].heading_path == ()


def test_small_section_does_not_join_a_higher_heading() -> None:
    body = "## One\n\n" + prose("word", 70) + "### Tail\n\n" + prose("tail", 20) + "# Next\n\n" + prose("next", 45)
    texts = [found.text for found in chunk(body)]
    assert [text.split("\n")[0] for text in texts] == ["## One", "### Tail", "# Next"]


def test_small_tail_joins_the_section_before_it() -> None:
    body = "## One\n\n" + prose("word", 45) + "### Tail\n\n" + prose("tail", 10)
    assert [found.heading_path for found in chunk(body)] == [("One",)]


def test_heading_that_repeats_the_title_is_not_in_the_path() -> None:
    body = "# Red Dragon\n\n" + prose("fire", 50) + "## Lair\n\n" + prose("cave", 50)
    assert [found.heading_path for found in chunk(body, title="red dragon")] == [(), ("Lair",)]


def test_heading_in_a_fence_is_text() -> None:
    body = prose("word", 35) + "```\n# not a heading\n```\n\n" + prose("word", 20)
    assert [found.heading_path for found in chunk(body)] == [()]


def test_table_rows_are_not_torn() -> None:
    rows = [f"| {number} | a treasure of {number} coins |" for number in range(40)]
    body = "| d | find |\n|---|------|\n" + "\n".join(rows)
    chunks = chunk(body)
    lines = [line.strip() for found in chunks for line in found.text.splitlines()]
    assert len(chunks) > 1
    assert [line for line in lines if line in set(rows)] == rows


def test_long_chinese_paragraph_is_cut_at_sentences() -> None:
    body = "红龙守着洞穴里的黄金。" * 40
    chunks = chunk(body)
    assert len(chunks) > 1
    assert all(found.text.endswith("。") for found in chunks)


def test_lone_surrogates_do_not_stop_chunking() -> None:
    assert chunk("a\ud800b " * 200)[0].text.startswith("a\ufffdb")


@pytest.mark.parametrize(("least", "most"), [(0, 100), (200, 100), (1, 8)])
def test_senseless_limits_are_refused(least: int, most: int) -> None:
    with pytest.raises(ValueError, match="tokens"):
        ChunkLimits(min_tokens=least, max_tokens=most)


LINES = st.sampled_from(
    [
        "# Замок", "## Lair", "### 财宝", "#### Actions", "", "", "```", "| a | b |", "|---|---|", "* item", "1. first",
        "---", "Setext\n===", "> quote", "The dragon sleeps on its gold and dreams of the old king of the mountain.",
        "Дракон спит на золоте и видит во сне старого короля горы и его дочь.", "红龙睡在黄金上，梦见了山中的老国王。",
        "ينام التنين على الذهب", "🧙🏽‍♂️" * 12, "x" * 150, "[[slug|label]] `code`", "\x00\u200b", "    indented",
    ]
)  # fmt: skip


@given(st.lists(LINES, max_size=60).map("\n".join) | st.text(max_size=400), st.integers(16, 60), st.integers(0, 60))
@settings(deadline=None, max_examples=200)
def test_nothing_is_lost_repeated_or_too_long(body: str, least: int, more: int) -> None:
    limits = ChunkLimits(min_tokens=least, max_tokens=least + more)
    chunks = chunk_article(title="Замок", body=body, limits=limits)
    assert squeezed("".join(found.text for found in chunks)) == squeezed(body)
    assert [found.ordinal for found in chunks] == list(range(len(chunks)))
    for found in chunks:
        assert found.token_count == count_tokens(found.text) <= limits.max_tokens
        assert found.text or len(chunks) == 1

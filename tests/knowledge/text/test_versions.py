import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.text.versions import (
    FIRST_VERSION,
    ChunkState,
    Version,
    match_chunks,
    next_version,
    parse_version,
)

DRAGON = "The red dragon sleeps on a hoard of gold under the mountain."


def state(text: str, **more: object) -> ChunkState:
    return ChunkState(text=text, **more)


def pairs(old: list[ChunkState], new: list[ChunkState]) -> list[int | None]:
    return [match.old_index for match in match_chunks(old, new)]


def test_first_version_of_a_chunk() -> None:
    assert next_version(None, state(DRAGON)) == FIRST_VERSION == "1.0.0"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        (DRAGON, "2.3.4"),
        ("**The Red Dragon** sleeps on a hoard of gold, under the mountain!", "2.3.5"),
        (DRAGON.replace("gold", "silver"), "2.4.0"),
        (DRAGON + " Its breath is fire.", "2.4.0"),
        ("The gnome merchant of Veld sells lanterns.", "3.0.0"),
        ("", "3.0.0"),
    ],
)
def test_version_rises_with_the_change_of_the_text(text: str, version: str) -> None:
    assert next_version(state(DRAGON, version="2.3.4"), state(text)) == version


def test_removing_most_of_the_words_may_change_the_meaning() -> None:
    assert next_version(state(DRAGON), state("The red dragon sleeps.")) == "2.0.0"


@pytest.mark.parametrize("change", [{"heading_path": ("Lair",)}, {"facts": {"audience": ["secret"]}}])
def test_change_of_place_or_facts_is_major_even_with_the_same_text(change: dict[str, object]) -> None:
    assert next_version(state(DRAGON, version="1.7.2"), state(DRAGON, **change)) == "2.0.0"


def test_empty_chunk_that_is_filled_is_major() -> None:
    assert next_version(state(""), state(DRAGON)) == "2.0.0"


@pytest.mark.parametrize(
    "version", ["", "1", "1.0", "1.0.0.0", "v1.0.0", "1.0.x", "01.0.0", "1.-1.0", "1.0.٣", "9" * 5000]
)
def test_what_is_no_version_is_refused(version: str) -> None:
    with pytest.raises(ValueError, match="not a version"):
        parse_version(version)


@given(st.tuples(*[st.integers(0, 999)] * 3))
def test_versions_are_written_as_they_are_read(numbers: tuple[int, int, int]) -> None:
    assert parse_version(str(Version(*numbers))) == numbers


def test_moved_sections_keep_their_identity() -> None:
    lair, hoard = state("The lair is hot.", anchor="lair"), state("The hoard is gold.", anchor="hoard")
    assert pairs([lair, hoard], [hoard, state("A new beginning.", anchor="new"), lair]) == [1, None, 0]


def test_rewritten_section_is_found_by_its_heading() -> None:
    old = [state("The lair is hot.", heading_path=("Lair",), anchor="lair")]
    new = [state("Nothing remains here.", heading_path=("Lair",), anchor="lair")]
    assert pairs(old, new) == [0]


def test_renamed_section_is_found_by_its_words() -> None:
    old = [state(DRAGON, heading_path=("Lair",), anchor="lair"), state("A gnome sells lanterns.", anchor="gnome")]
    new = [
        state("An owl sees in the dark.", anchor="owl"),
        state(DRAGON + " Alone.", heading_path=("Home",), anchor="home"),
    ]
    assert pairs(old, new) == [None, 0]


def test_most_alike_chunk_wins_and_no_old_chunk_is_continued_twice() -> None:
    old = [state(DRAGON, anchor="a")]
    new = [
        state(DRAGON.replace("gold", "silver").replace("red", "old"), anchor="b"),
        state(DRAGON + " Alone.", anchor="c"),
    ]
    assert pairs(old, new) == [None, 0]


def test_pieces_of_one_section_are_matched_in_order() -> None:
    old = [state(f"piece {number} of the story", anchor="story") for number in range(3)]
    new = [state(f"piece {number} of the tale", anchor="story") for number in range(3)]
    assert pairs(old, new) == [0, 1, 2]
    assert pairs([], new) == [None, None, None]
    assert pairs(old, []) == []

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.text.tokens import count_tokens, fits_tokens, truncate_to_tokens


def test_tokens_are_counted_by_o200k() -> None:
    assert count_tokens("") == 0
    assert count_tokens("hello world") == 2
    assert count_tokens("The dragon sleeps under the mountain.") == 7


def test_special_token_spelling_counts_as_plain_text() -> None:
    assert count_tokens("<|endoftext|>") > 1


def test_threads_that_load_the_vocabulary_together_agree() -> None:
    with ThreadPoolExecutor(8) as pool:
        counts = set(pool.map(count_tokens, ["дракон спит под горой"] * 64))
    assert len(counts) == 1


def test_truncation_keeps_a_short_text_whole() -> None:
    assert truncate_to_tokens("hello world", 2) == "hello world"


def test_truncation_takes_as_much_as_the_limit_allows() -> None:
    text = "the dragon sleeps " * 200
    shortened = truncate_to_tokens(text, 50)
    assert text.startswith(shortened)
    assert count_tokens(shortened) == 50


def test_truncation_never_cuts_a_character_in_two() -> None:
    text = "龘龘🧙🏽𓀀𓀁"
    for limit in range(count_tokens(text) + 1):
        assert text.startswith(truncate_to_tokens(text, limit))


@pytest.mark.parametrize("limit", [0, -3])
def test_no_budget_leaves_no_text(limit: int) -> None:
    assert truncate_to_tokens("дракон", limit) == ""


def test_lone_surrogates_are_counted_and_kept() -> None:
    text = "ab\ud800cd" * 30
    assert count_tokens(text) > 0
    shortened = truncate_to_tokens(text, 20)
    assert shortened
    assert text.startswith(shortened)


@given(st.text(max_size=300), st.integers(0, 60))
@settings(deadline=None)
def test_truncated_text_is_a_prefix_within_the_limit(text: str, limit: int) -> None:
    shortened = truncate_to_tokens(text, limit)
    assert text.startswith(shortened)
    assert count_tokens(shortened) <= limit
    assert fits_tokens(text, limit) == (count_tokens(text) <= limit)

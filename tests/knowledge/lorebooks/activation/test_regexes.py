"""Regular expressions of keys mean what JavaScript means by them, and none can hang a request."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.lorebooks.activation.regexes import (
    RegexAllowance,
    RegexTimer,
    ScannedText,
    compile_regex_key,
    parse_regex_key,
)


def finds(key: str, text: str) -> bool:
    compiled = compile_regex_key(key)
    assert compiled is not None, key
    assert compiled.problem is None, compiled.problem
    return compiled.search(ScannedText(text), RegexTimer()) is not None


@pytest.mark.parametrize(
    ("key", "parsed"),
    [
        ("/dragon/", ("dragon", "")),
        ("/dra/i", ("dra", "i")),
        (r"/a\/b/gi", ("a/b", "gi")),
        (r"/a\/b\/c/", (r"a/b\/c", "")),
        ("dragon", None),
        ("/dragon", None),
        ("/a/b/", None),  # an unescaped slash inside
        ("//", None),
        ("/a/x", None),  # no such flag
        ("/a/i ", None),
    ],
)
def test_key_is_an_expression_only_between_slashes(key: str, parsed: tuple[str, str] | None) -> None:
    assert parse_regex_key(key) == parsed


@pytest.mark.parametrize(
    "key", ["/[/", "/(a/", "/a)/", "/*a/", "/a{2,1}/", "/[b-a]/", "/a/gg", r"/\p/u", "/a{/u", r"/\1/u", "/(?<=a)*/"]
)
def test_expression_that_javascript_refuses_is_plain_text(key: str) -> None:
    assert compile_regex_key(key) is None


@pytest.mark.parametrize(
    ("key", "text", "found"),
    [
        # what Node.js 20 says to each
        (r"/\bщит\b/", "щит", False),  # \b knows ASCII only
        (r"/\bщит\b/u", "щит", False),  # also with u
        (r"/\w+/u", "щит", False),
        (r"/щит/i", "ЩИТ", True),
        (r"/^\W+$/", "щит", True),
        (r"/a.b/", "a\nb", False),
        (r"/a.b/", "a\u2028b", False),
        (r"/a.b/s", "a\nb", True),
        (r"/^b/", "a\nb", False),
        (r"/^b/m", "a\nb", True),
        (r"/^b/m", "a\rb", True),
        (r"/a$/", "a\n", False),
        (r"/a$/m", "a\u2029b", True),
        (r"/\s/", "\ufeff", True),
        (r"/\s/", "\x1c", False),
        (r"/\d/", "٣", False),
        (r"/[^]/", "\n", True),
        (r"/[]/", "a", False),
        (r"/a{,2}/", "a{,2}", True),
        (r"/x{a/", "x{a", True),
        (r"/]/", "]", True),
        (r"/\u{2}/", "uu", True),
        (r"/\u{449}/u", "щ", True),
        (r"/\u0449/", "щ", True),
        (r"/\ud83d\ude00/", "😀", True),
        (r"/\x41\101\cJ\0/", "AA\n\0", True),
        (r"/[\b]/", "\b", True),
        (r"/[\w-]/", "-", True),
        (r"/\p{L}/", "p{L}", True),
        (r"/^\p{L}+$/u", "щит", True),
        (r"/\p{Script=Cyrillic}/u", "q", False),
        (r"/\P{L}/u", "щит", False),
        (r"/(?:)/", "", True),
        (r"/a|/", "", True),
        (r"/dragon/y", "a dragon", False),
        (r"/dragon/y", "dragon", True),
        (r"/dragon/g", "a dragon", True),
        (r"/\8/", "8", True),
        # lookaround and backreferences
        (r"/(?<!con)cat/", "concat", False),
        (r"/(?<!con)cat/", "a cat", True),
        (r"/king(?= Oda)/", "king Oda", True),
        (r"/king(?!s)/", "kings", False),
        (r"/(?<=\bthe )king/i", "The king", True),
        (r"/(\w)\1/", "abba", True),
        (r"/(?<c>\w)\k<c>/", "abca", False),
        (r"/^(?:(a)|b)\1$/", "b", True),  # a group without part matches nothing at all
        (r"/^(a\1)$/", "a", True),
        (r"/(?=a)*b/", "b", True),
        (r"/^(?=.*\bred\b)(?=.*\bmoon\b)/s", "moon,\nthe red one", True),
    ],
)
def test_expression_means_what_javascript_means(key: str, text: str, found: bool) -> None:
    assert finds(key, text) is found


def test_lookaround_goes_to_the_engine_that_backtracks_and_the_rest_to_re2() -> None:
    assert compile_regex_key(r"/\bking\b/").engine == "re2"
    assert compile_regex_key(r"/king(?!s)/").engine == "regex"
    assert compile_regex_key(r"/(a)\1/").engine == "regex"
    assert compile_regex_key(r"/a{1001}/").engine == "regex"


def test_place_is_counted_in_characters() -> None:
    compiled = compile_regex_key("/щит/i")
    assert compiled.search(ScannedText("😀 Мой ЩИТ"), RegexTimer()) == (6, 9)


def test_lone_surrogates_in_a_text_are_passed_over() -> None:
    assert finds("/king/", "\ud83d king")


def test_what_neither_engine_can_do_is_kept_with_its_problem() -> None:
    for key in (r"/\ud83d/", "/" + "(" * 200 + ")" * 200 + "/", "/" + "a" * 6_000 + "/"):
        compiled = compile_regex_key(key)
        assert compiled.engine == "none"
        assert compiled.problem.code in ("unsupported", "too_long")
        assert compiled.search(ScannedText("a" * 7_000), RegexTimer()) is None


HOSTILE = [
    r"(a+)+$", r"(a|a)*$", r"(a|aa)+$", r"(.*a){20}$", r"^(([a-z])+.)+[A-Z]([a-z])+$", r"(\w+\s?)*$", r"(a*)*b",
    r"(?:a+)+(?=b)",
    r"(?<!x)(?:a|aa)+$", r"(?<!x)(a+)+$", r"(a+)+\1$", r"(?=(a+)+$)b", r"((a+)*)+(?!a)b", r"(?:.*?,){30}(?=P)",
]  # fmt: skip


@pytest.mark.parametrize("pattern", HOSTILE)
def test_hostile_expression_ends(pattern: str) -> None:
    """Some would run for years: that this test ends is what it tests."""
    compiled = compile_regex_key(f"/{pattern}/")
    timer = RegexTimer()
    compiled.search(ScannedText("a" * 40 + "!" + "a," * 3_000), timer)
    assert {problem.code for problem in timer.problems.values()} <= {"timeout"}
    assert compiled.engine == "regex" or not timer.problems


def test_expression_that_ran_out_of_time_is_not_tried_again_and_all_share_one_allowance() -> None:
    timer = RegexTimer()
    scanned = ScannedText("a" * 40 + "!")
    keys = [f"/(?<!{number})(?:a|aa)+$/" for number in range(20)]
    for key in keys * 3:
        assert compile_regex_key(key).search(scanned, timer) is None
    assert timer.seconds_left <= 0
    assert {problem.code for problem in timer.problems.values()} == {"timeout", "out_of_time"}
    assert set(timer.problems) == set(keys)


@given(
    st.text(alphabet="ab()[]{}*+?|^$\\.-,1:=!<kndwsSWbBuxpЩ/\n", max_size=20),
    st.sampled_from(["", "i", "u", "ms", "y", "gimsuy"]),
)
def test_no_expression_raises(pattern: str, flags: str) -> None:
    compiled = compile_regex_key(f"/{pattern}/{flags}")
    if compiled is not None:
        compiled.search(ScannedText("ab\nЩ1-"), RegexTimer())


@pytest.mark.parametrize(
    "key",
    ["/(?=a)(?:(?:a{1000}){1000}){1000}/", f"/(?=a)a{{{'9' * 4400}}}/", "/(?=a)" + "a{9999}" * 3 + "/", "/a{20001}/"],
)
def test_counts_that_no_engine_can_multiply_out_are_refused_before_they_are_compiled(key: str) -> None:
    compiled = compile_regex_key(key)
    assert compiled is not None
    assert compiled.problem is not None
    assert (compiled.engine, compiled.problem.code) == ("none", "unsupported")


def test_counts_are_multiplied_only_where_they_are_nested() -> None:
    sizes = {"/a{3}b{4}/": 7, "/(?:ab{3}){5}/": 20, "/(?:a|[bc]){10}d*/": 21, "/a{0}/": 1, "/()/": 1}
    for key, size in sizes.items():
        compiled = compile_regex_key(key)
        assert compiled is not None
        assert compiled.size == size, key


def test_patterns_of_one_activation_share_an_allowance() -> None:
    allowance = RegexAllowance(size_left=15)
    keys = [f"/a{{10}}{n}/" for n in range(3)]
    compiled = [allowance.take(key, lambda key=key: compile_regex_key(key)) for key in keys]  # type: ignore[misc]
    assert [each.problem.code if each and each.problem else "" for each in compiled] == ["", "", "too_many"]

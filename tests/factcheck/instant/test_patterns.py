import pytest

from factcheck.instant.core import guard_sets
from factcheck.instant.core.expressions import compile_search, compile_set
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.pattern_rows import Guard, InstantPattern, PatternInvalid, PatternSet, takes_part
from factcheck.instant.core.patterns import CompiledPatterns
from tests.factcheck.instant.conftest import NOW


def _row(pattern: str, **options) -> InstantPattern:
    return InstantPattern(name="row", type="allergy", language="en", pattern=pattern, key_rule="concept", **options)


@pytest.mark.parametrize(
    "pattern",
    ["", "  ", "(unclosed", "[a", "a)(b", r"\bword", r"(a)\1", "(?=look)ahead", "{unknown_macro}", "x" * 5_000],
)
def test_bad_pattern_is_refused_with_its_name(pattern):
    with pytest.raises(PatternInvalid, match="row"):
        CompiledPatterns([PatternSet("p", patterns=(_row(pattern),))])


def test_macros_that_refer_to_each_other_are_refused():
    with pytest.raises(PatternInvalid, match="circle"):
        CompiledPatterns([PatternSet("p", patterns=(_row("{a}"),), macros={"a": "{b}", "b": "{a}"})])


def test_catastrophic_pattern_is_harmless(concepts):
    compiled = CompiledPatterns([PatternSet("p", patterns=(_row("(a+)+$"),))])
    assert extract_facts("a" * 100_000 + "!", compiled=compiled, concepts=concepts, now=NOW) == []


def test_word_boundaries_hold_in_every_script(concepts):
    compiled = CompiledPatterns([PatternSet("p", patterns=(_row("щит"),))])
    assert compiled.match("защитник") == []
    assert len(compiled.match("мой щит!")) == 1


def test_pattern_is_folded_like_messages():
    compiled = CompiledPatterns([PatternSet("p", patterns=(_row("Ёлка أنا"),))])
    assert len(compiled.match("елка انا")) == 1


def test_anchor_must_be_near_and_anti_anchor_must_not(concepts):
    row = _row("mine is", anchors="food", anti_anchors="shoe")
    compiled = CompiledPatterns([PatternSet("p", patterns=(row,))])

    def keys(text):
        return [fact.key for fact in extract_facts(text, compiled=compiled, concepts=concepts, now=NOW)]

    assert keys("mine is nuts") == []
    assert keys("mine is nuts, food wise") == ["nuts"]
    assert keys("mine is nuts, food and shoe wise") == []


def test_rollout_share_is_stable_and_near_its_percent():
    row = _row("x", rollout_percent=30)
    chosen = [key for key in map(str, range(2_000)) if takes_part(row, key)]
    assert chosen == [key for key in map(str, range(2_000)) if takes_part(row, key)]
    assert 500 < len(chosen) < 700


def test_no_patterns_match_nothing(concepts):
    assert extract_facts("I'm allergic to nuts", compiled=CompiledPatterns([]), concepts=concepts, now=NOW) == []


@pytest.mark.parametrize("source", ["a)|(b", "(a", "a)", "[a", "a\\", "\\Qa)", "a))((b", "[)"])
def test_a_pattern_that_would_slip_out_of_its_bounds_is_refused(source):
    with pytest.raises(PatternInvalid):
        compile_search("sly", source, {}, bounded=True)


@pytest.mark.parametrize("source", ["(a|b)c", r"\(a", "[)]", "[](]", "[^](]", r"[\]]", r"a[b\\]"])
def test_brackets_that_are_letters_do_not_count(source):
    assert compile_search("fair", source, {}, bounded=True)


def test_sets_that_are_too_large_together_are_refused_by_name():
    rows = [(f"row{number}", r"(?:\pL{1,500}x){2}") for number in range(3)]
    with pytest.raises(PatternInvalid, match="row2: 3 expressions are too large"):
        compile_set(rows, memory=1 << 20)


def test_equal_expressions_share_one_set_and_others_have_their_own():
    rows = [("one", "nickel"), ("two", "latex")]
    chosen = compile_set(rows)
    assert compile_set([("third", "nickel"), ("fourth", "latex")]) is chosen
    for others in (compile_set(rows[::-1]), compile_set(rows[:1]), compile_set(rows, memory=1 << 20)):
        assert others is not chosen
    assert [list(each.Match(b"latex")) for each in (chosen, compile_set(rows[::-1]))] == [[1], [0]]


def test_a_version_whose_guards_are_too_large_is_not_served(monkeypatch):
    """It fails as it is loaded: a guard that could not be asked would let facts pass."""
    monkeypatch.setattr(guard_sets, "MEMORY", 1 << 20)
    guard = Guard("letters", "sentence", r"(?:\pL{1,500}x){2}")
    with pytest.raises(PatternInvalid, match="letters"):
        CompiledPatterns([PatternSet("", guards=(guard,))])

"""The page of the guides that shows what is understood: labelled lines of which just the expected facts are heard."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.labelled_lines import LabelledLine
from factcheck.instant.core.messages import fold
from knowledge.facts.core.types import FACT_TYPES, HEARD_TYPES, RANKED_TYPES, THING_TYPES
from knowledge.text.languages import HEARD_LANGUAGES, LANGUAGES

Hear = Callable[[str], Sequence[ExtractedFact]]

TITLES: dict[str, frozenset[str]] = {}
"""Headings, each with the types under it."""
for _name in (each for each in RANKED_TYPES if each in HEARD_TYPES):
    TITLES[FACT_TYPES[_name].heading] = TITLES.get(FACT_TYPES[_name].heading, frozenset()) | {_name}
LANGUAGE_NAMES = {code: LANGUAGES[code].name for code in HEARD_LANGUAGES}
EXAMPLES = 3
"""Of each type in each language, of different things: enough to see the manner, few enough to read."""
MIN_LENGTH, MAX_LENGTH = {"zh": 12}, 90
"""Characters of an example: more than a form's field, less than two lines of a table."""
MAX_KEY_LENGTH = 15
"""Characters; longer keys are wishes in their own words."""
_HEAD = """# What is understood

What people say about themselves becomes facts before the next reply. These are examples by type and language,
out of the labelled lines of [qa/facts](../../qa/facts/README.md): of each line just the facts in the last column are
heard, by the patterns that ship and nothing else. Where the embedded model runs, statements without a pattern are
heard by their meaning as well. How much is understood of lines that nobody had seen is in
[benchmarks.md](../benchmarks.md); how to change it, in [patterns.md](patterns.md). All is said on 10 February 2026;
of a budget the sum is shown without what it is for.

`manage.py understood_guide` writes this file.
"""
_REFUSED = """
## What gives no fact

In these lines a pattern occurs and is not believed: they are about somebody else, the past, a story, a condition.

| language | said |
|---|---|
"""


def render_guide(
    lines: Sequence[LabelledLine], hear: Hear, occurs: Callable[[str], bool], concepts: ConceptTable
) -> str:
    """The page in Markdown; `hear` gives the facts of a text, `occurs` says whether any pattern is in it.

    Short lines come first, and no more are heard than the page needs.
    """
    chosen = sorted((line for line in lines if _is_fit(line)), key=lambda line: len(line.text))
    parts = [_HEAD]
    for title, kinds in TITLES.items():
        parts.append(f"\n## {title}\n\n| language | said | fact |\n|---|---|---|\n")
        for language in LANGUAGE_NAMES:
            stating = [line for line in chosen if line.language == language and _is_of_one(line, kinds)]
            parts += _render_rows(stating, hear, concepts)
    parts.append(_REFUSED)
    for language, name in LANGUAGE_NAMES.items():
        others = (line.text for line in chosen if line.language == language and not line.expected)
        refused = (text for text in others if occurs(text) and not hear(text))
        parts += [f"| {name} | {text} |\n" for text in itertools.islice(refused, EXAMPLES)]
    return "".join(parts)


def _is_of_one(line: LabelledLine, kinds: frozenset[str]) -> bool:
    return len(line.kinds) == 1 and line.kinds <= kinds


def _render_rows(lines: Sequence[LabelledLine], hear: Hear, concepts: ConceptTable) -> Iterator[str]:
    """Rows of the lines that are heard right, each with keys (or a sum) that none before it has."""
    told: set[str] = set()
    rows = 0
    for line in lines:
        facts = hear(line.text)
        keys = {fact.value if fact.type == "budget" else fact.key for fact in facts}
        if told & keys or any(len(key) > MAX_KEY_LENGTH for key in keys) or not _is_met(line, facts, concepts):
            continue
        told |= keys
        described = ", ".join(map(_render_fact, facts))
        yield f"| {LANGUAGE_NAMES[line.language]} | {line.text} | {described} |\n"
        rows += 1
        if rows == EXAMPLES:
            return


def _render_fact(fact: ExtractedFact) -> str:
    """`key`: value and day; of a budget the sum alone, since labels say nothing of what it is for."""
    if fact.type == "budget":
        return fact.value
    day = f", {fact.happens_on.isoformat()}" if fact.happens_on else ""
    return f"`{fact.key}`: {fact.value}{day}"


def _is_met(line: LabelledLine, facts: Sequence[ExtractedFact], concepts: ConceptTable) -> bool:
    """Whether just the expected facts are heard, and nothing is shown that no label proves.

    A label accepts other names of a thing's concept.
    """
    if len(facts) != len(line.expected) or not all(line.expects(fact, concepts) for fact in facts):
        return False
    spellings = {fold(str(spelling)) for each in line.expected for spelling in each["any_of"]}
    things = (fact for fact in facts if fact.type in THING_TYPES)
    return not any(spellings.isdisjoint({fact.value, fold(fact.key.replace("_", " "))}) for fact in things)


def _is_fit(line: LabelledLine) -> bool:
    """Whether a line is in a language of the page and fits into a cell of a table."""
    is_short = MIN_LENGTH.get(line.language, 30) <= len(line.text) <= MAX_LENGTH
    return line.language in LANGUAGE_NAMES and is_short and not set("|\n`<") & set(line.text)

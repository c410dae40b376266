"""A name that answers who did something, or where it is, held against the sentence of canon that says it.

Nothing here knows deeds by name: the sentence must hold every telling word of the question. What many may do at once
(`shared_deeds`: live, drink, visit) is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from factcheck.claims.core.replies.asked import list_telling
from factcheck.claims.core.replies.canon import Canon
from factcheck.claims.core.replies.findings import Finding, Said
from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.name_answers import FORMER, find_name
from factcheck.claims.core.replies.passages import Passage
from factcheck.claims.core.replies.person_names import list_name_runs, name_of
from factcheck.claims.core.replies.texts import Text, word_set
from factcheck.core.tokens import Token

IN_PLACE = word_set(
    "in on at near by under over behind from to of into outside inside beside в во на у под за из от с к около"
)
LEADS = word_set("in on at near by under over the over up down why it's that's well в во на у под за а это там")
MIN_NAMED, MIN_UNNAMED = 1, 2
"""So many words beside the subject's own must a question have, to ask for one deed."""
MAX_LEADS = 3
POSSESSIVE = ("'s", "\u2019s")


def compare_deed_name(said: Said, canon: Canon, lexicon: Lexicon) -> list[Finding]:
    """What canon says to the name that opens an answer to `who` or `where`."""
    question = said.question
    words = question.text.words
    is_where = lexicon.lists["ask_where"].is_in(words)
    if said.clause.cues or said.clause.is_negated or question.is_negated or said.is_own or question.is_of_speaker:
        return []
    if not (is_where or "who" in question.asks) or "yes" in question.asks or len(said.slugs) != 1:
        return []
    if lexicon.lists["refers_on"].is_in(said.clause.text.words):
        return []
    if any(word.text in FORMER for word in words) or lexicon.lists["shared_deeds"].is_in(words):
        return []
    name = _find_place(said.clause.text) if is_where else find_name(said.clause.text, canon, lexicon)
    if not name:
        return []
    covered = lexicon.lists["ask_where"].places(words) | lexicon.lists["ask_who"].places(words)
    names = canon.list_name_words(said.slugs)
    telling = list_telling(said, lexicon, covered=covered, names=names)
    is_named = bool(question.text.all_keys() & said.type_keys or {word.lexeme for word in words} & names)
    if len(telling) < (MIN_NAMED if is_named else MIN_UNNAMED):
        return []
    passages = [each for each in canon.passages if each.slug in said.slugs and not each.is_unsure
                and all(keys & each.keys for keys in telling)]  # fmt: skip
    known = [run for each in passages for run in _names_of(each, canon, lexicon, is_where=is_where)]
    if not known or names & set(name) or _is_known(name, passages, is_where=is_where):
        return []
    if any(run.isdisjoint(name) and run & said.reply_keys for run in known):
        return []
    said = replace(said, is_of_stranger=False)
    shown = " ".join(sorted(known[0]))
    return [said.finding("name", passages[0].quote, passages[0].slug, shown, passages[0].field, is_sure=True)]


def _is_known(name: tuple[str, ...], passages: Sequence[Passage], *, is_where: bool) -> bool:
    """Whether the sentence holds the name; of places one may bear half the name of another (`Great Hask`)."""
    every = {part for each in passages for word in each.words for part in (word.lexeme, word.text)}
    return set(name) <= every if is_where else bool(every & set(name))


def _names_of(passage: Passage, canon: Canon, lexicon: Lexicon, *, is_where: bool) -> list[frozenset[str]]:
    """The names in a sentence that stand where who did it, or where it is, stands."""
    words = passage.words
    own = canon.list_name_words([passage.slug])
    found = []
    for start, end in list_name_runs(words, canon.names_of_people, lexicon):
        name = name_of(words[start:end])
        if not name <= own and _is_in_place(words, start) == is_where:
            found.append(name)
    return found


def _is_in_place(words: Sequence[Token], start: int) -> bool:
    before = [word.text for word in words[max(start - 2, 0) : start]]
    return any(word in IN_PLACE for word in before)


def _find_place(text: Text) -> tuple[str, ...]:
    """The lexemes of the name with capitals that opens the clause."""
    words = text.words
    start = 0
    while start < len(words) and start < MAX_LEADS and words[start].text in LEADS:
        start += 1
    end = start
    while end < len(words) and words[end].capital and (end == start or not words[end].gap):
        end += 1
    is_name = end > max(start, 1) or (end > start and start > 0)
    is_owner = end > start and words[end - 1].text.endswith(POSSESSIVE)
    return tuple(word.lexeme for word in words[start:end]) if is_name and not is_owner else ()

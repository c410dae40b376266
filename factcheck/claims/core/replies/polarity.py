"""Yes and no: a clause, or the answer to a question, that affirms what canon denies or denies what it says."""

from __future__ import annotations

from collections.abc import Sequence

from factcheck.claims.core.replies.canon import Canon, Statement
from factcheck.claims.core.replies.findings import Finding, Said
from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.questions import read_answer
from factcheck.claims.core.replies.texts import Text, script_of
from factcheck.core.tokens import Token

MIN_COVERED = 0.75
FEWEST_SHARED = 2
FEWEST_SHARED_HAN = 3
"""Single characters stand in many Chinese words."""
TIMES = frozenset(
    {"#day", "#night_count", "#month", "#year", "#hour", "@night", "first", "перв", "первый", "第一", "@last_time"}
)
"""`The first day` is no thing that two clauses share."""
ANAPHORS = frozenset(
    {"it", "she", "he", "they", "him", "her", "them", "он", "она", "оно", "они", "его", "её", "ее", "их"}
)
KIN = "kin:"
ITS_BEFORE, ITS_BEHIND = frozenset({"its"}), frozenset({"его", "её", "ее", "их"})


def compare_polarity(said: Said, canon: Canon, lexicon: Lexicon) -> list[Finding]:
    """What canon says to a clause as a whole."""
    found = []
    for statement in canon.statements:
        if statement.slug not in said.slugs or statement.is_unsure:
            continue
        if _opposes(said.clause.text, statement, said, canon.name_words, lexicon, is_negated=said.clause.is_negated):
            is_sure = not said.clause.cues and not said.is_own and not said.clause.text.quantities
            found.append(said.finding("polarity", statement.quote, statement.slug, None, None, is_sure=is_sure))
    return found[:1]


def compare_answer(said: Said, canon: Canon, lexicon: Lexicon) -> list[Finding]:
    """What canon says to the yes or no that opens an answer."""
    question = said.question
    if "yes" not in question.asks or question.is_negated or not said.clause.is_opening:
        return []
    if lexicon.lists["asked_own_life"].is_in(question.text.words) or _asks_of_kin(said, lexicon):
        return []
    answer = read_answer(said.clause.text, lexicon)
    if answer is None or (not answer and _asks_of_all(question.text, lexicon)):
        return []
    for statement in canon.statements:
        if statement.slug not in said.slugs or statement.is_unsure:
            continue
        is_opposed = _opposes(
            question.text, statement, said, canon.name_words, lexicon, is_negated=not answer, is_answer=True
        )
        if is_opposed:
            is_sure = not said.clause.cues
            return [said.finding("polarity", statement.quote, statement.slug, None, None, is_sure=is_sure)]
    return []


def _asks_of_kin(said: Said, lexicon: Lexicon) -> bool:
    """Whether the player asks of the speaker's own kin (`Is the keeper your aunt?`)."""
    question = said.question
    return question.is_of_speaker and any(
        each.label.startswith(KIN) for each in lexicon.sorts.find(question.text.words)
    )


def _asks_of_all(question: Text, lexicon: Lexicon) -> bool:
    """Whether a no leaves some of it true: `Did all the books burn?`, `Are there fifty?`"""
    return bool(question.quantities) or lexicon.lists["universal"].is_in(question.words)


def _opposes(
    text: Text,
    statement: Statement,
    said: Said,
    names: frozenset[str],
    lexicon: Lexicon,
    *,
    is_negated: bool,
    is_answer: bool = False,
) -> bool:
    """Whether one side denies what the other affirms, and what is denied is the wider of the two."""
    if is_negated == statement.is_negated:
        return False
    skipped = said.type_keys
    mine = _list_telling(text, skipped, names, lexicon)
    is_named = any(word.lexeme in names and word.capital for word in text.words)
    theirs = _list_telling(statement.text, skipped, names, lexicon, is_whole_named=is_named)
    denied, affirmed = (mine, theirs) if is_negated else (theirs, mine)
    if not denied or not affirmed:
        return False
    known = frozenset().union(*affirmed)
    shared = [keys for keys in denied if keys & known]
    if len(shared) < MIN_COVERED * len(denied):
        return False
    has_deed = any(key[0] == "@" for keys in shared for key in keys & known)
    is_enough = has_deed or (statement.is_rule and is_answer)
    if all(key[0] == "%" for keys in shared for key in keys & known):
        return False
    if sum(not keys & TIMES for keys in shared) < min(FEWEST_SHARED, len(shared)):
        return False
    fewest = FEWEST_SHARED if is_answer or script_of(text.tokens.text) != "han" else FEWEST_SHARED_HAN
    if _count_words(shared, known) >= fewest:
        return True
    is_meant = said.is_settled or statement.is_rule
    is_anaphoric = is_answer or is_named or any(word.text in ANAPHORS for word in text.words)
    return is_enough and is_meant and is_anaphoric and len(denied) == 1


def _count_words(shared: Sequence[frozenset[str]], known: frozenset[str]) -> int:
    """How many words are shared; of Chinese the pairs of characters overlap, and a word of two is one."""
    labels = {key for keys in shared for key in keys & known if key[0] in "@#%"}
    plain = [keys for keys in shared if not any(key in labels for key in keys)]
    is_han = any(script_of(key) == "han" for keys in shared for key in keys if key[0] not in "@#%")
    return len(labels) + (len(plain) // 2 if is_han else len(plain))


def _list_telling(
    text: Text, skipped: frozenset[str], names: frozenset[str], lexicon: Lexicon, *, is_whole_named: bool = False
) -> list[frozenset[str]]:
    """The keys of telling words; where a clause names the whole, `its blade` is no more than that."""
    idle = lexicon.lists["anyone"].places(text.words)
    if is_whole_named:
        idle |= {place for place in range(len(text.words)) if _is_its_part(text.words, place)}
    return [keys for place, keys in list_telling_words(text, skipped, names, lexicon) if place not in idle]


def _is_its_part(words: Sequence[Token], place: int) -> bool:
    after = words[place + 1].text if place + 1 < len(words) else ""
    return after in ITS_BEHIND or (place > 0 and words[place - 1].text in ITS_BEFORE)


def list_telling_words(
    text: Text, skipped: frozenset[str], names: frozenset[str], lexicon: Lexicon
) -> list[tuple[int, frozenset[str]]]:
    """Each word that says something, by place: without names, modals, and the sort of what is spoken of."""
    words = text.words
    idle = {place for each in text.quantities for place in range(each.start, each.end)}
    idle |= lexicon.lists["permit"].places(words) | lexicon.lists["forbid"].places(words)
    idle |= lexicon.lists["negations"].places(words)
    idle |= {place for place in range(2, len(words)) if _is_own_place(words, place)}
    idle |= {place for place, word in enumerate(words) if word.lexeme in names and (word.capital or word.kind == "han")}
    return [(place, keys) for place, keys in enumerate(text.keys) if keys and place not in idle and not keys & skipped]


def _is_own_place(words: Sequence[Token], place: int) -> bool:
    """Whether the word is in `in its waters`: where a rule holds is where its article is."""
    return words[place - 2].text in {"in", "at", "on", "within"} and words[place - 1].text in {"its", "their"}

"""Keys of the `m37` dialect: words of any script, by their stems.

A key of several words is found where its words follow each other. `match_whole_words` of an entry chooses: None is
words by their stems (`дракон` finds `драконами`), True words as written, False any part of the text. Scripts without
spaces between words are always searched for as parts. `case_sensitive` compares the letters as written.
"""

from __future__ import annotations

import re
from functools import lru_cache

from knowledge.lorebooks.activation.character_sets import JS_SPACES
from knowledge.lorebooks.activation.inputs import ActivationSettings
from knowledge.lorebooks.activation.js_escapes import JsSyntaxError
from knowledge.lorebooks.activation.key_index import Hits, KeyIndex, LiteralTable, Needle, Span
from knowledge.lorebooks.activation.regexes import CompiledRegex, compile_js_regex, compile_regex_key, parse_regex_key
from knowledge.lorebooks.activation.work import ANALYSE_STEPS, LEXEME_STEPS, READ_STEPS, WorkMeter
from knowledge.lorebooks.core.book import Entry
from knowledge.lorebooks.core.vocabulary import RegexKeys
from knowledge.text.analysis import ALL_WHOLE, Stemmers, analyse
from knowledge.text.folding import normalise

_WITHOUT_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uac00-\ud7ff\U00020000-\U000323af]"
)
"""Thai, Lao, Burmese, Khmer, kana, Han, and Hangul, whose particles are written together with the word."""
_MAX_COMPARED_WORDS = 8
"""Words of a phrase; longer ones are compared one by one where their first eight stand."""


class _PhraseTable:
    """Sequences of lexemes filed by as many of their first as are compared at once."""

    def __init__(self, *, is_stemmed: bool) -> None:
        self._stemmers: Stemmers = () if is_stemmed else ALL_WHOLE
        self._by_length: dict[int, dict[tuple[str, ...], list[tuple[tuple[str, ...], int]]]] = {}
        self._firsts: set[str] = set()

    def analyse(self, text: str) -> list[str]:
        return analyse(text, stemmers=self._stemmers)

    def add(self, lexemes: tuple[str, ...], value: int) -> None:
        head = lexemes[:_MAX_COMPARED_WORDS]
        self._by_length.setdefault(len(head), {}).setdefault(head, []).append((lexemes, value))
        self._firsts.add(lexemes[0])

    def search(self, text: str, work: WorkMeter) -> set[int]:
        if not self._by_length:
            return set()
        work.spend(len(text) * ANALYSE_STEPS)
        lexemes = self.analyse(text)
        starts = [index for index, lexeme in enumerate(lexemes) if lexeme in self._firsts]
        found: set[int] = set()
        for length, filed in self._by_length.items():
            work.spend(len(starts) * length * LEXEME_STEPS)
            for start in starts:
                for wanted, value in filed.get(tuple(lexemes[start : start + length]), ()):
                    if len(wanted) == length:
                        found.add(value)
                        continue
                    work.spend(len(wanted) * LEXEME_STEPS)
                    if tuple(lexemes[start : start + len(wanted)]) == wanted:
                        found.add(value)
        return found


class WordKeyIndex(KeyIndex):
    """Stems, words as written, parts of the normalised text, and parts or words of the text as it is."""

    def __init__(self, settings: ActivationSettings, first_id: int = 0) -> None:
        super().__init__(settings, first_id)
        self._stems, self._words = _PhraseTable(is_stemmed=True), _PhraseTable(is_stemmed=False)
        self._parts, self._exact = LiteralTable(), LiteralTable()
        self._exact_words: dict[int, str] = {}
        self._has_parts = self._has_exact = False

    def add(self, key: str, entry: Entry) -> Needle:
        """Empty keys never fire."""
        text = key.strip(JS_SPACES)
        if not text:
            return self.intern("never", key=key, kind="never")
        identity = (text, entry.regex_keys, entry.case_sensitive, entry.match_whole_words)
        if identity in self.known:
            return self.known[identity]
        compiled = self._compile(text, entry.regex_keys)
        if compiled is not None:
            return self.intern(identity, key=key, kind="regex", text=text, regex=compiled)
        needle = self.intern(identity, key=key, kind="indexed", text=text)
        self._file(text, needle.id, entry)
        return needle

    def _compile(self, text: str, regex_keys: RegexKeys) -> CompiledRegex | None:
        """None for plain text: no book says that it is a pattern, and it is not written as one."""
        if regex_keys is RegexKeys.NONE or (regex_keys is RegexKeys.SLASHED and parse_regex_key(text) is None):
            return None
        return self.allowance.take(text, lambda: _compile_key(text, regex_keys))

    def _file(self, text: str, needle_id: int, entry: Entry) -> None:
        if entry.case_sensitive:
            self._has_exact = True
            self._exact.add(text, needle_id)
            if entry.match_whole_words is not False and not _WITHOUT_SPACES.search(text):
                self._exact_words[needle_id] = text
            return
        table = self._words if entry.match_whole_words else self._stems
        lexemes = tuple(table.analyse(text))
        folded = normalise(text).strip()
        if lexemes and entry.match_whole_words is not False and not _WITHOUT_SPACES.search(text):
            table.add(lexemes, needle_id)
        elif folded:
            self._has_parts = True
            self._parts.add(folded, needle_id)

    def search(self, text: str, work: WorkMeter) -> Hits:
        """Keys in one segment, with a place where the text is compared as it is."""
        hits: Hits = dict.fromkeys(self._stems.search(text, work) | self._words.search(text, work))
        if self._has_parts:
            folded = normalise(text)
            for needle_id, start, end in self._parts.search(folded, work):
                hits[needle_id] = (start, end) if len(folded) == len(text) else None
        if self._has_exact:
            for needle_id, start, end in self._exact.search(text, work):
                span: Span | None = (start, end)
                if needle_id in self._exact_words:
                    work.spend((len(text) - start) * READ_STEPS)
                    span = find_word(text, self._exact_words[needle_id], start)
                if span is not None:
                    hits[needle_id] = span
        return hits


def find_word(text: str, word: str, start: int = 0) -> Span | None:
    """The word with no letter, digit or mark of any script beside it."""
    start = text.find(word, start)
    while start >= 0:
        end = start + len(word)
        if not _is_word(text[start - 1 : start] if start else "") and not _is_word(text[end : end + 1]):
            return start, end
        start = text.find(word, start + 1)
    return None


def _is_word(character: str) -> bool:
    return bool(character) and (character.isalnum() or character == "_")


@lru_cache(maxsize=20_000)
def _compile_key(text: str, regex_keys: RegexKeys) -> CompiledRegex | None:
    """A regular expression where the book says so: `use_regex` of V3 makes one of a key without slashes too."""
    compiled = compile_regex_key(text, unicode_words=True)
    if compiled is not None or regex_keys is RegexKeys.SLASHED:
        return compiled
    try:
        return compile_js_regex(text, text, "", unicode_words=True)
    except JsSyntaxError:
        return None

"""Whom a question of the assistant is about: its reader, or somebody else."""

from __future__ import annotations

import re

from factcheck.instant.core.words import read_words

_WORD = re.compile(r"[^\W_][\w'-]*")
_OTHERS = read_words("other_people") | read_words("played_people")
_READER = read_words("second_person")
_OWNERS = read_words("second_person_owner")
_WORKS = read_words("second_person_works")
_GIVING = read_words("giving")
_REACH = 2
"""Words between "your" and whom it belongs to: "your older sister"."""
_ARABIC_KIN = re.compile(
    r"(?:و|ل|ب)?(?:خطيبت?|اخو|اخت|ام|امّ|ابو|ابن|ابنت|بنت|بنات|ولد|اولاد|عيال|زوجت?|جوز|مرت|مرات|صديقت?|صاحب|صاحبت|رفيقت?"
    r"|خالت?|عمت?|جدت?|ستّ?|تيتت?|حمات|مدير|مديرت|جار|جارت|طفل|طفلت|اطفال|اهل|عيلت|عائلت|والد|والدت|شخصيت)(?:ك|كم|كي|كن)"
    r"|[ie]bn[ae]k|(?:o[5k]h?t|bent|bint|khat[ie]bt?|5at[ie]bt?|jo+z|ma?rt|mrat|[eio]mm|abo+u?|akho?u?|a5o+u?|sa7[eib]*b?t?"
    r"|[sr]adee?2t?|w?alad|wlad|awlad|3yal|khal[et]*|5al[et]*|3amm?[et]*|modee?r|mudee?r|jar[et]*|rfee?2)(?:[aei]k|[aeo]?kom|kon)"
)
"""Kin of the reader in one word: خطيبك, اختك, okhtak."""


def is_of_others(question: str) -> bool:
    """Whether a folded question names somebody else or a played figure and not its reader: "how tall is your ranger?".

    Whom something is meant for is not asked about: "how much for your sister's present?".
    """
    words = [match[0] for match in _WORD.finditer(question)]
    names_other = False
    for place, word in enumerate(words):
        if word in _OWNERS:
            behind = words[place + 1 : place + 1 + _REACH]
            if not any(each in _OTHERS or each in _WORKS for each in behind):
                return False
        elif word in _READER:
            return False
        is_other = word in _OTHERS or _ARABIC_KIN.fullmatch(word) is not None
        names_other = names_other or (is_other and _GIVING.isdisjoint(words[max(0, place - _REACH) : place]))
    return names_other

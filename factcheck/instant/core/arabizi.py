"""Arabic in Latin letters: what two spellings of a word have in common, and how names in Arabic are spelt so."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache

from factcheck.instant.core.words import read_words

_DIGRAPHS = (("kh", "5"), ("gh", "8"), ("sh", "$"), ("ch", "$"), ("th", "t"), ("dh", "d"), ("ph", "f"), ("ou", "u"))
_ONE_SIGN = str.maketrans("hqx96jcvpz", "725stgkfbs", "'")
"""Signs for one sound in Arabizi: خ is 5 or x, ح is 7 or h, ق is 2 or q."""
_ONE_VOWEL = str.maketrans("eo", "iu")
_SOUNDS = {
    "ا": ("",), "ى": ("",), "ي": ("",), "ب": ("b",), "ت": ("t",), "ث": ("t", "s"), "ج": ("g",), "ح": ("7",),
    "خ": ("5",), "د": ("d",), "ذ": ("t", "d", "s"), "ر": ("r",), "ز": ("s",), "س": ("s",), "ش": ("$",), "ص": ("s",),
    "ض": ("d", "s"), "ط": ("t",), "ظ": ("d", "s", "t"), "ع": ("3", ""), "غ": ("8",), "ف": ("f",), "ق": ("2", "g", "8"),
    "ك": ("k",), "ل": ("l",), "م": ("m",), "ن": ("n",), "ه": ("7", ""), "ة": ("",), "و": ("w", ""), "ء": ("2", ""),
    "ئ": ("2", ""), "ؤ": ("2", ""), "پ": ("b",), "چ": ("$", "g"), "ڤ": ("f",), "گ": ("g",),
}  # fmt: skip
"""The signs that a letter may leave in a skeleton; dialects say ق and ذ in several ways."""
_MAX_SKELETONS = 32
_MIN_SKELETON_LENGTH = 4
_MIN_PART_LENGTH = 2
_MIN_ENGLISH_WORDS = 4
_JOINED = re.compile(r"^(?:w|wa|b|bi|f)?(?:[aei]l|l)-?(?=..)|^wa?(?=[^aeiou][aeiou2-9])")
_ARTICLE = re.compile(r"^ال(?=...)")
_SIGNS = re.compile(r"(?<!\w)(?:[a-z]+[235679][a-z]*|[37][a-z]{2,}|[ei]l [a-z]+|wallah\w*|w [a-z]+|we?l [a-z]+)(?!\w)")
_STEMS = re.compile(
    r"(?<!\w)(?:\w*h?as+as\w*|\w*hsas\w*|m?[ae]?b?[ae]ko+l\w*|m?[ae]?b?[ae]?shrab\w*|m?[ae]?b?[ae]lb[eia]s\w*|m[ie]za?n\w*"
    r"|nabat\w*|tool[iy]\w*|wazn[iy]|sama[k2]|la?7?hm[ae]|mat|mate?t|met[ei]t|te?waff?\w*|tala+2\w*"
    r"|[ie]?a?ndi|baba|mama|teta|jedd?[oiy]|khal\w+|kohol|ma2as\w*|ma[gq]as\w*)(?!\w)"
)
"""How words of Arabizi begin that state facts; `mat` and `mama` are English, too."""
_LATIN_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")


def is_arabizi(folded: str) -> bool:
    """Whether a word is spelt with the digits of Arabizi, or stands behind its article or its `w`."""
    return _SIGNS.search(folded) is not None


@lru_cache(maxsize=256)
def is_plain_english(folded: str) -> bool:
    """Whether frequent English words are a third of a text and four at least, and none looks like one of Arabizi."""
    if is_arabizi(folded) or _STEMS.search(folded):
        return False
    words = _LATIN_WORD.findall(folded)
    english = sum(map(read_words("english_frequent").__contains__, words))
    return english >= max(_MIN_ENGLISH_WORDS, len(words) / 3) and read_words("arabizi_frequent").isdisjoint(words)


def list_arabizi_readings(word: str) -> tuple[str, ...]:
    """A word of Arabizi, and the same without a joined article or `w`."""
    match = _JOINED.match(word)
    return (word, word[match.end() :]) if match else (word,)


@lru_cache(maxsize=20_000)
def make_arabizi_form(word: str) -> str:
    """A word with one sign a sound, nothing doubled inside, e as i and o as u: `beid` and `beed` meet."""
    folded = word
    for sound, sign in _DIGRAPHS:
        folded = folded.replace(sound, sign)
    folded = folded.translate(_ONE_SIGN).translate(_ONE_VOWEL).replace("y", "i")
    return re.sub(r"([aiu])\1+|(.)\2+(?=.)", r"\1\2", folded)


@lru_cache(maxsize=20_000)
def make_arabizi_skeleton(word: str) -> str:
    """What two spellings of one word in Arabizi have in common: its consonants, one sign a sound."""
    return re.sub(r"[aiu]", "", re.sub(r"(.)\1+", r"\1", make_arabizi_form(word)))


def is_distinctive(skeleton: str) -> bool:
    """Whether consonants name a thing by themselves: four that no frequent word has, or three that were looked at."""
    if len(skeleton) < _MIN_SKELETON_LENGTH:
        return skeleton in read_words("arabizi_short")
    return skeleton not in read_words("arabizi_shared")


@lru_cache(maxsize=20_000)
def list_skeletons(arabic: str, *, alone: bool = True) -> tuple[str, ...]:
    """The skeletons of an Arabic word as people may spell it in Latin letters: عناكب gives 3nkb and nkb.

    Of a name of one word (`alone`), those that are short, or shared by a frequent word, are left out.
    """
    sounds = [_SOUNDS.get(letter, ()) for letter in _ARTICLE.sub("", arabic)]
    if not all(sounds):
        return ()
    made = dict.fromkeys("".join(each) for each in itertools.islice(itertools.product(*sounds), _MAX_SKELETONS))
    skeletons = (re.sub(r"(.)\1+", r"\1", skeleton) if "ا" not in arabic else skeleton for skeleton in made)
    if not alone:
        return tuple(skeleton for skeleton in skeletons if len(skeleton) >= _MIN_PART_LENGTH)
    return tuple(skeleton for skeleton in skeletons if is_distinctive(skeleton))

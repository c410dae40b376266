"""The dictionary form of a word where a stem does not reach it: `drew` is `draw`, `geese` `goose`, `окон` `окно`."""

from __future__ import annotations

from functools import lru_cache

from factcheck.instant.core.forms import find_russian_lemma
from knowledge.text.folding import normalise

_VERBS = """
arise arose arisen|awake awoke awoken|beat beaten|become became|begin began begun|bend bent|bet|bid
bade bidden|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built
|burn burnt|buy bought|catch caught|choose chose chosen|cling clung|creep crept|deal dealt|dig dug|draw drew drawn|dream
dreamt|drink drank drunk|drive drove driven|dwell dwelt|eat ate eaten|fall fell fallen|feed fed|fight fought|
flee fled|fling flung|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze
froze frozen|give gave given|grow grew grown|hang hung hanged|hear heard|hide hid hidden|hold held|keep kept
|kneel knelt|lay laid|lead led|lean leant|leap leapt|learn learnt|lend lent|light lit|lose lost|mean
meant|meet met|pay paid|ride rode ridden|ring rang rung|rise risen|seek sought|sell sold|send sent|sew sewn|shake
shook shaken
|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|slay slew slain
|sleep slept|slide slid|sling slung|smell smelt|sow sown|speak spoke spoken|spend spent|spill spilt|spin spun|spring
sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|strike struck stricken|string strung|swear swore
sworn|sweep swept|swell swollen|swim swam swum|swing swung|teach taught|tear tore torn|think thought|throw threw thrown|
tread trod trodden|wake woke woken|wear wore worn|weave wove woven|weep wept|win won|write wrote written
"""
_NOUNS = """
man men|woman women|child children|foot feet|tooth teeth|goose geese|mouse mice|louse lice|ox oxen|wolf wolves|knife
knives|life lives|wife wives|thief thieves|leaf leaves|loaf loaves|half halves|shelf shelves|calf calves|elf elves|dwarf
dwarves|hoof hooves|roof rooves|scarf scarves|penny pence pennies|person people|brother brethren|staff staves
"""


def _table(text: str) -> dict[str, str]:
    groups = (group.split() for group in " ".join(text.split()).split("|"))
    return {normalise(form): normalise(forms[0]) for forms in groups for form in forms}


_ENGLISH = _table(_VERBS) | _table(_NOUNS)
MIN_RUSSIAN_LENGTH = 3


@lru_cache(maxsize=50_000)
def base_of(word: str) -> str | None:
    """The dictionary form of a normalised word; None where the stem does, or nothing is known of it."""
    if "\u0400" <= word[:1] <= "\u04ff":
        return find_russian_lemma(word) if len(word) >= MIN_RUSSIAN_LENGTH else None
    return _ENGLISH.get(word)

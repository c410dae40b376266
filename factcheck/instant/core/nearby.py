"""The things that stand around what is said of them: "hazelnuts = anaphylaxis for me", "nickel. my skin goes red"."""

from __future__ import annotations

import re

from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.value_lists import ListedValue, is_between_things, list_mentions, read_list, split_tokens
from factcheck.instant.core.words import read_words

_BORDERS = read_words("borders")
_WEAK = read_words("weak_things")
_MAX_CHARACTERS_BACK = 240
_MAX_WORDS_OF_SENTENCE_BEFORE = 6
_MAX_UNKNOWN_WORDS_OF_LIST = 2
_MAX_SENTENCES_BACK = 3
_MAX_WORDS_OF_ASIDE = 3
"""A sentence of so few words without a thing is passed over: "Ibuprofen? Nope. My lips swell"."""
_MAX_CHARACTERS_TO_COLON = 80
_LEADS_TO_CAUSE = re.compile(
    r"(?:[ ,]+(?:up|out|shut|closed|badly|really|bad|so|too|always|usually|like crazy|immediately"
    r"|instantly|сразу|же|сильно"
    r"|дико|всегда|دايما|علي طول|فورا|3ala tool)){0,3}[ ,]+"
    r"(?:(?:because|bc|cuz|coz|thanks|due|from|just from|against|out)(?: of| to)?|из-за|из за|против|بسبب"
    r"|عشان|علشان|3ashan|bsabab"
    r"|(?:if|when|whenever|after|every time|any ?time|once|as soon as|the (?:second|minute|moment)|each time|even if)"
    r"(?: (?:i|i'm|i've|there's|there is|someone|anyone|they))?(?: (?:just|even|so much as|only|ever"
    r"|accidentally|have|am|get))*"
    r"(?: (?:eat\w*|ate|eaten|have|had|touch\w*|smell\w*|wear\w*|wore|drink\w*|drank|us(?:e|ed|ing)|take"
    r"|took|taking|tr(?:y|ied)"
    r"|near|exposed to|inhal\w*|breathe in|around|consum\w*|cook\w*|put on|bite|bites|bitten by|sting|stung by|sniff\w*"
    r"|get near|go near|come near|a bite of|a bit of|some|any|even a))*"
    r"|(?:когда|если|стоит|как только|после того как|чуть|едва|после|от)(?: (?:я|мне|хоть|только|даже"
    r"|просто|чуть|случайно))*"
    r"(?: (?:съем|поем|ем|съесть|съел[аи]?|поел[аи]?|потрог\w*|понюха\w*|надену|надеть|надел[аи]?|выпью"
    r"|выпить|выпил[аи]?"
    r"|попробу\w*|попробовать|нюха\w*|трога\w*|одного|одной|куска|кусочка|ложки|глотка|капли|запаха|вида"
    r"|контакта с|близости))*"
    r"|(?:لو|اذا|لما|كل ما|اول ما|بعد ما|بمجرد ما|حتي لو|بعد|من)(?: (?:ا|ب|ن)?(?:كل|شم|لمس|شرب|لبس|قرب|ذق"
    r"|دق|خذ|خد|جرب)\w{0,4})?"
    r"(?: (?:من|اي|شوي|شويه|ريحه|حبه|حته))*"
    r"|(?:law|lw|iza|eza|itha|lam+a|kol ma|awel ma|ba3d|men|mn|min)"
    r"(?: (?:b?a?k[ae]?lt|akalt|akelt|shamm?[ae]?i?t|sharebt|lamast|labast|akol|bakol|ashem|bashem"
    r"|albes))?(?: (?:men|mn|min|ay|re7et))*"
    r")[ ]+"
)
"""What may stand between a reaction and its cause: "my throat closes up if I eat …"."""
_NAMES_ITS_THING = re.compile(r"phobi|фоби|celiac|coeliac|целиак|سيلياك|favism|hay ?fever|поллиноз|恐惧|密恐|恐高|不耐")
_REFERS_BACK = re.compile(
    r"(?<!\w)(?:it|its|it's|them|they|they're|that|those|this|these|one|any|"
    r"его|ее|их|него|нее|них|ним|ней|ними|это|этого|такое|они|оно|тоже|منه|منها|منهم|منو|عنه|عنها|هاد|هذا|هذي|هذه|ذا|"
    r"mino|minno|menno|minha|menha|minhom|menhom|hada|hatha|haida|da|di)(?!\w)"
)


def read_nearby(
    message: FoldedMessage,
    start: int,
    end: int,
    table: ConceptTable,
    use: str,
    *,
    arabizi: bool = False,
    only_behind: bool = False,
) -> list[ListedValue]:
    """The known things that the words from `start` to `end` are about.

    First those right behind them in their clause; else the nearest before them in the sentence; else those of the
    sentence before, where this one refers back to it or that one is short; else of a list that follows; else those
    that the words themselves hold: "so that no snakes come up".
    """
    first, last = message.sentence(start, end)
    text = message.text
    inside = list_mentions(text, start, end, table, use) if _NAMES_ITS_THING.search(text, start, end) else []
    if inside:
        return inside
    lead = _LEADS_TO_CAUSE.match(text, end, last)
    after = read_list(text, lead.end() if lead else end, table, use, direct=True, arabizi=arabizi)
    after = [value for value in after if value.end <= last]
    if not after and use == "allergy":
        after = _read_behind_colon(text, end, last, table, use, arabizi=arabizi)
    if after or only_behind:
        return after
    before = _read_before(text, max(first, start - _MAX_CHARACTERS_BACK), start, table, use, arabizi=arabizi)
    if before:
        return before
    return (
        _read_sentence_before(message, first, last, table, use, arabizi=arabizi)
        or _read_list_after(message, last, table, use)
        or [each for each in list_mentions(text, start, end, table, use, arabizi=arabizi) if each.key not in _WEAK]
    )


def _read_behind_colon(
    text: str, start: int, last: int, table: ConceptTable, use: str, *, arabizi: bool
) -> list[ListedValue]:
    """The list that a colon opens some words behind: "allergies, since you asked: dust mites, mold"."""
    colon = text.find(":", start, min(last, start + _MAX_CHARACTERS_TO_COLON))
    if colon < 0 or list_mentions(text, start, colon, table, use, arabizi=arabizi):
        return []
    return read_list(text, colon + 1, table, use, phrases=True, arabizi=arabizi)


def _read_before(
    text: str, first: int, start: int, table: ConceptTable, use: str, *, arabizi: bool
) -> list[ListedValue]:
    mentions = list_mentions(text, first, start, table, use, arabizi=arabizi)
    if not mentions:
        return []
    mentions = [mention for mention in mentions if mention.key not in _WEAK]
    if not mentions:
        return []
    borders = [end for word, _, end in split_tokens(text, first, start) if word in _BORDERS]
    inside = [mention for mention in mentions if not borders or mention.start >= borders[-1]]
    return _take_last_group(text, inside or mentions)


def _take_last_group(text: str, mentions: list[ListedValue]) -> list[ListedValue]:
    """The last mentions that are joined to one list."""
    group = [mentions[-1]]
    for mention in reversed(mentions[:-1]):
        if not is_between_things(text, mention.end, group[0].start):
            break
        group.insert(0, mention)
    return group


def _read_sentence_before(
    message: FoldedMessage, first: int, last: int, table: ConceptTable, use: str, *, arabizi: bool
) -> list[ListedValue]:
    text = message.text
    end, words, start = first, [], 0
    for _ in range(_MAX_SENTENCES_BACK):
        while end > 0 and not text[end - 1].isalnum():
            end -= 1
        if end == 0:
            return []
        start = max(message.sentence(end - 1, end)[0], end - _MAX_CHARACTERS_BACK)
        words = [token for token in split_tokens(text, start, end) if token[0][0].isalnum()]
        if len(words) > _MAX_WORDS_OF_ASIDE or list_mentions(text, start, end, table, use, arabizi=arabizi):
            break
        end = start
    mentions = [each for each in list_mentions(text, start, end, table, use, arabizi=arabizi) if each.key not in _WEAK]
    if not mentions:
        return []
    if len(words) <= _MAX_WORDS_OF_SENTENCE_BEFORE or _REFERS_BACK.search(text, first, last):
        return _take_last_group(text, mentions)
    return []


def _read_list_after(message: FoldedMessage, last: int, table: ConceptTable, use: str) -> list[ListedValue]:
    """The things of the next sentence, where it is little else than their list."""
    text = message.text
    if last >= len(text):
        return []
    end = message.sentence(last + 1, last + 1)[1] if last + 1 < len(text) else last
    mentions = list_mentions(text, last, end, table, use)
    if not mentions:
        return []
    known = sum(len(split_tokens(text, mention.start, mention.end)) for mention in mentions)
    words = [token for token in split_tokens(text, last, end) if token[0][0].isalnum()]
    return mentions if len(words) - known <= _MAX_UNKNOWN_WORDS_OF_LIST else []

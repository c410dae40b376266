"""The parts of a message that others wrote or said: pasted chat lines, fenced blocks, forwarded mail, reports."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

from factcheck.instant.core.chinese import fold_chinese
from factcheck.instant.core.words import read_words
from knowledge.text.folding import normalise

Span = tuple[int, int]

_MAX_NAME_LENGTH = 40
_CLOCK = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[aApP]\.?[mM]\.?|\s?[صم])?"
_STAMP = (
    rf"(?:[\[(](?:[^\])\n]{{0,24}}[ ,])?{_CLOCK}(?:[ ,][^\])\n]{{0,24}})?[\])]"
    rf"|(?:\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{1,4}},?\s)?{_CLOCK})\s*[-–—|]?\s*"
)
_NAME = rf"[^\W\d_][^\n:：<>\[\](){{}}«»\"|?!;,،]{{0,{_MAX_NAME_LENGTH}}}"
_SPEAKER = re.compile(
    rf"^[ \t]*(?:[-•]\s)?(?P<stamp>{_STAMP})?[*_]{{0,2}}@?"
    rf"(?P<name>{_NAME}?)\s?(?:[(\[][^)\]\n]{{1,24}}[)\]])?[*_]{{0,2}}"
    r"\s?[:：](?!//|\d|[)(DPpO3](?!\w))[*_]{0,2}[ \t]*(?P<said>\S[^\n]*)",
    re.MULTILINE,
)
_DATED_SPEAKER = re.compile(
    rf"^[ \t]*(?P<name>{_NAME}?)\s*[—–|-]\s*[^\n:]{{0,24}}?{_CLOCK}\s*[:：][^\n]*", re.MULTILINE
)
_BRACKETED_SPEAKER = re.compile(
    rf"^[ \t]*(?P<stamp>{_STAMP})?(?:<(?P<angled>@?[^<>\n]{{1,{_MAX_NAME_LENGTH}}})>"
    rf"|\[(?P<square>{_NAME})\]|\[(?P<dated>[^\W\d_][^\[\]\n:]{{0,30}}[ ,]+{_CLOCK})\])[ \t:]*(?P<said>\S[^\n]*)",
    re.MULTILINE,
)
_HEADER = re.compile(
    rf"^[ \t]*[^\W\d_][^\n:]{{0,{_MAX_NAME_LENGTH}}}?(?:,? \[[^\]\n]{{0,20}}{_CLOCK}\]|\s+[—–-]\s+(?:today|yesterday"
    rf"|сегодня|вчера|اليوم|امس|أمس"
    rf"|\d{{1,4}}[./]\d{{1,2}}[./]\d{{2,4}})[^\n]{{0,12}}{_CLOCK}|\s+{_CLOCK})[ \t]*:?[ \t]*\n",
    re.MULTILINE | re.IGNORECASE,
)
_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n?.*?(?:^[ \t]*\1|\1|\Z)", re.MULTILINE | re.DOTALL)
_QUOTE_TAG = re.compile(
    r"\[quote[^\]\n]*\].*?(?:\[/quote\]|\Z)|<(quote|blockquote|q)\b[^>\n]*>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)
_FORWARDED = re.compile(
    r"^[ \t>]*(?:-{2,}[ \t]*(?:(?:original|forwarded) message|переслан\w* (?:сообщение|письмо)|исходное сообщение"
    r"|رسالة محولة|رساله محوله)"
    r"|begin forwarded message|fwd?:|fw:|\[?(?:forwarded|fwd) (?:from|message)\b|переслано(?: от)?\b|пересланное\b"
    r"|пересылаю:|(?:معاد توجيهها|محول[ةه]?) من\b"
    r"|on [^\n]{4,80}\bwrote:|[^\n]{4,60}\bпишет:[ \t]*$"
    r"|(?:from|от|من):[^\n]*\n(?:[^\n]*\n){0,3}?[ \t]*(?:subject|date|sent|to|тема|дата|кому|الموضوع|التاريخ|الى"
    r"|إلى):)",
    re.MULTILINE | re.IGNORECASE,
)
_REPORT = re.compile(
    r"(?<!\w)(?P<verb>wrote|writes|writing|said|says|texted|texts|posted|replied|answered|goes|went"
    r"|sent me(?: this)?|messaged|dm'?d|msgd|was like|is like"
    r"|написал[аи]?|написали|пишет|пишут|сказал[аи]?|говорит|говорят|ответил[аи]?|отвечает|скинул[аи]?|прислал[аи]?"
    r"|выдал[аи]?"
    r"|قال|قالت|قالوا|يقول|تقول|كتب|كتبت|كتبوا|يكتب|تكتب|رد|ردت|ارسل|أرسل|ارسلت|أرسلت|بعت|بعتت|بعث|gal|galat|2al"
    r"|b[eiyt]*2oo?u?l(?: l[ae]l? ?[a-z0-9]+)?|kaygoul|kay9oul|2alet|2alat|8al|8alat|katab|katbat)"
    r"(?: (?:in (?:the )?(?:group|chat|discord)|to (?:me|us)|me|us|мне|нам|в чате?|в чат|لي|لنا|في القروب|في الجروب"
    r"|li))?"
    r"(?: (?:this|вот что|вот это|что|هذا|كذا|التالي))?\s*[:：]",
    re.IGNORECASE,
)
_HAN_REPORT = re.compile(
    r"(?<![我俺咱你您])(?<!医生)(?<!大夫)(?<!你们)(?<!大家)(?:说|讲|写|问|回|答|回复|发来|留言|发消息|喊|告诉我|跟我说|问我|写道|说道|表示)(?:道|了|过|着|的)?\s*[:：]"
)
"""`妈妈说：…`: what stands behind it is not the author's, unless they say it themselves (`我说：…`)."""
_SPEECH_TAG = re.compile(
    r"[,،!?…\"»”—–-]\s*"
    r"(?:(?:says?|said|replie[sd]|shouts?|shouted|cries|cried|whispers?|whispered|mutters?|muttered|growls?|growled"
    r"|laughs?|laughed|sighs?|sighed|declares?|declared) (?:my|the|our|his|her|their)"
    r"(?! (?:\w+ )?(?:doctors?|doc|dr|gp|allergist|derm\w*|nurse|specialist|dentist|hospital|clinic|tests?|results?"
    r"|letter|chart|report|card|label|bracelet|m[uo]m(?:my)?|mother|da?d(?:dy)?|father|parents?|wife|husband|partner"
    r"|girlfriend|boyfriend|sister|brother|therapist|body|stomach|tummy|gut|skin|throat|lungs?|tongue|nose|immune)\b)"
    r"|(?:говорит|сказал[аи]?|крикнул[аи]?|кричит|отвечает|ответил[аи]?|шепчет|шепнул[аи]?|бормочет|рычит|рычал[аи]?"
    r"|воскликнул[аи]?|восклицает|смеется|смеётся|вздыхает|вздохнул[аи]?|заявляет|заявил[аи]?)"
    r" (?:мой|моя|мои|наш|наша|его|её|ее|этот|эта|старый|старая)"
    r"(?! (?:\w+ )?(?:врач|доктор|аллерголог|терапевт|дерматолог|тест|анализ|справка|карта"
    r"|мам|мать|отец|пап|муж|жен|родител|партн[её]р|сестр|брат|организм|тел|желуд|живот|кож|горл|нос|язык))"
    r"|(?:قال|قالت|رد[ّ\u064b-\u0652]?|ردت|اجاب|أجاب|أجابت|اجابت|صاح|صاحت|صرخ|صرخت|همس|همست|تمتم|تمتمت)"
    r"[\u064b-\u0652]* ال(?!دكتور|طبيب|تحليل|مستشفى|فحص|جسم|معد|جلد))\s?[^\W\d_]+",
    re.IGNORECASE,
)
"""Behind what a character says: "I hate fur, says my witch". Doctors, family and the own body speak of
the author."""
_SENTENCE_END = re.compile(r"[.!?؟\n]")
MAX_SAID = 400
"""Characters before and behind "says my witch" that are looked at."""
_FIRST_PERSON = re.compile(
    r"(?:(?<!\w)(?:i|i've|i'd|ive|we|я|мы|انا|أنا|ana|me)(?: (?:also|just|already|always|once|have|had|уже|же|ведь"
    r"|вчера|раньше|тебе|вам|قد|tab))*\s+|(?<!\w)(?:should(?:'ve| have)|shoulda|forgot to|meant to) (?:have )?)$",
    re.IGNORECASE,
)
_SAYS_I = re.compile(
    r"(?:i|i'm|im|i’m|i've|ive|my|me|we|я|у меня|мне|меня|мой|моя|мои|انا|أنا|عندي|معي|ana|3indi|3ndi|3andi|mabi"
    r"|ma)(?!\w)|我|本人|俺",
    re.IGNORECASE,
)
_HAN = re.compile("[\u4e00-\u9fff]")
_MAX_HAN_NAME = 4
_HAN_PHRASE = re.compile("[说讲你您的是了吧请下要得]|注意|提醒|总结|告诉|声明|补充|顺便|首先|另外|还有|对了")
"""What leads to a colon and is no name: `跟你说：…`, `补充：…`."""
_SELF = read_words("line_authors")
_TOPICS = read_words("line_topics")


def list_transcript_spans(text: str, *, is_topic: Callable[[str], bool] | None = None) -> list[Span]:
    """The ranges of a message that were written or said by others.

    Chat lines (`Anna: …`, `<Bob> …`, `[12:03] Masha: …`), headers of copied chats with what follows them, fenced
    blocks, quote tags, forwarded mail, what follows "Anna wrote:", and what stands before "says my witch". A label that
    is a topic ("Allergies: …", "Lines: …") or the author ("me: …") is none; `is_topic` says of further words that they
    are topics, such as the names of known things.
    """
    spans: list[Span] = []
    if "```" in text or "~~~" in text:
        spans += [match.span() for match in _FENCE.finditer(text)]
    if "quote" in text.lower() or "<q>" in text:
        spans += [match.span() for match in _QUOTE_TAG.finditer(text)]
    if ":" in text or "ередан" in text or "ереслан" in text or "orward" in text or "محول" in text or "：" in text:
        forwarded = _FORWARDED.search(text)
        if forwarded is not None:
            spans.append((forwarded.start(), len(text)))
        spans += _list_speaker_lines(text, is_topic)
        spans += [match.span() for match in _DATED_SPEAKER.finditer(text)]
        spans += _list_reports(text)
    spans += _list_tagged_speech(text)
    if "<" in text or "[" in text:
        spans += [match.span() for match in _BRACKETED_SPEAKER.finditer(text) if _is_bracketed_speaker(match)]
    if "\n" in text and any(character.isdigit() for character in text):
        spans += [(match.start(), _end_of_paragraph(text, match.end())) for match in _HEADER.finditer(text)]
    return spans


def _list_speaker_lines(text: str, is_topic: Callable[[str], bool] | None) -> list[Span]:
    certain: list[Span] = []
    doubtful: list[Span] = []
    for match in _SPEAKER.finditer(text):
        name = match["name"].strip(" *_\t")
        if not name or _is_topic(name, is_topic):
            continue
        if _HAN.search(name) and not match["stamp"] and (len(name) > _MAX_HAN_NAME or _HAN_PHRASE.search(name)):
            continue
        if match["stamp"] or _is_written_as_name(name):
            certain.append(match.span())
        elif len(name.split()) == 1:
            (certain if _SAYS_I.match(match["said"]) else doubtful).append(match.span())
    return certain + (doubtful if len(doubtful) + len(certain) > 1 else [])


def _is_topic(name: str, is_topic: Callable[[str], bool] | None) -> bool:
    if _HAN.search(name):
        folded = fold_chinese(normalise(name))
        return any(word in _TOPICS or word in _SELF for word in folded.split()) or (
            is_topic is not None and is_topic(name)
        )
    words = [word.strip("*_.'’") for word in re.split(r"[\s/&+-]+", normalise(name))]
    if any(word in _TOPICS for word in words) or (len(words) == 1 and words[0] in _SELF):
        return True
    return is_topic is not None and is_topic(name)


def _is_written_as_name(name: str) -> bool:
    """One to three capitalised words, or one or two words of a script without capitals."""
    words = name.split()
    if "\u0620" <= name[0] <= "\u064a":
        return len(words) <= 2 and not name.startswith("ال")
    return len(words) <= 3 and all(word[0].isupper() for word in words)


def _is_bracketed_speaker(match: re.Match[str]) -> bool:
    if match["angled"] is not None:
        return match["angled"].lower() not in _SELF
    name = re.sub(rf"[ ,]+{_CLOCK}$", "", (match["square"] or match["dated"]).strip())
    if name.lower() in _SELF:
        return False
    return not _is_topic(name, None) and _is_written_as_name(name)


def _list_reports(text: str) -> Iterator[Span]:
    """From the colon after "she said" to the end of the line; of the paragraph, where the line ends with the colon."""
    for match in itertools.chain(_REPORT.finditer(text), _HAN_REPORT.finditer(text)):
        if _FIRST_PERSON.search(text, max(0, match.start() - 40), match.start()):
            continue
        end_of_line = text.find("\n", match.end())
        end_of_line = len(text) if end_of_line < 0 else end_of_line
        is_empty = not text[match.end() : end_of_line].strip()
        yield match.end(), _end_of_paragraph(text, end_of_line + 1) if is_empty else end_of_line


def _list_tagged_speech(text: str) -> Iterator[Span]:
    """The sentences that a character says, with what it does besides: "I hate fur, says my witch and …"."""
    for match in _SPEECH_TAG.finditer(text):
        ends = [each.end() for each in _SENTENCE_END.finditer(text, max(0, match.start() - MAX_SAID), match.start())]
        last = _SENTENCE_END.search(text, match.end(), match.end() + MAX_SAID)
        end = last.start() if last else min(len(text), match.end() + MAX_SAID)
        yield (ends[-1] if ends else max(0, match.start() - MAX_SAID)), end


def _end_of_paragraph(text: str, start: int) -> int:
    end = re.compile(r"\n[ \t]*\n").search(text, min(start, len(text)))
    return end.start() if end else len(text)

"""Plain words that need but little from layers, and what needs more of them than a statement does."""

from __future__ import annotations

import pytest

from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.event_reader import list_events
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.guards import blank_earnestness
from factcheck.instant.core.judges import Judgement
from factcheck.instant.core.layer_limits import MIN_ORDERED, MIN_ORDERED_SURE, measure_order
from factcheck.instant.core.messages import fold, fold_message
from factcheck.instant.core.reader_context import ReaderContext
from factcheck.instant.core.subjects import detect_subject
from factcheck.instant.core.value_choice import Candidate
from tests.factcheck.instant.conftest import NOW
from tests.factcheck.instant.test_semantic import FixedScorer

BANS, EVENTS = ("hard_ban", "allergy"), ("life_event", "allergy")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("we split up last week", "breakup"),
        ("They let me go on Monday. Eleven years at that warehouse.", "job_loss"),
        ("we lost our dad on tuesday", "death_dad"),
        ("развелись мы. 22 года вместе", "divorce"),
        ("сократили нас с первого числа, всю бухгалтерию", "job_loss"),
        ("حماتي توفت امبارح، ادعولها", "death"),
        ("أنا حامل بالسابع وبدي شي مريح", "pregnancy"),
        ("mrati 7amla f chhar tmenya", "pregnancy"),
        ("khalty twafat elnaharda elsob7", "death"),
        ("老婆怀孕四个月了", "pregnancy_wife"),
        ("跟他分了，上周五的事", "breakup"),
    ],
)
def test_what_has_just_happened_is_read_in_plain_words(concepts, text, key):
    message = fold_message(text)
    (event,) = [each for each in list_events(message, (0, len(message.text)), concepts, NOW) if each.is_recent]
    assert (event.key, event.is_doubtful, event.happens_on) == (key, False, None)


@pytest.mark.parametrize(
    "text",
    [
        "my phone died",
        "i almost got fired lol",
        "they laid me off in 2009, long ago",
        "в фильме мама умерла",
        "البطلة في المسلسل حامل بالسابع",
        "昨天看的剧里女主怀孕了",
        "the king died last night",
        "if they fired me i'd sue",
        "奶奶走了两步",
        "姐姐生了气",
        "نقلنا الموعد للسبت",
        "just moved my appointment to friday",
        "взяли на работу новенького",
        "انا ولدت بنت في عيلة كبيرة",
    ],
)
def test_what_is_told_long_ago_or_unreal_has_not_just_happened(concepts, text):
    message = fold_message(text)
    assert not [each for each in list_events(message, (0, len(message.text)), concepts, NOW) if each.is_recent]


def test_what_has_just_happened_needs_less_of_layers_than_another_event(extract):
    said = "развелись мы. 22 года вместе"
    scorer = FixedScorer(-1.0, accept=0.8, kinds=EVENTS)
    (fact,) = extract(said, scorer=scorer)
    assert (fact.key, fact.pattern) == ("divorce", "semantic/life_event.happened_lately@fixed")
    assert not extract("my exam, i think, or so", scorer=scorer)
    assert not extract(said, scorer=FixedScorer(-2.0, accept=0.8, kinds=EVENTS))


@pytest.mark.parametrize(
    ("text", "logit", "found"),
    [
        ("мастер сразу говорю никаких пауков, вообще", 0.0, [("spiders", False)]),
        ("мастер сразу говорю никаких пауков, вообще", -2.0, [("spiders", True)]),
        ("мастер сразу говорю никаких пауков, вообще", -2.5, []),
        ("41 размер, а кожу не предлагать мне", 0.0, [("leather", False)]),
        ("burger without any onions", 0.0, []),
        ("в пещере были пауки", 0.0, []),
    ],
)
def test_an_order_to_leave_a_thing_out_needs_less_of_layers(extract, text, logit, found):
    facts = extract(text, scorer=FixedScorer(logit, accept=0.6, kinds=BANS))
    assert [(fact.key, fact.is_doubtful) for fact in facts if fact.type == "hard_ban"] == found


@pytest.fixture
def measure(concepts):
    """The odds of an order against a thing that no reader knows, which layers hold for even."""

    def measure(text, thing, *, score=0.0):
        message = fold_message(text)
        start = message.text.index(thing)
        span = (start, start + len(thing))
        fact = ExtractedFact("hard_ban", thing, thing, "arabizi", 0.9, "semantic/hard_ban.found", *span, thing)
        candidate = Candidate(fact, span, (0, len(message.text)), is_found=True)
        judged = Judgement(candidate, None, score, is_believed=False)
        return measure_order(judged, message, ReaderContext(AuthorSpans(text), {}, concepts, NOW))

    return measure


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("nadini Zizou, w ma tahdarlich 3la l'alcool jamais", "alcool"),
        ("ma bade shouf wala shi fi 7ayeye bel le3be plz", "7ayeye"),
        ("la tgulli ay shi 3an el akil, da asawi regime", "akil"),
        ("pls ma tjeeb taree el moot fe el qesa", "moot"),
        ("ma7adish ygeeb seeret el fe2ran fel le3ba", "fe2ran"),
        ("mish 3ayez ay mashhad fih dam", "dam"),
    ],
)
def test_an_order_in_arabizi_names_what_no_reader_knows(measure, text, thing):
    assert MIN_ORDERED < measure(text, thing, score=-1.0) < MIN_ORDERED_SURE < measure(text, thing, score=1.0)


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("el film kan fih dam kteer walla", "dam"),
        ("walla ma 2oltlek 3an el dam ana", "dam"),
        ("mish ma2ool el dam da kollo walla", "dam"),
        ("ro7t 3al ma3rid el fann embare7 walla", "fann"),
        ("jeebli 7ayeye bel le3be plz ya man", "7ayeye"),
        ("la t7ot sukkar fel shay law sama7t", "sukkar"),
        ("don't mention the goblin king please and thanks", "goblin"),
    ],
)
def test_another_order_or_language_needs_as_much_of_layers_as_before(measure, text, thing):
    assert measure(text, thing, score=5.0) < MIN_ORDERED


@pytest.mark.parametrize(
    "text", ["لو سمحت بلا فيران", "no rats, if possible", "без крыс, если можно", "如果可以的话别写老鼠"]
)
def test_politeness_is_no_condition(text):
    folded = fold(text)
    kept = blank_earnestness(folded)
    assert len(kept) == len(folded)
    assert not {"لو", "if", "если", "如果"} & set(kept.split())


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("свадьба у братана, надо костюм на 52", "unsaid"),
        ("el fara7 beta3 bent 3ammi yom el 5amees, 3ayza gazma 38", "unsaid"),
        ("my sister's wedding is on saturday, i need a 38", "author"),
        ("my sister needs a wedding dress, size 38", "other"),
        ("моему брату надо костюм на 52", "other"),
        ("др у сына, кроссовки 35 размера", "other"),
        ("my brother's birthday, a shirt in size l", "other"),
        ("свадьба у сестры, у сестры размер 44", "other"),
    ],
)
def test_whose_occasion_it_is_tells_of_nothing_else(text, subject):
    assert detect_subject(text, 0, len(text), len(text)) == subject

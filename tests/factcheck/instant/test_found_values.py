"""Values that no reader believes by itself: where layers find that something is stated, readers say what."""

import datetime
from dataclasses import replace

import numpy as np
import pytest

from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.found_values import FOUND_KINDS, list_found
from factcheck.instant.core.measure_reader import read_stated_measure
from factcheck.instant.core.messages import fold_message
from factcheck.instant.core.pattern_sets import load_shipped
from factcheck.instant.core.questions import find_any_question, list_asked
from factcheck.instant.core.reader_context import ReaderContext
from factcheck.instant.core.sum_reader import read_stated_sum
from factcheck.instant.core.tagged_words import EventOdds, TaggedWords, list_words
from factcheck.instant.core.value_candidates import add_stated, list_candidates

NOW = datetime.datetime(2026, 3, 1, tzinfo=datetime.UTC)


def place_of(text: str, said: str):
    message = fold_message(text)
    start = message.text.find(said)
    return message, (start, start + len(said))


def find(text: str, kind: str, said: str, question: str = "") -> dict[str, str]:
    """What is found where layers say that the words of `said` state the kind."""
    message, place = place_of(text, said)
    compiled, concepts = load_shipped()
    context = ReaderContext(AuthorSpans(text), compiled.readers, concepts, NOW, question)
    found = list_found(message, tag(message, kind, place), FOUND_KINDS, [], context)
    return {value.key: value.value for _, value in found}


def tag(message, kind, place) -> TaggedWords:
    """The words of a message of which those at a place state a kind."""
    words = list_words(message)
    logits = np.full((len(words), len(FOUND_KINDS)), -5.0, dtype=np.float32)
    for number, word in enumerate(words):
        if place[0] <= word.start < place[1]:
            logits[number, FOUND_KINDS.index(kind)] = 3.0
    return TaggedWords(words, logits, np.zeros(len(FOUND_KINDS), dtype=np.float32))


@pytest.mark.parametrize(
    ("text", "said", "asked", "value"),
    [
        ("seven and a half, the left one's a seven", "seven and a half", ("shoe_size",), ("shoe_size", "7.5")),
        ("двадцать шесть и три. левая", "двадцать шесть и три", (), ("shoe_size", "26.3")),
        ("one sixty five, on my toes", "one sixty five", (), ("height_cm", "165")),
        ("eighty, give or take", "eighty", ("height_cm", "weight_kg"), ("weight_kg", "80")),
        ("Мне 1,82, ноги ещё свои", "1,82", (), ("height_cm", "182")),
        ("M вроде", "m", ("size",), ("size", "M")),
        ("на безымянный семнадцать с четвертью", "семнадцать", (), ("ring_size", "17.25")),
        ("a 36F, i was measured", "36f", (), ("bra_size", "36F")),
        ("مقاسي طلع اثنين وأربعين بعد القياس", "اثنين", (), ("size", "42")),
        ("四十二", "四十二", ("shoe_size",), ("shoe_size", "42")),
    ],
)
def test_a_figure_that_is_known_to_be_a_measure_is_named_by_what_stands_near_or_was_asked(text, said, asked, value):
    message, place = place_of(text, said)

    read = read_stated_measure(message, place, asked)

    assert (read.key, read.value) == value


@pytest.mark.parametrize(
    ("text", "said", "value"),
    [
        ("two fifty, i sold my bike for it", "two fifty", ("general", "250")),
        ("пенсия двадцать одна, а на очки отложила четыре тысячи", "четыре", ("очки", "4000")),
        ("полторы штуки баксов если с видеокартой", "полторы", ("general", "1500 USD")),
        ("скинулись 40 кусков", "40", ("general", "40000")),
        ("десятку плюс-минус", "десятку", ("general", "10000")),
        ("معاي من ستمية لسبعمية دينار", "من ستميه", ("general", "700 dinar")),
        ("ميزانيتي 500 لألف ريال", "500", ("general", "1000 riyal")),
        ("ميزانيتي 500 لخمسة أشخاص", "500", ("general", "500")),
        ("35 dt walla 40", "35", ("general", "35 TND")),
    ],
)
def test_a_number_that_is_known_to_be_a_sum_has_the_currency_beside_it(text, said, value):
    message, place = place_of(text, said)

    read = read_stated_sum(message, place)

    assert (read.key, read.value) == value


def test_words_without_a_figure_are_no_number():
    message, place = place_of("size whatever fits", "whatever")

    assert read_stated_measure(message, place, ("size",)) is None
    assert read_stated_sum(message, place) is None


def test_what_layers_find_is_read_by_its_kind():
    assert find("seven and a half, thanks", "body_params", "seven and a half") == {"shoe_size": "7.5"}
    assert find("put four hundred on it", "budget", "four hundred") == {"general": "400"}
    assert find("the wee beasties with eight legs", "hard_ban", "wee beasties") == {"wee_beasties": "wee beasties"}


def test_a_number_with_a_point_is_one():
    assert find("15.5 cm, like a chicken bone", "body_params", "15.5 cm") == {"shoe_size": "15.5"}
    assert find("at most 1,5 million", "budget", "1,5 million") == {"general": "1500000"}


@pytest.mark.parametrize(
    ("text", "said", "wish"),
    [
        ("call me Ray and no exclamation marks please", "no exclamation", "no exclamation marks please"),
        ("please be brief & don't call me miss", "don't call me miss", "don't call me miss"),
        ("kallimni sweyy sweyy w bala ingilizi, ana kbeera", "bala ingilizi", "bala ingilizi"),
        ("حافظ على اللهجة اليمنية وبطل تترجم الكلمات", "اللهجه", "حافظ على اللهجة اليمنية"),
        ("зови меня Шуруп и докладывай одной строкой, я с телефона", "одной строкой", "докладывай одной строкой"),
        ("别再给我发语音了 我上课看不了", "发 语音", "别再给我发语音了"),
        ('stop saying "great, let\'s go" every time, it grates', "saying", 'stop saying "great, let\'s go" every time'),
        ("don't flatter me and lecture me", "lecture", "don't flatter me and lecture me"),
        ("не грузи меня цифрами и терминами", "терминами", "не грузи меня цифрами и терминами"),
        ("give replies w/ bullet points", "bullet", "give replies w/ bullet points"),
        ("repeat every date and time back to me", "repeat", "repeat every date and time back to me"),
        ("please don't be so formal", "formal", "please don't be so formal"),
    ],
)
def test_a_found_wish_is_its_clause(text, said, wish):
    assert list(find(text, "instruction", said).values()) == [wish]


@pytest.mark.parametrize(
    ("text", "question", "values"),
    [
        ("eighty, give or take", "and how much do you weigh?", {"weight_kg": "80"}),
        ("29, and I'm tired of hemming", "What inseam do you usually take?", {"inseam": "29"}),
        ("98 и 82", "Обхват груди и под грудью?", {"chest": "98", "under_bust": "82"}),
        ("28 w 165", "And for the costume, waist and height please?", {"waist": "28", "height_cm": "165"}),
        ("七五C", "您的罩杯是多少？", {"bra_size": "75C"}),
        ("M", "Which glove size do you take?", {"glove_size": "M"}),
        ("靴子二六零", "", {"shoe_size": "260"}),
    ],
)
def test_the_question_says_what_found_figures_measure_one_after_the_other(text, question, values):
    message = fold_message(text)
    compiled, concepts = load_shipped()
    context = ReaderContext(AuthorSpans(text), compiled.readers, concepts, NOW, find_any_question(question))

    found = list_found(message, tag(message, "body_params", (0, len(message.text))), FOUND_KINDS, [], context)

    assert {value.key: value.value for _, value in found} == values


@pytest.mark.parametrize(
    ("text", "said", "name"),
    [
        ("no bull ants in the story", "bull ants", "bull ants"),
        ("el 7amam la2, b5af menno", "el 7amam", "7amam"),
        ("Бурпи — никогда в жизни", "бурпи", "бурпи"),
        ("ما باكل تن", "تن", "تن"),
        ("anybody being drowned", "being drowned", "drowned"),
    ],
)
def test_what_layers_find_is_named_though_no_rule_would(text, said, name):
    assert list(find(text, "hard_ban", said).values()) == [name]


def test_words_that_name_nothing_are_no_thing():
    assert find("none of that for me", "hard_ban", "of that") == {}
    assert find("500 please", "hard_ban", "500") == {}


@pytest.mark.parametrize(("known", "values"), [("bull", ["bull ants"]), ("bull ants", []), ("ants", ["bull ants"])])
def test_a_thing_that_a_reader_found_is_part_of_a_wider_one(known, values):
    message, place = place_of("bull ants kill me", "bull ants")
    compiled, concepts = load_shipped()
    context = ReaderContext(AuthorSpans(message.source), compiled.readers, concepts, NOW)
    taken = [("allergy", place_of("bull ants kill me", known)[1])]

    found = list_found(message, tag(message, "allergy", place), FOUND_KINDS, taken, context)

    assert [value.value for _, value in found] == values


def test_a_list_of_things_that_readers_found_is_no_wider_one():
    message, place = place_of("hazelnuts walnuts for me", "hazelnuts walnuts")
    compiled, concepts = load_shipped()
    context = ReaderContext(AuthorSpans(message.source), compiled.readers, concepts, NOW)
    taken = [("allergy", (0, 9)), ("allergy", (10, 17))]

    assert list_found(message, tag(message, "allergy", place), FOUND_KINDS, taken, context) == []


def test_a_found_value_is_weighed_with_the_guards_that_speak_against_it():
    text = "my brother gets sick from caulerpa"
    message, place = place_of(text, "caulerpa")
    compiled, concepts = load_shipped()
    context = ReaderContext(AuthorSpans(text), compiled.readers, concepts, NOW)

    (stated,) = add_stated(message, [], [tag(message, "allergy", place)], FOUND_KINDS, context)

    assert (stated.fact.key, stated.is_found, stated.guards) == ("caulerpa", True, frozenset({"other_subject"}))


def test_a_whole_number_takes_the_place_of_its_part():
    text = "seven fifty, and that's selling the trailer"
    message, place = place_of(text, "seven fifty")
    compiled, concepts = load_shipped()
    context = ReaderContext(AuthorSpans(text), compiled.readers, concepts, NOW)
    candidates = list_candidates(message, [], context)
    assert "750" not in [each.fact.value for each in candidates]

    stated = add_stated(message, candidates, [tag(message, "budget", place)], FOUND_KINDS, context)

    assert [each.fact.value for each in stated if each.fact.type == "budget"] == ["750"]


@pytest.mark.parametrize(
    ("text", "said", "likely", "key"),
    [
        ("we signed the papers on tuesday", "signed the papers", 0.9, "divorce"),
        ("my sister signed the papers on tuesday", "signed the papers", 0.9, "divorce_sister"),
        ("we signed the papers on tuesday", "signed the papers", 0.3, "signed_the_papers"),
        ("the wedding is on tuesday", "wedding", 0.9, "wedding"),
    ],
)
def test_layers_name_an_event_that_no_reader_knows(text, said, likely, key):
    message, place = place_of(text, said)
    tagged = tag(message, "life_event", place)
    logits = np.log(np.tile([likely, 1 - likely], (len(tagged.words), 1)))
    compiled, concepts = load_shipped()
    context = ReaderContext(AuthorSpans(text), compiled.readers, concepts, NOW)

    events = EventOdds(("divorce", "exam"), logits.astype(np.float32), 0.8)
    ((_, value),) = list_found(message, replace(tagged, events=events), FOUND_KINDS, [], context)

    assert value.key == key


@pytest.mark.parametrize(
    ("known", "values"),
    [
        ("four hundred", []),
        ("four", [("general", "400")]),
        ("put four hundred on it", []),
    ],
)
def test_a_number_that_a_reader_found_is_not_found_again_unless_it_is_a_part_of_one(known, values):
    message, place = place_of("put four hundred on it", known)
    words = list_words(message)
    logits = np.full((len(words), len(FOUND_KINDS)), 3.0, dtype=np.float32)
    tagged = TaggedWords(words, logits, np.zeros(len(FOUND_KINDS), dtype=np.float32))
    compiled, concepts = load_shipped()
    context = ReaderContext(AuthorSpans(message.source), compiled.readers, concepts, NOW)

    found = list_found(message, tagged, ("budget",), [("budget", place)], context)

    assert [(value.key, value.value) for _, value in found] == values


@pytest.mark.parametrize(
    ("previous", "asked"),
    [
        ("Lovely jacket. Tell me your shoe size and I'll check stock.", ("shoe_size",)),
        ("Before we start: anything that is off limits?", ("hard_ban",)),
        ("Спасибо! Напишите бюджет, и я подберу.", ("budget",)),
        ("好的。请告诉我你的身高。", ("height_cm",)),
        ("The river bends to the north here.", ()),
        ("Noted: no spiders. Let's avoid the cave", ()),
        ("I'll cut the rope for you.", ()),
        ("Great, size M is in stock.", ()),
        ("That was a special evening.", ()),
        ("Это просто.", ()),
        ("Дракон падает весь в крови.", ()),
        ("密码已重置。", ()),
        ("", ()),
    ],
)
def test_a_question_without_a_mark_asks_as_well_and_a_statement_does_not(previous, asked):
    assert list_asked(find_any_question(previous)) == asked


@pytest.mark.parametrize(
    ("text", "said", "asked"),
    [
        ("500, why?", "500", ("weight_kg",)),
        ("waist 300 lol", "300", ()),
        ("0", "0", ("size",)),
        ("1999", "1999", ()),
        ("38 pages", "38", ()),
    ],
)
def test_a_figure_that_can_be_no_measure_is_none(text, said, asked):
    message, place = place_of(text, said)

    assert read_stated_measure(message, place, asked) is None


def test_a_question_for_something_else_names_no_measure():
    assert find("38 i think", "body_params", "38", "what's your budget?") == {"size": "38"}


@pytest.mark.parametrize(
    ("text", "said", "value"),
    [
        ("50 to 100 euro", "50 to 100", "100 EUR"),
        ("between fifty and a hundred", "fifty and a hundred", "100"),
        ("30-40 тысяч", "30-40", "40000"),
        ("до 2000 штук", "2000", "2000"),
        ("возьму 5 штук по 300", "5", "5"),
    ],
)
def test_of_a_stated_range_the_upper_bound_counts(text, said, value):
    message, place = place_of(text, said)

    assert read_stated_sum(message, place).value == value


@pytest.mark.parametrize(
    ("text", "kind", "said", "taken", "more"),
    [
        ("3ndi 7asasiya mn el 7ummus", "allergy", "el 7ummus", "7ummus", []),
        ("别推荐带肉的", "hard_ban", "带 肉", "肉", []),
        ("ما ابغى اي ذكر للموت", "hard_ban", "ذكر للموت", "للموت", []),
        ("no bull ants please", "hard_ban", "bull ants", "bull", ["bull_ants"]),
    ],
)
def test_an_article_makes_nothing_wider(text, kind, said, taken, more):
    message, place = place_of(text, said)
    _, known = place_of(text, taken)
    compiled, concepts = load_shipped()
    context = ReaderContext(AuthorSpans(text), compiled.readers, concepts, NOW, "")
    found = list_found(message, tag(message, kind, place), FOUND_KINDS, [(kind, known)], context)
    assert [value.key for _, value in found] == more

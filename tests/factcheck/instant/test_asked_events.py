"""The event that a question names and the answer gives a day for."""

import datetime

import pytest

from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.pattern_sets import load_shipped


def read(question, answer):
    compiled, concepts = load_shipped()
    facts = extract_facts(answer, compiled=compiled, concepts=concepts, now=SAID_AT, previous=question)
    return {fact.key: fact.happens_on for fact in facts if fact.type == "life_event"}


def day(number, month=2):
    return datetime.date(2026, month, number)


@pytest.mark.parametrize(
    ("question", "answer", "key", "happens_on"),
    [
        ("When do you move, again?", "sat morning, van comes at 8 🥲", "move", day(14)),
        ("Is the wedding still on for June?", "Yes! The 14th, at my mum's place", "wedding", day(14)),
        ("Have you had your exam already or is it still to come?", "still to come 😭 monday 9am", "exam", day(16)),
        ("When is your exam? I can help.", "the 14th. haven't opened the book since sunday", "exam", day(14)),
        ("Your flight's tomorrow, isn't it?", "nope, pushed to sunday", "trip", day(15)),
        ("Your exam is on Friday, isn't it? We could revise.", "It is indeed, dreading it.", "exam", day(13)),
        ("Ты говорила, экзамен скоро. Когда?", "в пятницу(((( я ничего не знаю", "exam", day(13)),
        ("ЕГЭ у тебя уже был?", "неа, в среду. мне конец", "exam", day(11)),
        ("Когда у тебя собес?", "завтра в десять утра, трясусь", "interview", day(11)),
        ("Когда вы переезжаете?", "28го, сижу среди коробок", "move", day(28)),
        ("متى امتحان القيادة عندك؟", "بكرا الصبح ومش فاتح الكتاب لهلق", "exam", day(11)),
        ("امتحانك يوم الخميس مش كده؟", "اتأجل للحد الجاي، لسه مخلصتش", "exam", day(15)),
        ("فرحك يوم ٥ مش كده؟", "لا اتأجل ليوم ١٠", "wedding", day(10)),
        ("emte7anek yom el 7ad mesh keda?", "ah wallahi el 7ad, kimia", "exam", day(15)),
        ("Emti7anak el jem3a mesh hek?", "ajjalou lal tanen, alla ykhallisna", "exam", day(16)),
        ("你什么时候搬家？", "下周末吧，东西还没收", "move", day(21)),
        ("是你快过生日了吗?", "是呀 下周三", "birthday", day(18)),
    ],
)
def test_the_day_that_an_answer_says_is_that_of_the_event(question, answer, key, happens_on):
    assert read(question, answer) == {key: happens_on}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When's your wedding?", "never lol, ask me on friday"),
        ("When is your exam?", "no idea, but tomorrow I'm at work"),
        ("Когда экзамен?", "в пятницу был, сдала"),
        ("When's your exam?", "was on monday, passed"),
        ("When does the dragon attack the town?", "tomorrow at dawn"),
        ("Did you enjoy the wedding?", "yeah, dancing till 4. seeing them again on sunday"),
        ("Is your exam still on friday?", "no"),
        ("When's the movie premiere?", "friday"),
        ("How was your day?", "fine, see you on friday"),
        ("Did you have your exam?", "no, monday I'm working"),
        ("Ты был на свадьбе?", "нет, в субботу работаю"),
        ("When is your exam?", "ask me after the weekend"),
        ("When's your exam?", "sat down to study finally"),
        ("When do you move?", "wed like to know too"),
        ("When is your wedding?", "in a dream world lol, who knows, maybe never"),
        ("Какой сегодня день?", "пятница"),
    ],
)
def test_no_day_of_something_else_makes_an_event(question, answer):
    assert read(question, answer) == {}


def test_a_day_of_something_else_is_not_that_of_the_event():
    assert read("Is the wedding still on?", "yes, dress fitting is tomorrow") == {"wedding": None}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When is your surgery?", "the dog's, on friday"),
        ("When is your exam?", "the kid next door's is on the 4th"),
        ("Когда у вас экзамен?", "у соседской девочки во вторник"),
        ("你什么时候考试？", "隔壁小孩下周考"),
    ],
)
def test_the_day_of_somebody_else_is_no_day_of_the_authors(question, answer):
    assert read(question, answer) == {}

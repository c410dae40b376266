"""A yes states what was checked, with what it adds, leaves out or puts right; an open question checks nothing."""

from __future__ import annotations

import pytest

from bench.facts import Reader

CONFIRMED = [
    ("You can't have shellfish, correct?", "yep", {("allergy", "shellfish")}),
    ("Walnuts are out for your allergy. Right?", "yes, figs too", {("allergy", "walnuts"), ("allergy", "figs")}),
    ("У вас аллергия на клубнику, верно?", "ага, и на мёд тоже", {("allergy", "strawberries"), ("allergy", "honey")}),
    ("عندك حساسية من السمك، صح؟", "ايوه وكمان من البيض", {("allergy", "fish"), ("allergy", "eggs")}),
    ("所以您对芒果过敏？", "嗯，桃子也不行，会过敏", {("allergy", "mango"), ("allergy", "peaches")}),
    ("Is the milk thing an intolerance or do you just not like it?", "an intolerance", {("allergy", "milk")}),
    ("You're allergic to cats and dogs, right?", "cats yes, dogs no", {("allergy", "cats")}),
    ("Алкоголь вы не пьёте, верно?", "да, ни капли", {("hard_ban", "alcohol")}),
    ("You take a size 42 shoe, right?", "correct", {("body_params", "shoe_size")}),
    ("Your ring finger is fine, and you wear a size 42 shoe, right?", "it is, yes", {("body_params", "shoe_size")}),
    ("Записала: рост 178, вес 80. Верно?", "рост да, вес уже другой", {("body_params", "height_cm")}),
    ("So you're 172 cm and 64 kg, right?", "yes on the weight, not the height", {("body_params", "weight_kg")}),
    ("Shall I keep everything below $75, like you said?", "yes please", {("budget", "general")}),
    ("Остаёмся в пределах 5000 рублей, так?", "да, всё верно", {("budget", "general")}),
    ("总价控制在两万以内，对吗？", "没错", {("budget", "general")}),
    ("Your exam is on Friday, isn't it?", "it is, sadly", {("life_event", "exam")}),
    ("你下个月搬家，是吧？", "对", {("life_event", "move")}),
    ("When's your exam, by the way?", "on the 14th", {("life_event", "exam")}),
    ("متى امتحانك؟", "يوم الأحد", {("life_event", "exam")}),
    ("Your interview is on Wednesday, right?", "moved to Friday", {("life_event", "interview")}),
    ("You're allergic to milk, and your exam is on Friday?", "first one yes, second no", {("allergy", "milk")}),
    ("You're allergic to cats and dogs, right?", "both, yes", {("allergy", "cats"), ("allergy", "dogs")}),
    ("أنت طولك ١٨٠ ووزنك ٨٥، صحيح؟", "كلاهما صحيح", {("body_params", "height_cm"), ("body_params", "weight_kg")}),
    ("Allergies? And what's the most you'd spend?", "milk. $45", {("allergy", "milk"), ("budget", "general")}),
]  # fmt: skip

NOT_CONFIRMED = [
    ("You're not allergic to nuts, right?", "yes"),
    ("You're 172 cm and 64 kg, right?", "both, but not since the baby"),
    ("عندك حساسية من الفول ولا الحليب، صح؟", "نعم"),
    ("You don't eat pork, right?", "I do"),
    ("Shall I avoid spiders?", "yes, no wait, don't avoid them"),
    ("Call me Rex. Will you follow me?", "yes"),
    ("I wear size 44 boots. Shall we march?", "yes"),
    ("Should I remove nuts from your allergies?", "yes"),
    ("Can we lift the ban on spiders?", "yes"),
    ("You used to be allergic to milk, right?", "yes"),
    ("Is your exam over?", "yes"),
    ("If you were allergic to nuts, would you still go?", "yes"),
    ("Does your husband wear a 42?", "yes"),
    ("How tall is your bookshelf?", "180"),
    ("Shoe size?", "I'm 42 years old"),
    ("How tall are you?", "300 feet"),
    ("Any allergies?", "I love nuts"),
    ("You're allergic to nuts, right?", "yeah, right"),
    ("Аллергии на орехи нет?", "да"),
    ("What's your name?", "I'm busy"),
    ("You're allergic to nuts, right?", "yes... no wait, that's my sister"),
    ("Allergic to nuts and milk, right?", "yes both, well not the milk anymore"),
    ("You can eat peanuts, right?", "yes"),
    ("What are you allergic to?", "yes"),
    ("Shoe size 42 or 43?", "yes"),
    ("Shall I go above $75?", "yes"),
    ("So that'll be $75, okay?", "yes"),
    ("Did you enjoy the wedding?", "yes"),
    ("Should we plan the wedding of the princess?", "yes"),
    ("Are you moving next month?", "yes but not sure"),
    ("You're allergic to milk, right?", "yes, my sister is"),
    ("Значит, вам нельзя орехи?", "да вроде можно"),
    ("You're allergic to cats, right?", "no"),
    ("You're allergic to cats, right?", "all I want is a story"),
    ("You're a 42 in shoes, right?", "yes all I want is a story"),
    ("You're allergic to cats, right?", "every time, that question"),
    ("What's your weight?", "i'd love to be 70 kg by summer"),
    ("Какой у вас вес?", "хочу 60 к лету"),
    ("What are you planning to spend?", "i paid 90 for my last pair"),
    ("这次打算花多少？", "上一台花了四千多，用两年就坏"),
    ("На какую сумму ориентируемся?", "у подруги лимит был 10 тысяч"),
    ("مقاس رجلك كام؟", "ده لجوزي، هو ٤٥"),
    ("Вы ведь 44 размер носите?", "до пандемии была 44"),
    ("What should I call you?", "whatever you like"),
]

VALUES = [
    ("Записала: рост 178, вес 80. Верно?", "всё верно, только 70 а не 80", ("body_params", "weight_kg"), "70"),
    ("Roughly what price range?", "between forty and sixty quid", ("budget", "general"), "60 GBP"),
    ("Какой у вас размер обуви?", "38 малы, 39 спадают, наверно всё-таки 39", ("body_params", "shoe_size"), "39"),
    ("What do you weigh roughly?", "11 stone 6", ("body_params", "weight_lb"), "160"),
    ("Your weight is 80 kg, right?", "yes, not 80 but 70", ("body_params", "weight_kg"), "70"),
    ("You're 180 cm and 80 kg, right?", "first no, last yes", ("body_params", "weight_kg"), "80"),
    ("Waist and inseam?", "32,34", ("body_params", "inseam"), "34"),
    ("Is your budget $500?", "no, 300", ("budget", "general"), "300"),
    ("You're a 41 in shoes, right?", "no, 40", ("body_params", "shoe_size"), "40"),
    ("What name and pronouns should I use for you?", "they/them, and Robin is fine", ("instruction", "name"), "Robin"),
    ("Как к вам обращаться?", "Давай на ты, я Лёха", ("instruction", "name"), "Лёха"),
]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def keys(reader, question, answer):
    return {(fact.type, fact.key) for fact in reader.read(answer, question)}


@pytest.mark.parametrize(("question", "answer", "expected"), CONFIRMED)
def test_a_yes_states_what_was_checked(reader, question, answer, expected):
    assert keys(reader, question, answer) == expected


@pytest.mark.parametrize(("question", "answer"), NOT_CONFIRMED)
def test_what_is_not_confirmed_is_not_stated(reader, question, answer):
    assert keys(reader, question, answer) == set()


@pytest.mark.parametrize(("question", "answer", "key", "value"), VALUES)
def test_the_value_that_is_meant_is_read(reader, question, answer, key, value):
    assert {(fact.type, fact.key): fact.value for fact in reader.read(answer, question)}.get(key) == value


def test_a_day_that_answers_is_the_day_of_the_event(reader):
    (fact,) = reader.read("on the 14th", "When's your exam, by the way?")
    assert fact.happens_on is not None
    assert fact.happens_on.day == 14
    assert fact.answers_previous

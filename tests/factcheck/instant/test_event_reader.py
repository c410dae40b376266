"""Which coming events a sentence names, and when they are, read without a pattern."""

import datetime

import pytest

from factcheck.instant.core.event_reader import read_events
from factcheck.instant.core.messages import fold_message
from tests.factcheck.instant.conftest import NOW

TUESDAY = NOW.date()


def read(text, concepts):
    message = fold_message(text)
    return read_events(message, (0, len(message.text)), concepts, NOW)


def day(month: int, number: int, year: int = 2026) -> datetime.date:
    return datetime.date(year, month, number)


SAID = [
    ("i'm getting married on the 12th of december", "wedding", day(12, 12)),
    ("flying to lisbon 18 dec", "trip", day(12, 18)),
    ("we tie the knot next saturday", "wedding", day(2, 21)),
    ("my viva is tomorrow morning and i haven't slept", "thesis_defense", day(2, 11)),
    ("moving into my own place in two weeks", "move", day(2, 24)),
    ("they're taking my gallbladder out on friday", "surgery", day(2, 13)),
    ("baby girl due any day now", "birth", None),
    ("starting at the new firm on monday", "new_job", day(2, 16)),
    ("turning 40 next month", "birthday", None),
    ("i retire in june", "retirement", None),
    ("got a dentist appointment on the 3rd", "appointment", day(3, 3)),
    ("the divorce hearing is on march 2nd", "divorce", day(3, 2)),
    ("my in-laws are visiting this weekend", "visit", day(2, 14)),
    ("running the london marathon in april", "competition", None),
    ("we close on the house next week", "house_purchase", None),
    ("i have my citizenship test the day after tomorrow", "exam", day(2, 12)),
    ("first day at uni in september", "university", None),
    ("our tenth anniversary's coming up", "anniversary", None),
    ("i've got a gig tonight", "concert", day(2, 10)),
    ("going under the knife 22/02", "surgery", day(2, 22)),
    ("the funeral is on thursday", "funeral", day(2, 12)),
    ("off to Bali for our honeymoon in ten days", "trip", day(2, 20)),
    ("через неделю сдаю на права", "driving_test", day(2, 17)),
    ("послезавтра улетаю в Стамбул", "trip", day(2, 12)),
    ("в следующую пятницу защищаю диплом", "thesis_defense", day(2, 20)),
    ("мы расписываемся 7 июня", "wedding", day(6, 7)),
    ("переезжаю в другой город весной", "move", None),
    ("скоро роды, мешок собран", "birth", None),
    ("у меня завтра первый день на новой работе", "new_job", day(2, 11)),
    ("ложусь под нож двадцатого, колено", "surgery", day(2, 20)),
    ("в субботу к нам приезжает свекровь", "visit", day(2, 14)),
    ("выхожу на пенсию в мае", "retirement", None),
    ("послезавтра к стоматологу, уже трясёт", "appointment", day(2, 12)),
    ("бегу полумарафон 1 марта", "competition", day(3, 1)),
    ("بتزوج بعد شهرين", "wedding", day(4, 10)),
    ("سفري بعد بكرا", "trip", day(2, 12)),
    ("عندي مقابلة الخميس الجاي", "interview", day(2, 12)),
    ("بولد الشهر الجاي", "birth", None),
    ("بنتقل لبيت جديد بعد العيد", "move", None),
    ("موعد الدكتور بكرة الصبح", "appointment", day(2, 11)),
    ("راح اتخرج في شهر ٦", "graduation", None),
    ("3ersi el jom3a el jaye", "wedding", day(2, 13)),
    ("msafer 3a turkya b3d bokra", "trip", day(2, 12)),
    ("3endi emte7an bokra", "exam", day(2, 11)),
    ("batzawag ba3d shahrein", "wedding", day(4, 10)),
    ("habda2 sho8l gdeed el 2osboo3 el gay", "new_job", None),
]


NOT_SAID = [
    "we got married last year in a barn",
    "weddings are so expensive these days",
    "my exam went great yesterday",
    "that movie was really moving",
    "the party of four enters the dungeon",
    "i love birthdays in general",
    "had surgery in 2019, all fine since",
    "this is not a test",
    "i moved here three years ago",
    "our trip to japan was amazing",
    "stop moving the goalposts",
    "i used to run marathons",
    "how do people even plan weddings",
    "the baby kept me up all night",
    "we divorced in 2015",
    "interviews make everyone nervous",
    "i'm turning off the lights now",
    "he's due a raise",
    "свадьба была в прошлом году",
    "терпеть не могу экзамены",
    "вчера сдала последний экзамен",
    "переехали три года назад",
    "операция прошла успешно",
    "свадебные платья такие дорогие",
    "تزوجت السنة الماضية",
    "الامتحان كان امس",
    "احب السفر",
    "el 3ers kan embare7",
    "ana ba7eb el safar",
    "kan 3andi interview ams",
]


@pytest.mark.parametrize(("text", "key", "on"), SAID)
def test_coming_events_are_read_with_their_dates(text, key, on, concepts):
    found = read(text, concepts)
    assert [(each.key.split("_")[0], each.happens_on) for each in found] == [(key.split("_")[0], on)]
    assert found[0].expires_at > NOW


@pytest.mark.parametrize("text", NOT_SAID)
def test_past_events_and_general_talk_give_nothing(text, concepts):
    assert read(text, concepts) == []


def test_an_event_without_a_date_holds_for_thirty_days(concepts):
    [found] = read("my wedding is coming up", concepts)
    assert (found.happens_on, found.expires_at) == (None, NOW + datetime.timedelta(days=30))


def test_two_events_keep_their_own_dates(concepts):
    found = read("exam on friday, then flying to rome on the 20th", concepts)
    assert [(each.key, each.happens_on) for each in found] == [("exam", day(2, 13)), ("trip", day(2, 20))]


def test_whose_event_it_is_stands_in_the_key(concepts):
    assert [each.key for each in read("my sister's wedding is in may", concepts)] == ["wedding_sister"]

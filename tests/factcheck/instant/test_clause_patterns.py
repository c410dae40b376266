"""Frames of denials: what takes a relation back whatever stands around it, and what only looks like it."""

import re

import pytest

from factcheck.instant.core.lexicon import THING
from factcheck.instant.core.survival import try_case
from factcheck.instant.core.transliteration import spell_in_latin

NUTS = {"type": "allergy", "key": "nuts", "value": "nuts"}
MILK = {"type": "allergy", "key": "milk", "value": "milk"}
CATS = {"type": "allergy", "key": "cats", "value": "cats"}
SPIDERS = {"type": "hard_ban", "key": "spiders", "value": "spiders"}
SNAKES = {"type": "hard_ban", "key": "snakes", "value": "snakes"}

ENDS = [
    (NUTS, "good news, I'm not allergic to nuts any more, Dr. Okafor did the challenge in June"),
    (NUTS, "My nut allergy was taken off my chart on Tuesday."),
    (NUTS, "the allergist cleared me for nuts"),
    (NUTS, "nuts were never the culprit, it was the wax on the apples"),
    (NUTS, "please take nuts off my allergy list"),
    (MILK, "turns out I tested negative for milk"),
    (CATS, "after two years of jabs I have no reaction to cats"),
    (SPIDERS, "you can write about spiders again, I've done a year of therapy"),
    (SPIDERS, "I've made my peace with spiders"),
    (SPIDERS, "no need to leave out spiders any more"),
    (SPIDERS, "I asked you to leave out spiders. You don't have to any longer."),
    (SPIDERS, "scrap the spider rule, I moved to Australia"),
    (NUTS, "врач сказал, что аллергии на орехи у меня больше нет, пересдавали в мае"),
    (NUTS, "аллергия на орехи не подтвердилась, ошиблись в лаборатории"),
    (NUTS, "орехи мне теперь можно, спасибо аллергологу из третьей поликлиники"),
    (MILK, "молоко я теперь прекрасно переношу"),
    (CATS, "проба на кошек отрицательная"),
    (SPIDERS, "с пауками теперь можно, я у психолога целый год провёл"),
    (SPIDERS, "пауков я больше не боюсь, жил в общаге"),
    (SPIDERS, "помнишь, просил без пауков? отменяю"),
    (NUTS, "الدكتورة قالت ما عندي حساسية من المكسرات بعد تحليل الشهر الماضي"),
    (NUTS, "راحت حساسية المكسرات بعد سنتين علاج"),
    (CATS, "شفيت من حساسية القطط بفضل الإبر"),
    (SPIDERS, "صار فيك تحكي عن العناكب، تعودت عليهم بالجامعة"),
    (SPIDERS, "ما عدت أخاف من العناكب"),
    (SPIDERS, "شيل العناكب من قائمة الممنوعات"),
    (NUTS, "mab2ash 3andy 7asaseya mn el mekasarat ba3d el 3elag"),
    (CATS, "ra7et 7asaseyet el 2otat 5ales"),
    (SPIDERS, "ta2dar tgeeb el 3anakeb tany"),
]
NEVER = [
    (NUTS, "it's not true that I'm not allergic to nuts"),
    (NUTS, "that doesn't mean I'm not allergic to nuts any more"),
    (NUTS, "the leaflet says you can be cleared for nuts"),
    (NUTS, "my brother was cleared for nuts"),
    (NUTS, "I wish my nut allergy was gone"),
    (NUTS, "am I cleared for nuts now?"),
    (NUTS, "I'm cleared for nuts 🙄"),
    (NUTS, "my son's nut allergy is gone"),
    (NUTS, "take nuts off my order"),
    (SPIDERS, "my therapist wants me to be ok with spiders"),
    (SPIDERS, "you can show me the map again, no spiders"),
    (SPIDERS, "the innkeeper says spiders are welcome again"),
    (NUTS, "это не значит, что у меня нет аллергии на орехи"),
    (NUTS, "у мужа аллергия на орехи прошла"),
    (SPIDERS, "я не говорил, что пауков можно"),
    (NUTS, "подруга уверяет, что никакой аллергии на орехи у меня нет"),
    (NUTS, "врач предполагает, что аллергии на орехи у меня нет"),
    (NUTS, "مو معناه إن ما عندي حساسية من المكسرات"),
    (NUTS, "راحت حساسية المكسرات عند أختي"),
    (SPIDERS, "متى أصير ما أخاف من العناكب"),
    (CATS, "o5ti ra7et 3anha 7asaseyet el 2otat"),
    (SPIDERS, "la t7ot el 3anakeb tany"),
]
DOUBTS = [
    (NUTS, "I'm not allergic to nuts in small amounts"),
    (NUTS, "I'm not really allergic to nuts"),
    (NUTS, "I might not be allergic to nuts any more"),
    (NUTS, "у меня почти нет аллергии на орехи"),
    (CATS, "يمكن راحت حساسية القطط"),
]


def read(fact, text, compiled, concepts, *others, context=()):
    return try_case({"known": [fact, *others], "context": list(context), "text": text}, compiled, concepts)


@pytest.mark.parametrize(("fact", "text"), ENDS)
def test_denial_ends_its_fact_with_strange_words_around_it(fact, text, compiled, concepts):
    assert read(fact, text, compiled, concepts).ended == {fact["key"]}


@pytest.mark.parametrize(("fact", "text"), NEVER)
def test_what_only_looks_like_a_denial_ends_nothing(fact, text, compiled, concepts):
    assert not read(fact, text, compiled, concepts).ended


@pytest.mark.parametrize(("fact", "text"), DOUBTS)
def test_a_limit_or_a_hedge_ends_nothing(fact, text, compiled, concepts):
    assert not read(fact, text, compiled, concepts).ended


def test_a_list_ends_both_and_what_stays_stays(compiled, concepts):
    both = read(SPIDERS, "you can bring spiders and snakes back now", compiled, concepts, SNAKES)
    assert both.ended == {"spiders", "snakes"}
    one = read(SPIDERS, "you can bring spiders back now. Snakes stay out.", compiled, concepts, SNAKES)
    assert one.ended == {"spiders"}


def test_a_word_of_danger_makes_an_allergy_a_question(compiled, concepts):
    found = read(NUTS, "I'm cleared for nuts. My throat closed last week though.", compiled, concepts)
    assert (found.ended, found.disputed) == (frozenset(), {"nuts"})


def test_a_pronoun_after_a_claim_asks_and_does_not_end(compiled, concepts):
    context = [{"role": "assistant", "text": "You asked me to keep spiders out."}]
    assert not read(SPIDERS, "I'm not afraid of them", compiled, concepts, context=context).ended
    assert read(SPIDERS, "you can lift that ban", compiled, concepts, context=context).ended == {"spiders"}


@pytest.mark.parametrize("word", ["7asasiya", "7asaseya", "7assasiyeh", "hasasiya"])
def test_arabic_is_read_in_latin_letters(word):
    assert re.fullmatch(spell_in_latin("حساسيه"), word)
    assert THING not in spell_in_latin("حساسيه")

"""An answer that picks one of what the question offers, by its place or its size."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("previous", "text", "key", "value"),
    [
        ("Do you prefer Samantha, or shall I call you Sam?", "2nd one. nobody says the first", "name", "Sam"),
        ("Are you allergic to hazelnuts or almonds?", "the latter", "almonds", "almonds"),
        ("Мне говорить вам «вы» или перейдём на «ты»?", "Второе, я ж не директор", "formality", "informal"),
        ("У вас аллергия на креветок или на мидий?", "на последних", "shellfish", "shellfish"),
        ("تحب أناديك أستاذ محمد ولا أبو خالد؟", "الثانية", "name", "أبو خالد"),
        ("Bte7eb anadik Rami walla Abu Jad?", "el tani", "name", "Abu Jad"),
        ("称呼您王女士还是小王？", "后面那个就行", "name", "小王"),
        ("Is your budget 300 or 500 euros?", "the lower one, tbh", "general", "300 EUR"),
        ("Ваш бюджет 300 или 500 евро?", "тот что подороже", "general", "500 EUR"),
    ],
)
def test_the_option_that_is_picked_is_stated(extract, previous, text, key, value):
    (fact,) = extract(text, previous=previous)
    assert (fact.key, fact.value, fact.quote, fact.answers_previous) == (key, value, text, True)


@pytest.mark.parametrize(
    ("previous", "text"),
    [
        ("Do you want the red or the blue one?", "the second"),
        ("Should we fight the dragon or flee?", "the latter"),
        ("Shall I call you Sam or Samantha?", "not the first"),
        ("Shall I call you Sam or Samantha?", "the first or the second, whatever"),
        ("Shall I call you Sam or Samantha?", "third"),
        ("Should I use your first or last name?", "last"),
        ("Do you travel 1st or 2nd class?", "2nd"),
        ("Are you allergic to hazelnuts or almonds?", "definitely not the second"),
        ("У вас аллергия на фундук или миндаль?", "в первый раз слышу"),
        ("Is your budget 1.000.000 or 2.000.000 rupiah?", "the lower one"),
        ("Is your budget 300 or 500 euros?", "the higher one is too much"),
        ("Is your budget 300 or 500 euros?", "more or less"),
        ("Is your budget 300 or 500 euros?", "can you go lower?"),
        ("Ваш бюджет 300 или 500 евро?", "больше не спрашивай"),
        ("Are you allergic to almonds or walnuts?", "maybe the second, not sure"),
        ("Are you allergic to almonds or walnuts?", "the latter, my son"),
        ("У вас аллергия на миндаль или фундук?", "второе у дочки"),
        ("Is your husband a 42 or 43?", "the bigger one"),
        ("Should I call you Samantha or Sam?", "the first one's what my ex used"),
        ("Shall I call you Sam?", "the second"),
        ("Is your budget 300 or 500 euros?", "no, the higher one is too much"),
    ],
)
def test_what_picks_nothing_states_nothing(extract, previous, text):
    assert not extract(text, previous=previous)


@pytest.mark.parametrize(
    ("previous", "text", "expected"),
    [
        ("Could you give me your chest and waist?", "42 / 36 bit of a belly on me", {"chest": "42", "waist": "36"}),
        ("Waist and inside leg?", "36 / 31. been driving 20 yrs", {"waist": "36", "inseam": "31"}),
        ("Подскажите ваши рост и вес.", "178/74", {"height_cm": "178", "weight_kg": "74"}),
    ],
)
def test_measures_in_a_row_are_those_that_were_asked_for(extract, previous, text, expected):
    assert {fact.key: fact.value for fact in extract(text, previous=previous)} == expected

"""Ukrainian at the level of search, prompts and replies."""

import datetime as dt

import pytest

from knowledge.text.analysis import analyse_document, list_query_forms
from knowledge.text.languages import find_prompt_language
from knowledge.text.languages.uk.stemming import stem_ukrainian
from knowledge.text.periods import Period, find_periods
from knowledge.text.queries import list_language_gaps, list_telling_forms
from knowledge.text.questions import has_time, read_question
from runtime.condensing.core.polarity import read_polarity
from runtime.config import load_budgets, load_prompts
from runtime.context.core.languages import choose_prompt_language, choose_reply_language
from runtime.context.core.pack import Item, Layer, Provenance
from runtime.context.fit import fit_pack
from runtime.context.language_names import name_language
from tests.golden.found_words import has_most_words

TODAY = dt.date(2026, 3, 15)
CANON = "Дракони спали під стародавніми містами королівства, доки чарівники не збудували міст через гірську річку."
HERE = Provenance("test")


@pytest.mark.parametrize(
    "forms",
    [
        "дракон дракони драконів драконами дракону", "міст мосту мостом мости", "місто міста місті містом",
        "замок замку замком замки", "хлопець хлопця хлопці", "королева королеви королеву королевою",
        "книга книги книгу книгою", "гора гори горах гір", "древній древнього древньої древні", "ліс лісу лісі",
        "меч меча мечем мечі", "таємниця таємниці таємницею", "вечір вечора", "можливість можливості",
        "чарівник чарівника чарівники чарівників", "п'ятниця п'ятниці",
    ],
)  # fmt: skip
def test_forms_of_a_word_have_one_stem(forms: str):
    assert len({stem_ukrainian(form) for form in forms.split()}) == 1


def test_words_of_other_roots_stay_apart():
    words = [
        "король",
        "королева",
        "міст",
        "місто",
        "гора",
        "горло",
        "книга",
        "князь",
        "меч",
        "мед",
        "річка",
        "рука",
        "замок",
        "земля",
    ]
    assert len({stem_ukrainian(word) for word in words}) >= len(words) - 1


@pytest.mark.parametrize(
    "query", ["Де сплять дракони?", "стародавнє місто", "хто збудував міст?", "чарівник", "гірська річка", "дракон"]
)
def test_a_question_in_other_forms_finds_the_text(query: str):
    assert has_most_words(query, CANON)


def test_question_words_are_left_out_and_nothing_is_missing_from_the_answer():
    assert [forms[0] for forms in list_telling_forms("Де зараз лежить меч королеви?")][-2:] == ["меч", "королев"]
    assert ["де"] not in [list(forms) for forms in list_telling_forms("Де зараз лежить меч королеви?")]
    assert list_language_gaps("Де живуть дракони гірського замку?") == []


def test_russian_is_found_as_before():
    assert list_query_forms("Где живут драконы старого замка и куда они летают?")[2] == ("дракон",)


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("Що сталося 3 жовтня 2023 року?", Period(dt.date(2023, 10, 3), dt.date(2023, 10, 3))),
        ("що я казав учора?", Period(dt.date(2026, 3, 14), dt.date(2026, 3, 14))),
        ("що я робив минулого тижня", Period(dt.date(2026, 3, 2), dt.date(2026, 3, 8))),
        ("три дні тому", Period(dt.date(2026, 3, 12), dt.date(2026, 3, 12))),
        ("на початку березня", Period(dt.date(2000, 3, 1), dt.date(2000, 3, 12), has_year=False)),
        ("влітку 2023", Period(dt.date(2023, 6, 1), dt.date(2023, 8, 31))),
        ("у листопаді 2021 року", Period(dt.date(2021, 11, 1), dt.date(2021, 11, 30))),
        ("золотий листопад у парку", None),
    ],
)
def test_days_and_periods_are_read(text: str, period: Period | None):
    assert find_periods(text, today=TODAY)[:1] == ([period] if period else [])


def test_a_question_of_time_asks_for_one():
    question = read_question("Коли я прийшов до міста?", today=TODAY)
    assert (question.asks_when, question.asks_of_self) == (True, True)
    said = "Ми прийшли минулої п'ятниці, пізно ввечері, і коні були втомлені."
    assert has_time(analyse_document(said), said)


def test_what_is_denied_is_read():
    assert any(word.startswith("павук") for word in read_polarity("Я ніколи не хочу бачити павуків у печері.").denied)


def test_a_player_who_writes_ukrainian_gets_ukrainian_frames_and_an_answer_in_it():
    message = "Де живуть дракони гірського замку?"
    assert choose_prompt_language(preference=None, message=message, world_languages=("en",)) == "uk"
    assert choose_reply_language(preference=None, message=message) == "uk"
    assert find_prompt_language("uk-UA") == "uk"
    prompts = load_prompts()["uk"]
    fact = Item("fact:1", "нікель", HERE, template="fact_reliable", terms={"type": "fact_allergy"}, is_protected=True)
    layers = [Layer("facts", (fact,)), Layer("user", (Item("u", message, HERE, is_protected=True),))]
    [system, *_] = fit_pack(layers, load_budgets().to_budget(), prompts).messages
    assert system.content == (
        "【User Knowledge - відоме про гравця】\n- Алергія: нікель (надійно)\n【Кінець User Knowledge】"
    )
    assert name_language("uk", prompts.words) == "Українська, Ukrainian"

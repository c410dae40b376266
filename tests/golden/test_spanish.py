"""Spanish at the level of search, prompts and replies."""

import datetime as dt

import pytest

from knowledge.text.analysis import analyse_document, list_query_forms
from knowledge.text.languages import find_prompt_language
from knowledge.text.languages.es.stemming import stem_spanish
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
CANON = "Los dragones dormían bajo las ciudades antiguas del reino hasta que los reyes cantaron sus canciones de luz."
HERE = Provenance("test")


@pytest.mark.parametrize(
    "forms",
    [
        "dragon dragones", "ciudad ciudades", "antiguo antigua antiguos antiguas", "vive viven vivian", "luz luces",
        "cancion canciones", "historia historias", "rey reyes", "espada espadas", "red redes", "grande grandes",
    ],
)  # fmt: skip
def test_forms_of_a_word_have_one_stem(forms: str):
    assert len({stem_spanish(form) for form in forms.split()}) == 1


def test_words_of_other_roots_stay_apart():
    words = ["rey", "puente", "puerta", "monte", "casa", "caza", "luna", "lobo", "espada", "escudo", "torre", "tierra"]
    assert len({stem_spanish(word) for word in words}) == len(words)


@pytest.mark.parametrize(
    "query",
    ["¿Dónde duerme el dragón?", "ciudad antigua", "la canción del rey", "dragones", "una luz", "¿Quién cantó?"],
)
def test_a_question_in_other_forms_finds_the_text(query: str):
    assert has_most_words(query, CANON)


def test_question_words_are_left_out_and_nothing_is_missing_from_the_answer():
    assert [forms[0] for forms in list_telling_forms("¿Dónde está la espada del rey?")] == ["espad", "rey"]
    assert list_language_gaps("¿Dónde viven los dragones de la montaña?") == []


def test_english_is_found_as_before():
    assert list_query_forms("The ancient cities of the realm were built by giants.")[2] == ("citi",)
    assert [forms[0] for forms in list_telling_forms("Who is the son of the king?")] == ["son", "king"]


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("¿Qué pasó el 3 de octubre de 2023?", Period(dt.date(2023, 10, 3), dt.date(2023, 10, 3))),
        ("¿qué dije ayer?", Period(dt.date(2026, 3, 14), dt.date(2026, 3, 14))),
        ("¿Qué hice la semana pasada?", Period(dt.date(2026, 3, 2), dt.date(2026, 3, 8))),
        ("lo del mes pasado", None),
        ("hace tres días", Period(dt.date(2026, 3, 12), dt.date(2026, 3, 12))),
        ("a principios de marzo", Period(dt.date(2000, 3, 1), dt.date(2000, 3, 12), has_year=False)),
        ("en el verano de 2023", Period(dt.date(2023, 6, 1), dt.date(2023, 8, 31))),
        ("en diciembre del año 2021", Period(dt.date(2021, 12, 1), dt.date(2021, 12, 31))),
        ("el coronel Mayo y su perro", None),
    ],
)
def test_days_and_periods_are_read(text: str, period: Period | None):
    assert find_periods(text, today=TODAY)[:1] == ([period] if period else [])


def test_a_question_of_time_asks_for_one():
    question = read_question("¿Cuándo llegué yo a la ciudad?", today=TODAY)
    assert (question.asks_when, question.asks_of_self) == (True, True)
    said = "Llegamos el lunes pasado, muy de noche, con los caballos cansados."
    assert has_time(analyse_document(said), said)


def test_what_is_denied_is_read():
    denied = read_polarity("No quiero ver nunca arañas en mi cueva.").denied
    assert any(word.startswith("ara") for word in denied)


def test_a_player_who_writes_spanish_gets_spanish_frames_and_an_answer_in_it():
    message = "¿Dónde viven los dragones de la montaña?"
    assert choose_prompt_language(preference=None, message=message, world_languages=("en",)) == "es"
    assert choose_reply_language(preference=None, message=message) == "es"
    assert find_prompt_language("es-419") == "es"
    prompts = load_prompts()["es"]
    fact = Item("fact:1", "níquel", HERE, template="fact_reliable", terms={"type": "fact_allergy"}, is_protected=True)
    layers = [Layer("facts", (fact,)), Layer("user", (Item("u", message, HERE, is_protected=True),))]
    [system, *_] = fit_pack(layers, load_budgets().to_budget(), prompts).messages
    assert system.content == (
        "【User Knowledge - lo que se sabe del jugador】\n- Alergia: níquel (fiable)\n【Fin de User Knowledge】"
    )
    assert name_language("es", prompts.words) == "español, Spanish"

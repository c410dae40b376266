import json
import threading
from pathlib import Path

import pytest

from knowledge.text.language import (
    SEARCH_LANGUAGES,
    detect_language,
    find_language_without_stemmer,
    guess_language,
    is_written_in,
)

CASES = [json.loads(line) for line in Path("qa/languages/short_chat.jsonl").read_text().splitlines()]
KNOWN_ERRORS = {
    "tr-05",
    "nl-03",
    "uk-07",
    "fa-01",
    "chat-lb074",
    "chat-lb076",
    "chat-lb157",
    "chat-lb160",
    "chat-lb257",
}
"""Words that two languages of a script share, too few to tell: held so that a change is seen."""


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The dragon sleeps under the mountain.", "en"),
        ("Дракон спит под горой (HP 150).", "ru"),
        ("ينام التنين تحت الجبل", "ar"),
        ("红龙睡在山下。", "zh"),
        ("使用 Fireball 法术攻击洞穴里的敌人", "zh"),
        ("ドラゴンが山の下で眠る", "ja"),
        ("용이 산 아래에서 잔다", "ko"),
        ("Ο δράκος κοιμάται", "el"),
        ("مقاسي M", "ar"),
        ("12 + 5 = 17 🎲", "und"),
        ("", "und"),
        ("\x00\ud800", "und"),
    ],
)
def test_language_follows_the_script_of_most_words(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_short_chat_is_told_by_letters_known_words_and_the_talk_before(case) -> None:
    is_right = detect_language(case["text"], context=case.get("context", ())) == case["language"]
    assert is_right is (case["id"] not in KNOWN_ERRORS)


@pytest.mark.parametrize(
    "text",
    [
        "gr8 m8 see u l8r",
        "roll 2d6 for damage",
        "my mp3 player",
        "the 2nd goblin is lvl 5",
        "what is Internet2",
        "b4 2day",
    ],
)
def test_english_with_digits_is_not_arabizi(text: str) -> None:
    assert detect_language(text) == "en"


def test_a_supported_language_is_never_taken_for_another_with_confidence() -> None:
    sure = [
        case for case in CASES if case["language"] in SEARCH_LANGUAGES and guess_language(case["text"]).is_confident
    ]
    assert len(sure) > 20
    assert [case["id"] for case in sure if guess_language(case["text"]).language != case["language"]] == []


@pytest.mark.parametrize(
    ("reply", "language", "follows"),
    [
        ("أهلا بك في سلمار", "arabizi", True),
        ("ahlan ya sa7bi, kifak elyom?", "ar", True),
        ("Well met, traveller. The bridge has nine arches.", "ru", False),
        ("Bienvenido, viajero. El puente tiene nueve arcos.", "en", False),
        ("Bienvenido, viajero. El puente tiene nueve arcos.", "es-MX", True),
        ("Hm.", "de", True),
        ("Hm.", "ru", False),
        ("Ласкаво просимо до нашого міста, мандрівнику.", "ru", False),
        ("Добро пожаловать в город, странник.", "ru", True),
        ("…", "zh", True),
    ],
)
def test_a_reply_is_in_another_language_only_without_doubt(reply: str, language: str, follows: bool) -> None:
    assert is_written_in(reply, language) is follows


def test_languages_without_a_stemmer_are_named() -> None:
    assert find_language_without_stemmer("Dove vivono i draghi della grande montagna?") == "it"
    assert find_language_without_stemmer("¿Dónde viven los dragones de la montaña?") is None
    assert find_language_without_stemmer("Where do the dragons of the mountain live?") is None
    assert find_language_without_stemmer("12") is None


def test_threads_share_one_identifier() -> None:
    found: list[str] = []
    threads = [
        threading.Thread(
            target=lambda place=place: found.append(detect_language(f"wer regiert die Stadt {place} jetzt"))
        )
        for place in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["de"] * 8

import pytest

from knowledge.text.language import detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The dragon sleeps under the mountain.", "en"),
        ("Дракон спит под горой (HP 150).", "ru"),
        ("ينام التنين تحت الجبل", "ar"),
        ("红龙睡在山下。", "zh"),
        ("使用 Fireball 法术攻击洞穴里的敌人", "zh"),
        ("ドラゴンが山の下で眠る", "und"),
        ("용이 산 아래에서 잔다", "und"),
        ("Ο δράκος κοιμάται", "und"),
        ("12 + 5 = 17 🎲", "und"),
        ("", "und"),
    ],
)
def test_language_follows_the_script_of_most_words(text: str, language: str) -> None:
    assert detect_language(text) == language

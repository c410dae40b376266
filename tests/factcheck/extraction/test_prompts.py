"""The prompts that ship: complete in four languages, their examples made of reserved words."""

from pathlib import Path

import pytest
import yaml

from factcheck.extraction.core.canaries import CANARY_WORDS, find_canary
from factcheck.extraction.proposers.prompts import (
    choose_prompt,
    load_extraction_prompts,
    name_prompt_version,
    parse_extraction_file,
    read_extraction_prompts,
)
from knowledge.text.languages import PROPOSER_LANGUAGES
from memoryproject.config_files import ConfigError

FOLDER = Path(__file__).resolve().parents[3] / "config" / "prompts"
# fmt: off
RULES = {
    "en": ["ADD", "UPDATE", "REMOVE", "CONFIRM", "ONLY facts about the user themselves",
           "Do NOT generalise preferences",
           "Sarcasm and irony are NO facts", "In doubt, do NOT write it", "INDEPENDENT", "30 minutes",
           "one-off reactions", "emotional judgements", "anything where subject is not user", "7=ح, 3=ع, 2=ء",
           "7asasiya", "مقاسي M", "do not translate", "wallah, يبيلي, وايد, 7ilu, mashallah", "The second!",
           "cumulatively, not by one phrase", "[new session]", "A single remark", "emotional_patterns"],
    "ru": ["ADD", "UPDATE", "REMOVE", "CONFIRM", "Записывай ТОЛЬКО факты о самом юзере", "НЕ обобщай предпочтения",
           "Сарказм и ирония = НЕ факт", "При сомнении — НЕ записывай", "НЕЗАВИСИМЫМИ", "30 минут",
           "разовые реакции на конкретные вещи", "эмоциональные оценки", "контекстные замечания", "subject != user",
           "7=ح, 3=ع, 2=ء", "7asasiya", "ДОСЛОВНО, не переводи", "wallah, يبيلي, وايد, 7ilu, mashallah", "Второй!",
           "кумулятивно, не по одной фразе", "«Поел хорошо» → [новая сессия] → «было плохо»", "emotional_patterns"],
    "ar": ["ADD", "UPDATE", "REMOVE", "CONFIRM", "عن المستخدم نفسه", "لا تعمّم التفضيلات", "السخرية",
           "عند الشك لا تسجّل",
           "مستقلتان", "30 دقيقة", "ردود فعل عابرة", "أحكام عاطفية", "7=ح", "7asasiya", "ولا تترجمه", "يبيلي",
           "الثانية!", "تراكمياً لا من عبارة واحدة", "[جلسة جديدة]", "emotional_patterns"],
    "zh": ["ADD", "UPDATE", "REMOVE", "CONFIRM", "只记录关于用户本人的事实", "不要概括偏好", "讽刺和反话不是事实",
           "有疑问就不要记录", "相互独立", "30 分钟", "一次性反应", "情绪化评价", "7=ح", "7asasiya", "不要翻译",
           "يبيلي",
           "第二个", "累积分析，不凭一句话", "[新会话]", "emotional_patterns"],
}
# fmt: on


@pytest.mark.parametrize("language", PROPOSER_LANGUAGES)
def test_every_rule_is_told_in_every_language(language):
    system = load_extraction_prompts()[language].system
    assert [rule for rule in RULES[language] if rule not in system] == []


@pytest.mark.parametrize("language", PROPOSER_LANGUAGES)
def test_examples_can_be_left_out_and_hold_reserved_words_alone(language):
    with_examples = read_extraction_prompts(FOLDER, few_shot=True)[language]
    without = read_extraction_prompts(FOLDER, few_shot=False)[language]
    assert with_examples.system.startswith(without.system)
    assert find_canary(without.system) is None
    assert find_canary(with_examples.system) is not None
    assert with_examples.digest != without.digest


def test_every_script_has_its_reserved_words():
    shown = "".join(each.system for each in read_extraction_prompts(FOLDER, few_shot=True).values()).casefold()
    assert [word for word in sorted(CANARY_WORDS) if word not in shown] == []


@pytest.mark.parametrize(
    "text", ["Zelbrin", "zelbrins", "на ЗЕЛЬБРИН", "от зельбрина", "الزلبرين", "48,613 AED", "٤٨٦١٣", "48 613",
             "泽尔布林", "ｚｅｌｂｒｉｎ", "zel_brin"],
)  # fmt: skip
def test_a_reserved_word_is_found_in_any_form(text):
    assert find_canary(text) is not None


@pytest.mark.parametrize("text", ["", "nuts", "486 13th street", "4861", "zebra", "حساسية", "W 91"])
def test_what_players_say_holds_none(text):
    assert find_canary(text) is None


def test_languages_have_their_prompt_and_arabizi_that_of_arabic():
    prompts = load_extraction_prompts()
    chosen = {code: choose_prompt(prompts, code).language for code in ("ru", "arabizi", "zh-TW", "de", "und", "en_GB")}
    assert chosen == {"ru": "ru", "arabizi": "ar", "zh-TW": "zh", "de": "en", "und": "en", "en_GB": "en"}


def test_the_version_changes_with_every_word():
    prompts = load_extraction_prompts()
    raw = (FOLDER / "en" / "extraction.yaml").read_text(encoding="utf-8")
    changed = parse_extraction_file(raw.replace("In doubt", "If in doubt"), "en", filename="x")
    assert name_prompt_version(prompts) != name_prompt_version({**prompts, "en": changed})
    assert len(name_prompt_version(prompts)) <= 40


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"version": 0}, "version"),
        ({"extra": 1}, "extra"),
        ({"examples": [{"messages": [{"role": "user", "text": "allergic to nuts"}], "deltas": []}]}, "reserved word"),
    ],
)
def test_a_mistake_names_file_and_setting(change, complaint):
    raw = yaml.safe_load((FOLDER / "en" / "extraction.yaml").read_text(encoding="utf-8"))
    with pytest.raises(ConfigError, match=f"(?s)bad.yaml.*{complaint}"):
        parse_extraction_file(yaml.safe_dump({**raw, **change}), "en", filename="bad.yaml")


@pytest.mark.parametrize(
    ("delta", "complaint"),
    [
        ({"value": "nuts"}, "not a reserved word"),
        ({"quotes": [{"message": 1, "text": "zelbrin hurts"}]}, "not in message 1"),
        ({"confidence": 2}, "confidence"),
    ],
)
def test_an_example_must_be_an_answer_that_could_be_right(delta, complaint):
    raw = yaml.safe_load((FOLDER / "en" / "extraction.yaml").read_text(encoding="utf-8"))
    raw["examples"][0]["deltas"][0] |= delta
    with pytest.raises(ConfigError, match=complaint):
        parse_extraction_file(yaml.safe_dump(raw), "en", filename="bad.yaml")

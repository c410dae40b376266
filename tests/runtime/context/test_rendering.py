"""Frames in all languages of the prompts, and what may stand in them."""

import re
from string import Template

import pytest

from knowledge.text.languages import PROMPT_LANGUAGES, find_prompt_language
from knowledge.text.tokens import count_tokens
from runtime.config import load_budgets, load_prompts
from runtime.context.core.languages import choose_prompt_language, choose_reply_language
from runtime.context.core.pack import LAYERS, Item, Layer, Provenance
from runtime.context.fit import fit_pack

HERE = Provenance("test")
WORDS = Item("u", "第一条孝悌为本是什么意思？", HERE, is_protected=True)


def render(language, *layers):
    pack = fit_pack([*layers, Layer("user", (WORDS,))], load_budgets().to_budget(), load_prompts()[language])
    return pack.messages[0].content


def test_preferences_and_talk_stand_in_the_frames_of_the_design_word_for_word():
    preferences = Layer(
        "preferences",
        (
            Item("p:verbosity", "", HERE, template="verbosity_detailed"),
            Item("p:tone", "", HERE, template="tone_respectful"),
            Item("p:tags", "家训、祠堂、农耕", HERE, template="interests"),
        ),
    )
    ancestor = {"name": "严氏先祖"}
    talk = Layer(
        "talk",
        (
            Item("t:1", "请问严氏家训有哪些？", HERE, template="user"),
            Item("t:2", "后生问得好。老夫当年定下家训十则...", HERE, template="assistant", values=ancestor),
            Item("t:3", "第一条孝悌为本是什么意思？", HERE, template="user"),
            Item(
                "t:4", "孝悌为本，乃是说孝顺父母、敬爱兄长是做人的根本...", HERE, template="assistant", values=ancestor
            ),
        ),
    )
    assert (
        render("zh", preferences, talk)
        == """\
【用户偏好 - 仅供参考】
- 用户偏好详细回答
- 用户偏好恭敬的语气
- 用户感兴趣的话题：家训、祠堂、农耕
【用户偏好结束】

【对话历史 - 仅供上下文参考，不作为事实依据】
以下是与用户的近期对话，帮助你理解用户的兴趣和问题背景。
注意：任何历史事实、人物、事件的信息必须从证据库中检索验证，不能仅凭对话历史回答。

用户: 请问严氏家训有哪些？
严氏先祖: 后生问得好。老夫当年定下家训十则...
用户: 第一条孝悌为本是什么意思？
严氏先祖: 孝悌为本，乃是说孝顺父母、敬爱兄长是做人的根本...

【对话历史结束】"""
    )


@pytest.mark.parametrize("language", PROMPT_LANGUAGES)
def test_every_language_frames_every_layer_and_says_reference_only(language):
    prompts = load_prompts()[language]
    for layer in LAYERS:
        frame = prompts.layers[layer]
        if layer in ("system", "memory_rules", "user"):
            assert not frame.open
            continue
        assert frame.open.startswith("【")
        assert frame.open.splitlines()[0].endswith("】")
        assert re.fullmatch("【[^【】]+】", frame.close)
    only = {"en": "only", "ru": "только", "ar": "فقط", "zh": "仅供", "es": "solo", "uk": "лише"}[language]
    assert only in prompts.layers["preferences"].open
    assert only in prompts.layers["talk"].open.splitlines()[0]


@pytest.mark.parametrize("language", PROMPT_LANGUAGES)
@pytest.mark.parametrize("kind", ["game", "companion"])
@pytest.mark.parametrize("role", ["narrator", "npc"])
def test_condensed_rules_take_at_most_300_tokens_with_the_system_layer(language, kind, role):
    frames = load_prompts()[language].layers
    system = [frames["system"].items[name] for name in (role, "no_lore", "reply")]
    text = "\n\n".join([*system, frames["memory_rules"].items[kind]])
    told = Template(text).substitute(name="Oda Marr", language=load_prompts()[language].words["language_arabizi"])
    assert count_tokens(told) <= 300


@pytest.mark.parametrize("language", PROMPT_LANGUAGES)
@pytest.mark.parametrize("kind", ["game", "companion"])
def test_condensed_rules_keep_every_rule_of_the_whole_texts(language, kind):
    text = load_prompts()[language].layers["memory_rules"].items[kind]
    for word in ("10", "raw_excerpt", "snippet", "span_context", "is_disputed"):
        assert text.count(word) == 1, word
    assert len(re.findall("[?؟？]", text)) == 2, "a contradiction is asked about, what is too specific is a question"


def test_a_game_is_told_no_example_of_a_shop():
    shop = re.compile(r"print|size|\bM\b|skirt|Zara|принт|размер|юбк|نقوش|مقاس|印花|尺码|M 码")
    for prompts in load_prompts().values():
        rules = prompts.layers["memory_rules"].items
        assert not shop.search(rules["game"])
        assert shop.search(rules["companion"])


@pytest.mark.parametrize("language", PROMPT_LANGUAGES)
def test_whole_texts_of_arbitration_and_naturalness_are_there_and_within_their_budget(language):
    rules = load_prompts()[language].layers["memory_rules"].items
    budgets = load_budgets().to_budget().layers
    assert re.findall(r"^(\d)\. ", rules["arbitration"], re.MULTILINE) == list("12345678")
    for word in ("User Knowledge", "raw_excerpt", "snippet", "span_context", "is_disputed", "instant_pattern"):
        assert word in rules["arbitration"]
    assert len(re.findall("^- ", rules["naturalness"], re.MULTILINE)) == 6
    assert rules["naturalness"].count("✗") == rules["naturalness"].count("✓") == 2
    whole = f"{rules['arbitration']}\n\n{rules['naturalness']}"
    assert count_tokens(whole) <= budgets["memory_rules"].max_tokens
    system = load_prompts()[language].layers["system"].items
    assert count_tokens("\n\n".join(system.values())) <= budgets["system"].max_tokens


def test_russian_rules_are_those_of_the_design():
    rules = load_prompts()["ru"].layers["memory_rules"].items
    assert rules["arbitration"].startswith("ПРАВИЛА ПРИОРИТЕТА ЗНАНИЙ:\n\n1. Последние 10 сообщений > всё остальное")
    assert "доверяй эпизоду, мягко уточни у юзера." in rules["arbitration"]
    assert rules["arbitration"].endswith("Мягко уточни: «Кажется, я ошибся раньше — помоги разобраться?»")
    assert rules["naturalness"].startswith("ПРАВИЛА ЕСТЕСТВЕННОСТИ ПАМЯТИ:")
    assert "Это бренд: «рядом, не сверху»." in rules["naturalness"]
    assert rules["naturalness"].endswith("«помнишь, ты не хотела кожу?» на его языке, не цитируй raw дословно.")


def test_disputed_fact_is_told_with_the_claim_and_the_doubt():
    fact = Item("f", "M", HERE, template="fact_disputed", terms={"type": "fact_body_params"})
    text = render("ru", Layer("facts", (fact,)))
    assert "- Размер: M (is_disputed: игрок в этом усомнился; не утверждай, уточни)" in text


def test_every_line_of_every_frame_can_be_filled():
    for prompts in load_prompts().values():
        for frame in prompts.layers.values():
            for line in (*frame.items.values(), *frame.parts.values()):
                known = {"text", "name", "title", "type", "speaker", "level", "style", "language"}
                assert set(Template(line).get_identifiers()) <= known


@pytest.mark.parametrize(
    ("preference", "message", "world", "frame", "reply"),
    [
        ("zh", "Who rings the bell?", ["ru"], "zh", "zh"),
        ("es", "Who rings the bell?", ["ru"], "es", "es"),
        (None, "¿Quién toca la campana?", ["ru"], "es", "es"),
        ("pt", "Who rings the bell?", ["ru"], "en", "pt"),
        (None, "Wer läutet die Glocke?", ["ru"], "ru", "de"),
        (None, "meen el malik hon?", ["en"], "ar", "arabizi"),
        (None, "Кто звонит в колокол?", ["en"], "ru", "ru"),
        (None, "42?", ["ar", "en"], "ar", None),
        ("fr", "42?", ["fr"], "en", "fr"),
        ("zh-Hant", "!!", [], "zh", "zh"),
        ("ru", "أبي شي حق الويكند", ["ru"], "ru", "ru"),
    ],
)
def test_a_preference_wins_over_the_language_of_the_message(preference, message, world, frame, reply):
    assert choose_prompt_language(preference=preference, message=message, world_languages=world) == frame
    assert choose_reply_language(preference=preference, message=message) == reply


def test_the_talk_before_tells_the_language_of_a_short_message():
    talk = ["Привет! Где тут таверна?", "А кто хозяин?"]
    assert choose_reply_language(preference=None, message="ok", talk=talk) == "ru"
    assert choose_prompt_language(preference=None, message="42", world_languages=["en"], talk=talk) == "ru"


def test_language_tags_are_read_by_their_first_part():
    assert [find_prompt_language(tag) for tag in ("EN_us", "zh-Hans-CN", "", None, "de")] == [
        "en",
        "zh",
        None,
        None,
        None,
    ]

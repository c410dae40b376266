"""Chinese."""

from knowledge.text.languages.shape import Language, SceneWords
from knowledge.text.languages.zh.words import CHINESE as WORDS

CHINESE = Language(
    code="zh",
    name="Chinese",
    script="han",
    is_script_default=True,
    boundary="none",
    analyser="pairs of characters",
    stem=None,
    known_words=None,
    foreign_letters=None,
    prior=0.0,
    asking_words="""
        吗 呢 的 什么 谁 哪 怎么 为什么
    """,
    dialogue=WORDS,
    negations="""
        不 没 無 无 未 非 勿 别
    """,
    prompts="zh",
    proposer_prompts="zh",
    reply_name="zh",
    scenes=SceneWords(
        outcomes={"success": "成功", "partial_success": "部分成功", "failure": "失败", "retreat": "撤退"},
        yes="是",
        no="否",
        card_labels=("时间", "地点", "关键词", "事件摘要"),
    ),
    patterns=("chinese", "instructions", "anchors"),
    word_section="zh",
    concept_names="zh",
    has_claim_check=True,
)

"""Arabizi."""

from knowledge.text.languages.shape import Language

ARABIZI_LANGUAGE = Language(
    code="arabizi",
    name="Arabizi",
    script="latin",
    is_script_default=False,
    boundary="word",
    analyser="as typed",
    stem=None,
    known_words=None,
    foreign_letters=None,
    prior=0.0,
    asking_words=None,
    dialogue=None,
    negations="""
        la la2 la2a laa ma maa mo mu moo mu4 mish mesh msh mush mosh moub mub mob mafi mafe mafeesh mafish
        mabi mabee maabi wala bala bdoon bidoon bedoon balash mani
    """,
    prompts="ar",
    proposer_prompts="ar",
    reply_name="arabizi",
    scenes=None,
    patterns=("companion", "table_safety", "everyday", "instructions", "anchors"),
    word_section="az",
    concept_names="arabizi",
    has_claim_check=False,
)

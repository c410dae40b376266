"""Arabic."""

from knowledge.text.languages.ar.words import ARABIC as WORDS
from knowledge.text.languages.shape import Language, SceneWords
from knowledge.text.stemming import stem_arabic

ARABIC = Language(
    code="ar",
    name="Arabic",
    script="arabic",
    is_script_default=True,
    boundary="joined",
    analyser="stems",
    stem=stem_arabic,
    known_words=None,
    foreign_letters="[پچگژکیۀےںھۂٹڈڑ]",
    prior=4.0,
    asking_words="""
        أين أي إلى التي الذي ما ماذا متى من على عن في كم كيف لماذا هل هو هي
    """,
    dialogue=WORDS,
    negations="""
        لا ولا فلا ما وما فما لم ولم لن ولن ليس وليس ليست لست لسنا مو ومو مب ومب مش ومش مهو ماهو ماني ماله
        ماعندي مافي مافيه مابي ماابي مابغى ماحب مااحب بدون بلا دون ماكو ماني مانيب مهب موب بلاش
    """,
    prompts="ar",
    proposer_prompts="ar",
    reply_name="ar",
    scenes=SceneWords(
        outcomes={"success": "نجاح", "partial_success": "نجاح جزئي", "failure": "إخفاق", "retreat": "انسحاب"},
        yes="نعم",
        no="لا",
        card_labels=("الوقت", "المكان", "الكلمات المفتاحية", "ما حدث"),
    ),
    patterns=("companion", "table_safety", "everyday", "instructions", "anchors"),
    word_section="ar",
    concept_names="ar",
    has_claim_check=True,
)

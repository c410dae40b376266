"""Ukrainian: search, prompts and replies. What its speakers say of themselves is not heard."""

from knowledge.text.languages.shape import Language, SceneWords, split_words
from knowledge.text.languages.uk.stemming import stem_ukrainian
from knowledge.text.languages.uk.words import UKRAINIAN as WORDS

UKRAINIAN = Language(
    code="uk",
    name="Ukrainian",
    script="cyrillic",
    is_script_default=False,
    boundary="word",
    analyser="stems, light",
    stem=stem_ukrainian,
    known_words=split_words("""
        але будь вітаю добре дякую ласка мене мені не ні привіт та це що як є
    """),
    foreign_letters="[ыэъёўјљњћђџѓќ]",
    prior=1.0,
    # Left in, since Russian has them for other words: те, тому.
    asking_words="""
        що як де коли хто чому навіщо який яка яке які якого якої яких яким якому якій куди звідки скільки чи це й
        чий чия чиє чиї кого кому ким чого чим про з із від мій моя моє мої є був була було
    """,
    dialogue=WORDS,
    negations="не ні ані нема немає без ніколи ніхто ніщо нічого нікого нікому жоден жодна жодного жодної ніде нікуди ніяк",
    prompts="uk",
    proposer_prompts=None,
    reply_name=None,
    scenes=SceneWords(
        outcomes={"success": "успіх", "partial_success": "частковий успіх", "failure": "невдача", "retreat": "відступ"},
        yes="так",
        no="ні",
        card_labels=("Час", "Місце", "Ключові слова", "Що сталося"),
    ),
    patterns=None,
    word_section=None,
    concept_names=None,
    has_claim_check=False,
)

"""Russian."""

from knowledge.text.languages.ru.words import RUSSIAN as WORDS
from knowledge.text.languages.shape import Language, SceneWords, split_words
from knowledge.text.stemming import stem_russian

RUSSIAN = Language(
    code="ru",
    name="Russian",
    script="cyrillic",
    is_script_default=True,
    boundary="word",
    analyser="stems",
    stem=stem_russian,
    known_words=split_words("""
        ага буду был была было бюджет где да давай его если ещё её здравствуйте и или их как когда кста кто
        ладно ли лол меня мне можно надо не нет нету ну пж пожалуйста пока привет размер спасибо спс только
        угу уже хз что щас это я
    """),
    foreign_letters="[іїєґўјљњћђџѓќ]",
    prior=4.0,
    asking_words="""
        бы в где если же зачем и или как какая какие каким какими каких какого какое какой каком какому
        какую кем когда кого кому кто куда ли можно мой моя на нужно откуда о об по почему с сколько то что
        чего чей чем чему чья чьё чьи это я
    """,
    dialogue=WORDS,
    negations="""
        не ни нет никогда никто никого никому никем ничто ничего ничему ничем никакой никакая никакое
        никакие никаких никакого нельзя нету без нигде никуда никак некому незачем
    """,
    prompts="ru",
    proposer_prompts="ru",
    reply_name="ru",
    scenes=SceneWords(
        outcomes={
            "success": "успех",
            "partial_success": "частичный успех",
            "failure": "неудача",
            "retreat": "отступление",
        },
        yes="да",
        no="нет",
        card_labels=("Время", "Место", "Ключевые слова", "Что произошло"),
    ),
    patterns=("companion", "table_safety", "everyday", "instructions", "anchors"),
    word_section="ru",
    concept_names="ru",
    has_claim_check=True,
)

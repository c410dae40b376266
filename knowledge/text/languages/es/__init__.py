"""Spanish: search, prompts and replies. What its speakers say of themselves is not heard."""

from knowledge.text.languages.es.stemming import stem_spanish
from knowledge.text.languages.es.words import SPANISH as WORDS
from knowledge.text.languages.shape import Language, SceneWords, split_words

SPANISH = Language(
    code="es",
    name="Spanish",
    script="latin",
    is_script_default=False,
    boundary="word",
    analyser="stems",
    stem=stem_spanish,
    known_words=split_words("""
        adiós ahora aquí ayer bb buenas buenos claro como cuando cuál cómo donde dónde el eres estoy está están
        gracias hola hoy jaja jajaja las le los mañana me mi muy más nada nos nunca otra otro para pero por
        porfa porque puedo quien quiero qué señor señora siempre soy sí también te tengo todo todos tqm una unos
        vale
    """),
    foreign_letters=None,
    prior=2.0,
    # Left in, since English has them for things: son, sin, once, red, pie, he, me, a.
    asking_words="""
        que qué cómo como dónde donde cuándo cuando cuál cuáles cual quién quiénes quien cuánto cuánta cuántos cuántas
        de el en la los las del una unos unas es está están era fue para por con mi tu su sus y
    """,
    dialogue=WORDS,
    negations="no ni nunca jamás nada nadie ninguno ninguna ningún ningunos ningunas sin tampoco",
    prompts="es",
    proposer_prompts=None,
    reply_name=None,
    scenes=SceneWords(
        outcomes={"success": "éxito", "partial_success": "éxito parcial", "failure": "fracaso", "retreat": "retirada"},
        yes="sí",
        no="no",
        card_labels=("Cuándo", "Lugar", "Palabras clave", "Qué ocurrió"),
    ),
    patterns=None,
    word_section=None,
    concept_names=None,
    has_claim_check=False,
)

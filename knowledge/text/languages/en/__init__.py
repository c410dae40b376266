"""English."""

from knowledge.text.languages.en.words import ENGLISH as WORDS
from knowledge.text.languages.shape import Language, SceneWords, split_words
from knowledge.text.stemming import stem_english

SCENES = SceneWords(
    outcomes={},
    yes="yes",
    no="no",
    card_labels=("Time", "Place", "Keywords", "What happened"),
)

ENGLISH = Language(
    code="en",
    name="English",
    script="latin",
    is_script_default=True,
    boundary="word",
    analyser="stems",
    stem=stem_english,
    known_words=split_words("""
        a and at be been brb btw budget but bye can can't cant cool could did do does don't dont door dunno
        for from get give go gonna got gotta has have he hello her here hey hi him his how i i'd i'm idk if
        im imo is it know let's lets like lmao lol look maybe me my nah need none nope nothing now of omg
        open our please pls plz r see she should size sorry sure take tell thanks that the there these they
        think this those thx to ty u ur us wanna want wat we were what what's who who's why will with would
        yeah yep yes you your yup
    """),
    foreign_letters=None,
    prior=5.0,
    asking_words="""
        a an and are at be been can could did do does for from how i in is it its my of on or should the to
        was were what when where which who whom whose why you your
    """,
    dialogue=WORDS,
    negations="""
        no not never none nobody nothing nowhere neither nor without cannot cant dont doesnt didnt isnt
        wasnt arent werent wont wouldnt couldnt shouldnt hasnt havent hadnt aint mustnt neednt nope
    """,
    prompts="en",
    proposer_prompts="en",
    reply_name="en",
    scenes=SCENES,
    patterns=("companion", "table_safety", "everyday", "instructions", "anchors"),
    word_section="en",
    concept_names="en",
    has_claim_check=True,
)

from dataclasses import replace

import pytest

from factcheck.instant.core.event_details import without_details
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.pattern_sets import load_shipped


def extract_keys(text):
    compiled, concepts = load_shipped()
    facts = extract_facts(text, compiled=compiled, concepts=concepts, now=SAID_AT)
    return {fact.key for fact in facts if fact.type == "life_event"}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("my mom died last week", "death_mom"),
        ("we just lost our dog", "death"),
        ("I broke up with my boyfriend", "breakup"),
        ("I got laid off", "job_loss"),
        ("i'm pregnant!!", "pregnancy"),
        ("бабушка вчера умерла", "death"),
        ("меня уволили", "job_loss"),
        ("мы расстались", "breakup"),
        ("я поступила в универ", "admission"),
        ("جدتي توفت امبارح", "death"),
        ("طلقني زوجي", "divorce_husband"),
        ("3amti twaffet", "death"),
        ("我们分手了", "breakup"),
        ("我奶奶昨天去世了", "death_grandmother"),
        ("我怀孕了", "pregnancy"),
        ("my boyfriend broke up with me", "breakup"),
        ("they didn't renew my contract", "job_loss"),
        ("broke my ankle yesterday", "injury"),
        ("We got married Saturday at the courthouse", "wedding"),
        ("retired last friday after 38 years", "retirement"),
        ("moved to Leeds last weekend", "move"),
        ("got robbed coming off the bus", "robbery"),
        ("i got diagnosed with type 1 on tuesday", "diagnosis"),
        ("passed my driving test!!", "exam"),
        ("i've got the flu", "illness"),
        ("деда похоронили вчера", "death"),
        ("я беременна", "pregnancy"),
        ("мы расписались в субботу", "wedding"),
        ("сломала ногу вчера", "injury"),
        ("меня взяли на работу", "new_job"),
        ("طردوني امس من الشغل", "job_loss"),
        ("صرت بلا شغل", "job_loss"),
        ("رزقنا الله ببنت", "birth"),
        ("تزوجت الجمعة يا خوي", "wedding"),
        ("etrafadt mbare7 men el sho8l", "job_loss"),
        ("l9it khedma jdida", "new_job"),
        ("bdit khdma jdida had simana", "new_job"),
        ("teta metet mbere7", "death"),
        ("tla99t had simana", "divorce"),
        ("tawni m6alleg, el yom 5alla9na el awrag", "divorce"),
        ("ana w khatibe tarakna mbere7", "breakup"),
        ("сократили меня сегодня", "job_loss"),
        ("муж подал на развод, сижу реву", "divorce"),
        ("я на седьмом месяце, хожу как пингвин", "pregnancy"),
        ("ana w khatibi fasakhna mbare7, ma 2dert nam", "breakup"),
        ("今晚刚和谈了六年的男朋友分手", "breakup"),
        ("fiya lgrippe", "illness"),
        ("分手了。三年", "breakup"),
        ("被裁了", "job_loss"),
        ("昨天辞职了", "last_day_at_work"),
        ("我们昨天领证了", "wedding"),
    ],
)
def test_what_has_just_happened_is_an_event(text, key):
    assert key in extract_keys(text)


@pytest.mark.parametrize(
    "text",
    [
        "my character's mom died",
        "my mom died when I was six",
        "did you know my dog died?",
        "her sister had a baby",
        "в детстве у меня умер кот",
        "сосед умер",
        "my mom passed her exam",
        "i lost my dad in the supermarket",
        "he left me a message",
        "my sister had the first slice",
        "I got fired up",
        "我妈没回我消息",
        "راح اخوي المدرسه",
        "انا حامل الشنطة",
        "чуть не уволили меня",
        "他们分手了",
        "小时候我奶奶去世了",
        "لما كنت صغير جدتي توفت",
        "I quit! never playing poker with a bard again",
        "i quit smoking",
        "exam moved to monday",
        "i moved to the next question",
        "I retire to my chamber",
        "broke my leg in second grade",
        "в третьем классе я сломала руку",
        "дед умер, когда мне было четыре",
        "توفيت جدتي منذ خمسة عشر عاما",
        "小学二年级摔断过腿",
        "had a car crash in gta",
        "my character got fired",
        "they fired him",
        "она вышла замуж",
        "потом я женился",
        "в феврале я вышла замуж",
        "я сломал ногу",
        "я устроился на подушках",
        "я жду сына у подъезда",
        "هي تزوجت الجمعة",
        "他被裁了",
        "如果被裁了怎么办",
    ],
)
def test_what_happened_long_ago_to_others_or_in_a_story_is_none(text):
    assert extract_keys(text) == set()


def test_layers_find_no_details_without_a_day_of_an_event_that_is_known():
    compiled, concepts = load_shipped()
    (move,) = extract_facts("we moved to Leeds last weekend", compiled=compiled, concepts=concepts, now=SAID_AT)
    keys = replace(move, key="the_keys", value="the keys", pattern="semantic/life_event@1")
    van = replace(keys, key="the_van", value="the van", happens_on=SAID_AT.date())
    assert without_details([move, keys, van], concepts) == [move, van]
    assert without_details([keys], concepts) == [keys]


@pytest.mark.parametrize("text", ["We got married Saturday", "retired last friday", "мы расписались в субботу"])
def test_what_has_happened_has_no_day_to_come(text):
    compiled, concepts = load_shipped()
    facts = extract_facts(text, compiled=compiled, concepts=concepts, now=SAID_AT)
    assert [fact.happens_on for fact in facts] == [None]

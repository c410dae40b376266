"""What players ask to forget by its name: "can you delete my ring size", «забудь про мой бюджет»."""

import pytest

from factcheck.instant.core.corrections import may_correct
from factcheck.instant.core.pattern_sets import load_shipped
from tests.factcheck.instant.test_changed_values import detect

WEIGHT = ("body_params", "weight_kg", "72")
HEIGHT = ("body_params", "height_cm", "165")
RING = ("body_params", "ring_size", "7")
SHOES = ("body_params", "shoe_size", "43")
BUDGET = ("budget", "general", "15000 RUB")
FOX = ("instruction", "name", "Лисичка")
ENGLISH = ("instruction", "language", "English")
WEDDING = ("life_event", "wedding", "wedding")
SIZE = ("body_params", "size", "M")
KIT = ("instruction", "name", "Kit")
PIRATE = ("instruction", "talk_like_pirate", "talk like a pirate from now on")
MEOW = ("instruction", "每句话结尾都加个喵", "每句话结尾都加个喵")
WAIST, INSEAM = ("body_params", "waist_size", "32"), ("body_params", "inseam", "34")


@pytest.mark.parametrize(
    ("text", "wanted", "other"),
    [
        ("can you forget my ring size pls", RING, SHOES),
        ("Полноразмерные. И забудь про мой бюджет", BUDGET, FOX),
        ("блин муж увидел и ржёт. забудь что я просила звать меня Лисичкой", FOX, BUDGET),
        ("امسح وزني من عندك لو سمحت", WEIGHT, HEIGHT),
        ("ثم من فضلك انسَ ما قلته عن وزني، ندمت أني كتبته", WEIGHT, HEIGHT),
        ("انسى وزني لو سمحت ما أبيه محفوظ", WEIGHT, HEIGHT),
        ("nsa wazni please ma badi ye5zanu", WEIGHT, HEIGHT),
        ("merci. emseh wazni lw sama7et", WEIGHT, HEIGHT),
        ("ensa ma2as gazmety", SHOES, WEIGHT),
        ("nsa eno 2eltellak t7kini bel english", ENGLISH, BUDGET),
        ("好的。把我的体重忘掉", WEIGHT, HEIGHT),
        ("delete my weight please, i don't want that saved", WEIGHT, HEIGHT),
        ("you can erase my shoe size", SHOES, WEIGHT),
        ("please remove my budget from your memory", BUDGET, WEIGHT),
        ("oh and forget my height, it's weird you have it", HEIGHT, WEIGHT),
        ("could you please delete the size i gave you?", SIZE, BUDGET),
        ("stop remembering my weight", WEIGHT, HEIGHT),
        ("don't keep my weight", WEIGHT, HEIGHT),
        ("удали, пожалуйста, мой вес", WEIGHT, HEIGHT),
        ("сотри мой размер обуви", SHOES, WEIGHT),
        ("можешь забыть мой рост?", HEIGHT, WEIGHT),
        ("не учитывай больше мой бюджет", BUDGET, WEIGHT),
        ("ممكن تنسى مقاسي؟", SIZE, BUDGET),
        ("احذفي طولي لو سمحتي", HEIGHT, WEIGHT),
        ("انسى ميزانيتي", BUDGET, WEIGHT),
        ("شيل وزني من القائمة", WEIGHT, HEIGHT),
        ("عفاك حيد الوزن ديالي", WEIGHT, HEIGHT),
        ("emsa7 wazni plz", WEIGHT, HEIGHT),
        ("momken tensa mizaniyti?", BUDGET, WEIGHT),
        ("insa tooli", HEIGHT, WEIGHT),
        ("删掉我的身高", HEIGHT, WEIGHT),
        ("忘了我的预算吧", BUDGET, WEIGHT),
        ("帮我把鞋码删了", SHOES, WEIGHT),
        ("麻烦你把我的尺码删掉", SIZE, BUDGET),
        ("forget that I'm getting married", WEDDING, BUDGET),
        ("forget what I said about my wedding", WEDDING, BUDGET),
        ("forget the 15000", BUDGET, WEIGHT),
        ("забудь, что я говорила про свадьбу", WEDDING, BUDGET),
        ("delete my name", KIT, BUDGET),
        ("forget the pirate thing", PIRATE, BUDGET),
        ("喵那个忘了吧", MEOW, BUDGET),
        ("bosi ensi el mizaniya di khales", BUDGET, WEIGHT),
        ("drop the budget thing i mentioned, show me all you have", BUDGET, WEIGHT),
        ("delete the wedding thing please", WEDDING, BUDGET),
        ("لو سمحت امسح وزني من عندك وانسَ إني ذكرته", WEIGHT, HEIGHT),
        ("بس امسحي سالفة العرس، بتنكشف المفاجأة", WEDDING, BUDGET),
        ("momken tensa wzny mn fadlak? msh 3ayzo yetsagel", WEIGHT, HEIGHT),
        ("nsa hadchi d lmizania, wrini ga3 lli kayn", BUDGET, WEIGHT),
        ("ok insa el wazn dah tamaman ba2a", WEIGHT, HEIGHT),
        ("预算那条你删了吧，当我没提", BUDGET, WEIGHT),
        ("وبالله انسى المقاس اللي قلته، ماهوش متاعي", SIZE, BUDGET),
        ("w ba2olak eh ensa el wazn elly katabto, amsa7o", WEIGHT, HEIGHT),
        ("身高这条删一下", HEIGHT, WEIGHT),
    ],
)
def test_what_is_named_is_over_and_nothing_else(text, wanted, other):
    assert may_correct(text, compiled=load_shipped()[0])
    (correction,) = detect(text, wanted, other)
    assert (correction.outcome, correction.effect, correction.basis) == ("forgotten", "ended", "explicit")
    assert [fact.key for fact in correction.facts] == [wanted[1]]


@pytest.mark.parametrize("text", ["forget my sizes, i'll measure again", "удали мои размеры"])
def test_all_sizes_are_over_and_the_height_is_not(text):
    (correction,) = detect(text, WAIST, INSEAM, HEIGHT)
    assert {fact.key for fact in correction.facts} == {"waist_size", "inseam"}


@pytest.mark.parametrize("known", [[SHOES], [SHOES, WAIST]])
def test_measurements_are_one_or_all(known):
    (correction,) = detect("forget my measurements", *known, HEIGHT)
    assert {fact.key for fact in correction.facts} == {key for _, key, _ in known}


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("don't forget my size", SIZE),
        ("never forget my budget", BUDGET),
        ("I forgot my size", SIZE),
        ("did you forget my size?", SIZE),
        ("why do you always forget my weight", WEIGHT),
        ("you forget my name every time", KIT),
        ("не забудь мой размер", SIZE),
        ("ты забыл мой бюджет?", BUDGET),
        ("я забыла свой вес", WEIGHT),
        ("لا تنسى مقاسي", SIZE),
        ("نسيت وزني", WEIGHT),
        ("ma tensa ma2asi", SIZE),
        ("别忘了我的体重", WEIGHT),
        ("我忘了我的体重", WEIGHT),
        ("forget the wedding for a second, what about food?", WEDDING),
        ("my sister told me to forget my budget", BUDGET),
        ("forget the size, what colours do they have in M?", BUDGET),
        ('"forget my size" he said', SIZE),
        ("if you delete my weight I'll be sad", WEIGHT),
        ("remove the leather jacket from the list, my size is M", SIZE),
        ("let's forget the past and move on", WEDDING),
        ("wipe the table, my budget is 15000", BUDGET),
        ("drop the price and I'll buy", BUDGET),
        ("drop my budget to 9000", BUDGET),
        ("please drop my budget more, rent went up", BUDGET),
        ("drop the budget, it's my birthday", BUDGET),
        ("can you drop me my measurements again?", SIZE),
        ("feel free to drop my name", KIT),
        ("drop the weight, they said, and you'll run faster", WEIGHT),
        ("get rid of the wedding stuff", WEDDING),
        ("clear the wedding stuff", WEDDING),
        ("msh el mizaniya, el wa2t howa el moshkela", BUDGET),
        ("erase the dragon's name from the stone", KIT),
        ("clear the road!", BUDGET),
        ("забудем обиды", FOX),
        ("не забывай про мой бюджет", BUDGET),
        ("как я мог забыть свой рост", HEIGHT),
        ("انسى الموضوع", BUDGET),
        ("忘了带钱包", BUDGET),
        ("forget the pirate ship, let's take the road", PIRATE),
        ("forget the wedding thing", WEDDING),
        ("how do i forget the pirate thing that hit me", PIRATE),
        ("forget about my bit like that", PIRATE),
        ("forget the day thing", ("instruction", "reply_rhymes_my_life", "reply in rhymes about the day and my life")),
        ("forget the ex thing", ("instruction", "never_mention_ex", "never mention my ex")),
    ],
)
def test_idioms_negations_and_others_words_forget_nothing(text, known):
    assert [each for each in detect(text, known) if each.facts] == []


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("remove the shoes in size 42 from my cart", ("body_params", "shoe_size", "42")),
        ("delete 42 files", ("body_params", "shoe_size", "42")),
        ("forget the budget hotel, let's book a nice one", BUDGET),
        ("ignore the 15000 other soldiers", BUDGET),
        ("forget Kit, he's a loser", KIT),
        ("remove Kit from the party", KIT),
    ],
)
def test_goods_figures_and_people_of_the_game_are_not_meant(text, known):
    assert [each for each in detect(text, known) if each.facts] == []


def test_what_protects_is_never_forgotten_by_its_name():
    for text in ("forget what I said about nuts", "please delete the nuts thing", "забудь, что я говорила про орехи"):
        assert not any(each.outcome == "forgotten" for each in detect(text, ("allergy", "nuts", "nuts")))


def test_the_words_are_forgotten_too_where_they_said_nothing_else():
    (correction,) = detect("forget my weight please", WEIGHT, just_said=True)
    assert (correction.effect, correction.basis) == ("forgotten", "")
    (correction,) = detect("forget my weight please", WEIGHT, HEIGHT, just_said=True)
    assert (correction.effect, [fact.key for fact in correction.facts]) == ("ended", ["weight_kg"])


def test_a_name_is_forgotten_by_itself():
    (correction,) = detect("Слушай, забудь ты этого Лёлика", ("instruction", "name", "Лёлик"))
    assert correction.effect == "ended"


def test_of_two_budgets_none_is_forgotten_by_the_word_alone():
    assert detect("forget my budget", ("budget", "shoes", "80 EUR"), ("budget", "coat", "200 EUR")) == []


@pytest.mark.parametrize("text", ["запоминай", "слушай, запоминай", "Записывайте!", "да, сохраняй"])
def test_to_remember_is_not_to_forget(text):
    assert detect(text, ("allergy", "nuts", "nuts"), just_said=True) == []

"""What ends what protects a person in strange words: layers and a clause of the message must both say so."""

import pytest

from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.change_cases import ReadChange
from factcheck.instant.core.eaten_slips import find_eaten
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.masked_messages import mask_message
from factcheck.instant.core.messages import fold_message
from factcheck.instant.core.vouched_denials import find_vouched
from tests.factcheck.instant.test_layer_changes import SHRIMP, WOOL, detect  # noqa: F401

NUTS = KnownFact(1, "allergy", "nuts", "nuts")
PEANUTS = KnownFact(1, "allergy", "peanuts", "peanuts")
LACTOSE = KnownFact(1, "allergy", "lactose", "lactose")
SESAME = KnownFact(1, "allergy", "sesame", "sesame")
MANGO = KnownFact(1, "allergy", "mango", "mango")
EGGS = KnownFact(1, "allergy", "eggs", "eggs")
WALNUTS = KnownFact(1, "allergy", "walnuts", "walnuts")
CATS = KnownFact(1, "allergy", "cats", "cats")
SPIDERS = KnownFact(1, "hard_ban", "spiders", "spiders")
ZOMBIES = KnownFact(1, "hard_ban", "zombies", "zombies")
FUR = KnownFact(1, "hard_ban", "fur", "fur")
LEATHER = KnownFact(1, "hard_ban", "leather", "leather")
ALCOHOL = KnownFact(1, "hard_ban", "alcohol", "alcohol")
VIOLENCE = KnownFact(1, "hard_ban", "violence", "violence")
DEATH = KnownFact(1, "hard_ban", "death", "death")
SMOKING = KnownFact(1, "hard_ban", "smoking", "smoking")
CILANTRO = KnownFact(1, "hard_ban", "cilantro", "cilantro")
YELLOW = KnownFact(1, "hard_ban", "yellow", "yellow")
SIZE = KnownFact(1, "body_params", "size", "M")


@pytest.fixture
def vouch(concepts):
    def vouch(text, fact, mode="unknown", *, is_referred=True):
        spoken = AuthorSpans(text, mode, is_topic=concepts.names_thing)
        return (
            find_vouched(mask_message(fold_message(text), spoken, fact, concepts), is_referred=is_referred) is not None
        )

    return vouch


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (
            "did the breath test and it came back clean, im not lactose intolerant after all. bring on the gelato",
            LACTOSE,
        ),
        ("Outgrew it! Consultant signed me off in June", EGGS),
        ("hospital did the challenge last week. not allergic. it's off my chart", NUTS),
        ("ugh wait, it's papaya i react to, not mango. mango i eat every week", MANGO),
        ("path north. btw zombies are allowed again, watched the whole of it with my gf", ZOMBIES),
        ("А мех возвращай в подборку, разрешаю", FUR),
        ("больше нет! три года колола, теперь живу с мейн-куном", CATS),
        ("لا مش السمسم معلش، الفول السوداني. السمسم باكله عادي", SESAME),
        ("roo7t lel doctor 3amal test w 2al ma3andeesh 7asaseya men el semsem aslan", SESAME),
        ("啊说错了，不是核桃，是腰果，核桃我天天吃", WALNUTS),
        ("酒而家解禁啦，紅酒清酒都可以推薦俾我", ALCOHOL),
    ],
)
def test_a_clause_speaks_against_the_relation(vouch, text, fact):
    assert vouch(text, fact)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("no nuts im allergic", NUTS),
        ("I'm not allergic to all nuts", NUTS),
        ("what if I'm not allergic to nuts any more?", NUTS),
        ("if the test comes back clean, I'm not allergic to nuts", NUTS),
        ("Mabel is no longer allergic to nuts", NUTS),
        ("小美现在对坚果不过敏了", NUTS),
        ('"I\'m not allergic to nuts any more" she sang', NUTS),
        ("not shrimp, squid. shrimp i eat and then die", SHRIMP),
        ("я отменил операцию", SPIDERS),
        ("я снимаю шляпу", SPIDERS),
        ("И я ничего не боюсь!", VIOLENCE),
        ("Остальные требования я снимаю.", SPIDERS),
        ("I never outgrew my peanut allergy", PEANUTS),
        ("my peanut allergy is not gone after all", PEANUTS),
        ("حساسية الفول السوداني ما راحت", PEANUTS),
        ("аллергия на арахис не прошла", PEANUTS),
        ("my son got tested today. Not allergic! Peanuts are fine now", PEANUTS),
        ("我儿子检查了，花生不过敏了", PEANUTS),
        ("医生说她花生不过敏了", PEANUTS),
        ("الفول السوداني عادي لبنتي", PEANUTS),
        ("love peanuts, hate what they do to me", PEANUTS),
        ("I like peanuts, sadly", PEANUTS),
        ("арахис люблю, но потом в больнице лежу", PEANUTS),
        ("花生我天天吃，吃完就去医院", PEANUTS),
        ("cats may come, I take a pill", CATS),
        ("I wish I wasn't allergic to peanuts", PEANUTS),
        ("I dreamt I was not allergic to peanuts", PEANUTS),
        ("يا ريت ما عندي حساسية من الفول السوداني", PEANUTS),
        ("не думай, что у меня нет аллергии на арахис", PEANUTS),
        ("my landlord says cats are fine", CATS),
        ("I'm not just allergic to peanuts", PEANUTS),
        ("I'm not allergic to peanut oil", PEANUTS),
        ("no peanut allergy meds left", PEANUTS),
        ("never been more allergic to peanuts", PEANUTS),
        ("I'm not allergic to peanuts any more??", PEANUTS),
        ("show me what spiders you removed", SPIDERS),
        ("把蜘蛛删了", SPIDERS),
        ("spiders like the dark", SPIDERS),
        ("no problem with the alcohol ban", ALCOHOL),
        ("alcohol free is fine", ALCOHOL),
        ("the curfew ban is lifted", SPIDERS),
        ("leather jackets are fine", KnownFact(1, "allergy", "milk", "milk")),
        ("size M is fine", SIZE),
    ],
)
def test_other_clauses_do_not(vouch, text, fact):
    assert not vouch(text, fact)


def test_what_nobody_spoke_of_is_to_be_named(vouch):
    assert vouch("Outgrew it!", EGGS)
    assert not vouch("Outgrew it!", EGGS, is_referred=False)
    assert vouch("Outgrew it! Eggs every day", EGGS, is_referred=False)


def test_words_of_a_character_are_nobodys(vouch):
    assert not vouch("I'm not allergic to nuts any more", NUTS, mode="in_character")


def test_layers_that_are_less_than_sure_count_beside_a_clause_alone(compiled, concepts):
    from factcheck.instant.core.corrections import detect_corrections

    def read(text, change="ends", *, is_sure=False):
        found = detect_corrections(
            text, previous_assistant_text="", facts=[WOOL], compiled=compiled, concepts=concepts,
            changes=[ReadChange(WOOL, change, 0.9, "v1", is_sure=is_sure)],
        )  # fmt: skip
        return [(each.effect, each.basis) for each in found]

    assert read("that jumper again... wool is gorgeous, half my wardrobe is wool") == [("ended", "explicit")]
    assert read("wool was such a chapter of my life") == []
    assert read("wool was such a chapter of my life", is_sure=True) == [("disputed", "")]


def test_layers_leave_alone_what_nobody_spoke_of(detect):  # noqa: F811
    text = "never mind, it doesn't matter any longer"
    assert detect(text, WOOL, "ends") == []
    assert [each[0] for each in detect(text, WOOL, "ends", just_said=[WOOL])] == ["disputed"]


def test_what_layers_uphold_rules_but_doubt(compiled, concepts):
    from factcheck.instant.core.corrections import detect_corrections

    def read(text, *changes):
        found = detect_corrections(
            text, previous_assistant_text="", facts=[NUTS], compiled=compiled, concepts=concepts,
            changes=[ReadChange(NUTS, change, 0.95, "v1") for change in changes],
        )  # fmt: skip
        return [each.effect for each in found]

    story = "I'm not allergic to nuts any more! my little boy said that today and pointed at himself"
    assert read(story, "stays") == ["disputed"]
    assert read("I'm not allergic to nuts any more", "stays") == ["ended"]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Quit being vegan in March. Leather's fine. Show me leather.", LEATHER),
        ("turns out i am not allergic to peanuts, never was, it was a virus rash when i was 4", PEANUTS),
        ("I had it muddled. Mango is fine, the thing that gives me hives is kiwi.", MANGO),
        ("有点无聊哈哈 僵尸可以有了 可爱的那种", ZOMBIES),
        ("酒现在可以了 之前是喝伤了 放开推", ALCOHOL),
    ],
)
def test_harm_of_another_thing_or_of_childhood_does_not_count(vouch, text, fact):
    assert vouch(text, fact)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("i am not allergic to peanuts, it just gives me hives", PEANUTS),
        ("peanuts are fine, the thing that gives me hives is the dose", PEANUTS),
        ("I eat peanuts now but my lips go numb", PEANUTS),
        ("я ем арахис, но губы немеют", PEANUTS),
        ("I eat peanuts. It put me on an epi-pen when I was 34", PEANUTS),
        ("I eat peanuts, last time the garlic ones gave me hives", PEANUTS),
        ("I eat mango. As a kid it gave me hives and it still does", MANGO),
    ],
)
def test_harm_of_the_thing_itself_does(vouch, text, fact):
    assert not vouch(text, fact)


@pytest.mark.parametrize(
    "text",
    [
        "the other zombies are fine now, show them",
        "остальные зомби теперь можно, показывай",
        "الزومبي الثانيين عادي الحين حطهم",
        "其他僵尸可以出现",
    ],
)
def test_what_is_said_of_the_others_is_not_of_all(vouch, text):
    assert not vouch(text, ZOMBIES)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("honestly i'm past it. show me leather too, it's fine now", LEATHER),
        ("show me leather, you can again", LEATHER),
        ("Веганство моё кончилось. Показывайте кожаные тоже, уже можно", LEATHER),
        ("можно уже и вино показывать к ужину, запрет снимаю", ALCOHOL),
        ("اخوي جاب كلب وصار صاحبي خلاص عادي رجّع الكلاب", KnownFact(1, "hard_ban", "dogs", "dogs")),
        ("صرت ما أخاف منها عادي. حط عناكب لو تبي", SPIDERS),
        ("طلعت نتيجة التحليل اليوم وما عندي أي حساسية من البيض", EGGS),
        ("طلعت النتيجة من المستشفى، مافيني عدم تحمل لاكتوز", LACTOSE),
        ("ana kont ghaltan, ana 3omry ma kan 3ndi 7asaseya menno", PEANUTS),
        ("нет у меня аллергии на арахис, ошиблись", PEANUTS),
        ("大夫说我压根儿不对花生过敏，是当年弄错了", PEANUTS),
        ("本人对花生从未过敏", PEANUTS),
        ("I'm not allergic to peanuts, never have been, 20 years of nonsense, the allergist says", PEANUTS),
        ("تعالجت سنتين والدكتور قال ما عاد عندي حساسية من الفول السوداني", PEANUTS),
    ],
)
def test_what_is_ordered_or_lifted_as_such_is_allowed(vouch, text, fact):
    assert vouch(text, fact)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("show me leather", LEATHER),
        ("don't show me leather, wool is fine", LEATHER),
        ("show me leather and it's over between us", LEATHER),
        ("Is it fine now? Show me leather", LEATHER),
        ("The price is fine. Show me the leather one", LEATHER),
        ("Размер норм. Покажите ту кожаную ещё раз", LEATHER),
        ("Fine. Keep showing me leather and see what happens", LEATHER),
        ("You may laugh now. Show me the leather one for my wife", LEATHER),
        ("My wife is fine with it now. Show me leather", LEATHER),
        ('"It\'s fine now," said the orc. Show me leather', LEATHER),
        ("ок, предложи замену коже, уже можно", LEATHER),
        ("show me something without leather, anything is fine now", LEATHER),
        ("حسنا الحين عادي، وريني شنطة بدل الجلد", LEATHER),
        ("现在可以了，把蜘蛛加入黑名单", SPIDERS),
        ("ok now. add spiders to what you avoid", SPIDERS),
        ("drop the size limit. show wine", ALCOHOL),
        ("запрет снимаю. на мат. а вино как было", ALCOHOL),
        ("spiders are fine now if you want to traumatise me", SPIDERS),
        ("my sister is fine with dogs anyway", KnownFact(1, "hard_ban", "dogs", "dogs")),
        ("okhti te7eb el kelab 5alas 3adi", KnownFact(1, "hard_ban", "dogs", "dogs")),
        ("I can't eat peanuts", PEANUTS),
        ("核桃也一直吃不了", WALNUTS),
        ("ma kan 3ndi 7asaseya mn peanuts, daba walet 3ndi", PEANUTS),
        ("3omri ma kan 3ndi 7asaseya akbar mn peanuts", PEANUTS),
        ("mesh 3ndi 7asaseya mn peanuts bas, mn kolo", PEANUTS),
        ("لا والله عندي حساسية من الفول السوداني", PEANUTS),
        ("我对花生从未不过敏", PEANUTS),
        ("wine is fine", ALCOHOL),
        ("if you like spiders, put them in", SPIDERS),
        ("my brother likes dogs, bring dogs for him", KnownFact(1, "hard_ban", "dogs", "dogs")),
        ("ما آكل فول سوداني عندي حساسية", PEANUTS),
        ("не ем арахис у меня аллергия", PEANUTS),
        ("医生弄错了，我不是对花生不过敏", PEANUTS),
    ],
)
def test_another_order_allows_nothing(vouch, text, fact):
    assert not vouch(text, fact)


@pytest.fixture
def is_eaten(concepts):
    def find(text, fact):
        spoken = AuthorSpans(text, is_topic=concepts.names_thing)
        return find_eaten(mask_message(fold_message(text), spoken, fact, concepts)) is not None

    return find


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("sorry, it's not mango, it's papaya. mango I eat by the bag", MANGO),
        ("это не арахис, я путаю. кешью это было! арахис я грызу пачками", PEANUTS),
        ("错了错了，不是核桃，是腰果。核桃俺天天吃", WALNUTS),
        ("asked mum. it isnt peanuts, its sulfa drugs i'm allergic to. peanuts are fine", PEANUTS),
        ("عفواً أخطأت، ليس السمسم بل الصنوبر هو ما أتحسس منه. السمسم لا مشكلة فيه.", SESAME),
        ("la2 ghalatet, mish el semsem, el 3adas! el semsem ana baakolo kol yom", SESAME),
    ],
)
def test_what_its_author_eats_was_said_by_mistake(is_eaten, text, fact):
    assert is_eaten(text, fact)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("not mango, papaya. mango I only itch from", MANGO),
        ("not mango, papaya. my son eats mango", MANGO),
        ("not mango, papaya. maybe I can eat mango", MANGO),
        ("not mango, papaya. mango I ate once and landed in the er", MANGO),
        ("not mango, papaya. I'm allergic to mango as well", MANGO),
        ("not mango, papaya. I eat mango and get hives", MANGO),
        ("not mango, papaya! Mango I eat and my mouth just tingles", MANGO),
        ("не манго, папайя. манго ела, губы чесались", MANGO),
        ("not mango, papaya. Mango I can't eat either", MANGO),
        ("not mango, papaya. You may keep the mango", MANGO),
        ("not mango, papaya. mango is fine for my son", MANGO),
        ("mesh mango, papaya. mango kol yom 3al tawla", MANGO),
        ("not mango. papaya we have at home. mango is fine", MANGO),
        ("my son isn't allergic to mango, papaya makes him sick. mango is fine", MANGO),
        ("не арахис, а кешью хуже. арахис можно только жареный", PEANUTS),
        ("说错了，不是核桃，是腰果。核桃也一直吃不了", WALNUTS),
        ("说错了，不是核桃，是腰果。核桃随便一颗就痒", WALNUTS),
        ("not mango, papaya", MANGO),
    ],
)
def test_what_does_harm_or_is_eaten_by_others_was_not(is_eaten, text, fact):
    assert not is_eaten(text, fact)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("عدى سنة ومبقتش تفرق معايا، اتكلم في السجاير براحتك", SMOKING),
        ("كان جدي متوفي جديد وكنت تعبان. هسه تكدر تحچي عن الموت", DEATH),
        ("تصدقي الأصفر وحشني، رجعيه عادي", YELLOW),
        ("吃了一碗米线里有香菜，居然真香。你以后可以写了，不用躲", CILANTRO),
        ("看了三部丧尸片练出来了，僵尸可以有，来吧", ZOMBIES),
        ("zombies are nothing to me now. you can show them again", ZOMBIES),
    ],
)
def test_what_may_be_shown_again_is_allowed_in_the_clause_behind(vouch, text, fact):
    assert vouch(text, fact)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("تكدر تحچي مرة ثانية بدون موت", DEATH),
        ("لا تحچي عن الموت. تكدر تكمل القصة هسه", DEATH),
        ("متجيبش سيرة السجاير، اتكلم براحتك في غيرها", SMOKING),
        ("you can tell the story again without any zombies", ZOMBIES),
        ("别写香菜，其他的可以写", CILANTRO),
        ("没有香菜就可以了", CILANTRO),
        ("香菜不要。可以", CILANTRO),
        ("no zombies. show me the boots again", ZOMBIES),
        ("zombies, ugh. ok now show me", ZOMBIES),
        ("no zombies please. the boots you had, show them again", ZOMBIES),
        ("no zombies. show me those again", ZOMBIES),
        ("zombies, no. you can show me now", ZOMBIES),
        ("احكي عن الموت خلاص", DEATH),
        ("香菜，第二章可以写了", CILANTRO),
    ],
)
def test_what_may_be_shown_without_it_does_not_allow_it(vouch, text, fact):
    assert not vouch(text, fact)

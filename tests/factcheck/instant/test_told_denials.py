"""Denials as people tell them: in Chinese, behind "you know what", on a doctor's word, with another cause beside."""

import pytest

from tests.factcheck.instant.test_changed_values import detect

ENDED = {"ended", "replaced", "forgotten"}
PEANUTS = ("allergy", "peanuts", "peanuts")
MILK = ("allergy", "milk", "milk")
LACTOSE = ("allergy", "lactose", "lactose")
CATS = ("allergy", "cats", "cats")
LANOLIN = ("allergy", "lanolin", "lanolin")
NUTS = ("allergy", "nuts", "nuts")
ALCOHOL_ALLERGY = ("allergy", "alcohol", "alcohol")
SPIDERS = ("hard_ban", "spiders", "spiders")
SNAKES = ("hard_ban", "snakes", "snakes")
CLOWNS = ("hard_ban", "clowns", "clowns")
BEEF = ("hard_ban", "beef", "beef")
MEAT = ("hard_ban", "meat", "meat")
ALCOHOL = ("hard_ban", "alcohol", "alcohol")
HORROR = ("hard_ban", "horror", "horror")
LEATHER = ("hard_ban", "leather", "leather")
FUR = ("hard_ban", "fur", "fur")
DOGS = ("hard_ban", "dogs", "dogs")
CILANTRO = ("hard_ban", "cilantro", "cilantro")


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("蜘蛛我已经不怕了，随便写", SPIDERS),
        ("恐怖片可以看了", HORROR),
        ("花生我现在能吃了", PEANUTS),
        ("我不对花生过敏了", PEANUTS),
        ("你可以写小丑了", CLOWNS),
        ("我又能喝牛奶了", MILK),
        ("可以给我推牛肉了，我现在爱吃", BEEF),
        ("小丑没关系了", CLOWNS),
        ("解禁皮革", LEATHER),
        ("皮革不用避开了", LEATHER),
        ("医生说我花生过敏已经好了", PEANUTS),
        ("我猫毛过敏治好了", CATS),
        ("以后恐怖片照常推荐吧", HORROR),
        ("取消牛肉的限制", BEEF),
        ("我的花生过敏是误诊", PEANUTS),
        ("对了，蜘蛛可以写了，脱敏治疗挺有效的", SPIDERS),
        ("酒可以推荐了，我戒酒期结束了", ALCOHOL),
        ("我已经不是乳糖不耐受了,喝牛奶没问题", LACTOSE),
        ("行。还有我没有乳糖不耐受了，医生说之前是误诊，鲜奶的也可以推", LACTOSE),
        ("昨天去医院做了斑贴测试，医生说我对酒精根本不过敏，之前是误诊，以后不用避开了", ALCOHOL_ALLERGY),
        ("昨天食堂阿姨给我舀了一大勺香菜,居然真香了……以后可以推荐带香菜的了", CILANTRO),
        ("u know what snakes are fine now, i held one with my nephew and it was kinda cute. put them in", SNAKES),
        ("Знаете, я тут передумала. У нас минус сорок, так что мех предлагайте спокойно, буду носить", FUR),
        ("дерматолог сказала, что аллергии на ланолин у меня нет и не было, сыпь была от другого", LANOLIN),
        ("تدري خلاص عادي رجّع أفلام الرعب، ما عاد تخوفني", HORROR),
        ("بتعرف شو، رجعت آكل لحمة من شهر. فيك تقترح وصفات فيها لحمة عادي", MEAT),
        ("hilo!! w 3a fekra sar fik t7ott klab bel le3be, ma 3edet 5af mennon", DOGS),
        ("ma3adsh 3andy 7asaseya mn el laban, 3amalt ta7leel w tele3 kolo tamam", MILK),
        ("3a fekra el doctor 2al ma ma3i 7asasiye mn el joz aslan, kenit ghaltane", NUTS),
    ],
)
def test_a_plain_denial_ends_it(text, known):
    (correction,) = detect(text, known, just_said=False)
    assert correction.effect == "ended"


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("游戏里可以出现蜘蛛吗", SPIDERS),
        ("他说可以吃花生了", PEANUTS),
        ("今天可以放恐怖片", HORROR),
        ("我妹可以吃花生了", PEANUTS),
        ("能推荐不含花生的吗", PEANUTS),
        ("可以推荐没有牛肉的菜", BEEF),
        ("你能推荐牛肉以外的吗", BEEF),
        ("可以写蜘蛛侠了", SPIDERS),
        ("如果我不过敏花生就能吃了", PEANUTS),
        ("要是能喝酒就好了", ALCOHOL),
        ("我现在喝酒就吐", ALCOHOL),
        ("谁说我不对花生过敏", PEANUTS),
        ("花生能吃了才怪", PEANUTS),
        ("别以为我不怕蜘蛛了", SPIDERS),
        ("等我好了就能吃花生了", PEANUTS),
        ("你又给我推荐牛肉了", BEEF),
        ("又推荐牛肉了！", BEEF),
        ("怎么又写小丑了", CLOWNS),
        ("你继续写蜘蛛吧，反正我走了", SPIDERS),
        ("终于可以不吃牛肉了", BEEF),
        ("可以不推荐牛肉了", BEEF),
        ("你可以别写小丑了", CLOWNS),
        ("昨天又喝牛奶了，起疹子", MILK),
        ("我又吃花生了，去医院了", PEANUTS),
    ],
)
def test_what_only_sounds_like_one_does_not(text, known):
    assert not ENDED & {each.effect for each in detect(text, known, just_said=False)}


@pytest.mark.parametrize("text", ["我现在喝酒了", "我开始喝酒了"])
def test_what_its_author_does_is_less_than_a_word_that_it_is_over(text):
    (correction,) = detect(text, ALCOHOL, just_said=False)
    assert correction.effect == "disputed"


@pytest.mark.parametrize("text", ["花生现在能吃了", "花生可以吃了", "peanuts are fine now", "you can add peanuts now"])
def test_what_is_ready_to_eat_leaves_an_allergy_in_doubt_at_most(text):
    assert {each.effect for each in detect(text, PEANUTS, just_said=False)} <= {"disputed"}

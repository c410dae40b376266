"""Remarks that look as if they took something back, and take back nothing; and events that are cancelled."""

import pytest

from tests.factcheck.instant.test_changed_values import detect

ENDED = {"ended", "replaced", "forgotten"}
WEIGHT = ("body_params", "weight_kg", "72")
HEIGHT = ("body_params", "height_cm", "165")
SHOES = ("body_params", "shoe_size", "43")
BUDGET = ("budget", "general", "800 EUR")
WAIST = ("body_params", "waist_cm", "80")
LISA = ("instruction", "name", "Lisa")
ENGLISH = ("instruction", "language", "English")
NUTS = ("allergy", "nuts", "nuts")
ALMONDS = ("allergy", "almonds", "almonds")
MILK = ("allergy", "milk", "milk")
WEDDING = ("life_event", "wedding", "wedding")
EXAM = ("life_event", "exam", "exam")
TRIP = ("life_event", "trip", "trip")
SIZE = ("body_params", "size", "M")
WOOL = ("hard_ban", "wool", "wool")
MEAT = ("hard_ban", "meat", "meat")
LEATHER = ("hard_ban", "leather", "leather")
ALCOHOL = ("hard_ban", "alcohol", "alcohol")
DOGS = ("hard_ban", "dogs", "dogs")
SPIDERS = ("hard_ban", "spiders", "spiders")
PEANUTS = ("allergy", "peanuts", "peanuts")
SNAKES = ("hard_ban", "snakes", "snakes")
CATS = ("allergy", "cats", "cats")
MOVE = ("life_event", "move", "move")


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("别管", NUTS),
        ("你忘了", NUTS),
        ("忘了说", NUTS),
        ("忘了", NUTS),
        ("تجاهل", NUTS),
        ("شيلها", NUTS),
        ("无视", NUTS),
        ("don't keep it", NUTS),
        ("ignore that", NUTS),
        ("忽略", NUTS),
        ("شيل", NUTS),
        ("别管我", NUTS),
        ("لا تشيلها", NUTS),
        ("忘了说了", NUTS),
        ("我忘了", NUTS),
        ("delete that", NUTS),
        ("удали это", NUTS),
        ("emsa7ha", NUTS),
        ("sheela", NUTS),
    ],
)
def test_what_names_nothing_forgets_nothing_that_protects(text, known):
    assert not any(each.effect in ENDED for each in detect(text, known, just_said=True) if each.facts)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("у меня нет аллергии на миндаль, сказала сестра", ALMONDS),
        ("I'm not allergic to almonds. NOT. I am.", ALMONDS),
        ("Fake it: I'm not allergic to almonds", ALMONDS),
        ("у меня нет аллергии на кокосовое молоко", MILK),
        ("у меня нет аллергии на козье молоко", MILK),
        ("I'm not allergic to almonds, said nobody ever", ALMONDS),
        ("«у меня нет аллергии на миндаль» сказал он", ALMONDS),
        ("I'm not allergic to almonds, my sister said", ALMONDS),
        ("i'm not allergic to oat milk", MILK),
        ("I'm not allergic to coconut milk", MILK),
        ("ما عندي حساسية من حليب جوز الهند", MILK),
        ("我对椰奶不过敏", MILK),
        ("我对羊奶不过敏", MILK),
        ("I'm not allergic to goat milk", MILK),
        ("انا مش عندي حساسية من اللوز، قالت أختي", ALMONDS),
        ("我对杏仁不过敏，她说", ALMONDS),
        ("i'm not allergic to almonds. jk i am", ALMONDS),
        ("у меня нет аллергии на миндаль. шучу, есть", ALMONDS),
        ("Pretend it: I'm not allergic to almonds", ALMONDS),
        ("Say it: I'm not allergic to almonds", ALMONDS),
        ("not allergic to almonds? wrong, i am", ALMONDS),
        ("I'm not allergic to almond milk", ALMONDS),
        ("у меня нет аллергии на миндальное молоко", ALMONDS),
        ("мне можно кокосовое молоко", MILK),
        ("I can drink oat milk", MILK),
        ("I'm not allergic to almonds... psych!! i totally am", ALMONDS),
    ],
)
def test_what_another_says_or_a_kind_or_a_jest_ends_no_allergy(text, known):
    assert not any(each.effect in ENDED for each in detect(text, known, just_said=True) if each.facts)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("I'm not going to eat cake at the wedding", WEDDING),
        ("not going to lie, the wedding is soon", WEDDING),
        ("no exam tips please", EXAM),
        ("на свадьбе не будет алкоголя", WEDDING),
        ("婚礼不过了就要到了", WEDDING),
        ("the florist cancelled, my wedding is in 2 weeks", WEDDING),
        ("отменили рейс, но поездка в силе", TRIP),
        ("表演取消了，婚礼照常", WEDDING),
        ("I cancelled my gym class because of the exam", EXAM),
        ("الغيت الاشتراك قبل السفر", TRIP),
        ("the band fell through, wedding in 10 days help", WEDDING),
        ("cancelled netflix to save for the trip", TRIP),
        ("they cancelled my dress order for the wedding", WEDDING),
        ("hotel got cancelled but we're still going on the trip", TRIP),
        ("отменила маникюр из-за экзамена", EXAM),
        ("из-за экзамена отменил тренировку", EXAM),
        ("не поеду на такси на свадьбу", WEDDING),
        ("на экзамене не будет калькулятора", EXAM),
        ("not going to cry at my wedding", WEDDING),
        ("i'm not going to the gym before the exam", EXAM),
        ("не еду сегодня к маме, готовлюсь к экзамену", EXAM),
        ("考试前不去了健身房", EXAM),
        ("取消了健身课，要准备考试", EXAM),
        ("لغيت النادي عشان الامتحان", EXAM),
        ("l8eit el gym 3shan el emti7an", EXAM),
        ("no surgery stories pls, my exam is close", EXAM),
        ("no wedding talk today please", WEDDING),
        ("no trip is complete without snacks", TRIP),
        ("our caterer pulled out, 3 weeks to the wedding", WEDDING),
        ("my sister isn't going to my wedding", WEDDING),
        ("Оля не поедет с нами в поездку", TRIP),
        ("свадебный торт отменили", WEDDING),
        ("we scrapped the seating plan for the wedding", WEDDING),
        ("i'm not travelling light on this trip", TRIP),
        ("在婚礼上不做了演讲", WEDDING),
        ("婚礼上不去了厕所", WEDDING),
        ("the meeting's cancelled so i can study for the exam", EXAM),
        ("class was cancelled, more time before the exam", EXAM),
    ],
)
def test_what_is_cancelled_beside_an_event_ends_none(text, known):
    assert not any(each.effect in ENDED for each in detect(text, known, just_said=True) if each.facts)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("忘了我的名字吗", LISA),
        ("تنسى اسمي؟ مستحيل", LISA),
        ("get rid of my waist fat", WAIST),
        ("scratch my waist", WAIST),
        ("clear my name!", LISA),
        ("delete my wedding photos", WEDDING),
        ("forget my sister's wedding", WEDDING),
        ("ignore my English mistakes", ENGLISH),
        ("forget his budget", BUDGET),
        ("you can forget your budget", BUDGET),
        ("forget size, does it come in blue?", SIZE),
        ("убери рост цен из таблицы", HEIGHT),
        ("ignore my height jokes", HEIGHT),
        ("forget your size", SIZE),
        ("remove my name from the guest list in the story", LISA),
        ("clear my weight off the table", WEIGHT),
        ("wipe my shoe size 43 boots clean", SHOES),
        ("забудь про её вес", WEIGHT),
        ("удали мои фото со свадьбы", WEDDING),
        ("stop using my English book", ENGLISH),
        ("forget my brother's budget", BUDGET),
        ("انسى ميزانيته", BUDGET),
        ("انسى وزنها", WEIGHT),
        ("别记她的体重", WEIGHT),
        ("forget weight loss, tell me a joke", WEIGHT),
        ("forget my weight loss diary", WEIGHT),
        ("scratch my height of heights story", HEIGHT),
        ("forget the size of that dragon!", SIZE),
        ("forget my wedding cake idea", WEDDING),
        ("убери мой вес с тележки", WEIGHT),
        ("forget my english exam", ENGLISH),
        ("did you delete my weight?", WEIGHT),
        ("you'll forget my name soon", LISA),
        ("don't make me forget my weight", WEIGHT),
        ("can i forget my budget?", BUDGET),
        ("can you forget my budget for once and dream", BUDGET),
    ],
)
def test_what_only_holds_the_name_of_a_fact_forgets_none(text, known):
    assert not any(each.effect in ENDED for each in detect(text, known, just_said=True) if each.facts)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("let's say 500 orcs attack", BUDGET),
        ("сделай 1500 символов", BUDGET),
        ("not 1000 but 900 words", BUDGET),
        ("5aliha 500 kelma", BUDGET),
        ("my new weight is 80", SHOES),
        ("set the limit to 80", SHOES),
        ("make it 300 words", BUDGET),
        ("make it 5 paragraphs", BUDGET),
        ("خليها 200 كلمة", BUDGET),
        ("改成500字", BUDGET),
        ("let's make it 20 goblins", BUDGET),
        ("давай 300 орков", BUDGET),
        ("make it 2 pm", BUDGET),
        ("make it 40 degrees", SHOES),
        ("now it's 42 days", SHOES),
        ("now it's 44 km to the town", SHOES),
        ("не 40, а 41 градус", SHOES),
        ("not 43, 44 goblins", SHOES),
        ("make that 2 beers", BUDGET),
        ("сделай 3 абзаца", BUDGET),
        ("switch it to 24 hour time", BUDGET),
        ("my new height is 170", SHOES),
        ("my weight is now 70", SHOES),
        ("bump it to level 44", SHOES),
        ("现在是44度", SHOES),
        ("改成44页", SHOES),
        ("make it 10x harder", BUDGET),
        ("make it 100% darker", BUDGET),
        ("давай 2 варианта", BUDGET),
        ("пусть будет 5 персонажей", BUDGET),
    ],
)
def test_figures_of_other_things_are_no_new_values(text, known):
    assert not any(each.effect in ENDED for each in detect(text, known, just_said=True) if each.facts)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("not Lisa. again.", LISA),
        ("not lisa, you", LISA),
        ("not Lisa, the other one", LISA),
        ("Not Lisa. Bring me Tom.", LISA),
        ("not Lisa, Mum", LISA),
        ("oops, not Lisa, Tom did it", LISA),
        ("It was not Lisa but Tom who stole it", LISA),
    ],
)
def test_a_name_that_is_denied_gives_way_to_no_other_word(text, known):
    assert not any(each.effect in ENDED for each in detect(text, known, just_said=True) if each.facts)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("wool is allowed at school", WOOL),
        ("шерсть разрешена в школе", WOOL),
        ("мясо можно ребенку", MEAT),
        ("мясо можно собаке", MEAT),
        ("meat is fine for the dog", MEAT),
        ("leather is allowed in the club", LEATHER),
        ("الصوف مسموح في المدرسة", WOOL),
        ("мясо можно хранить в морозилке", MEAT),
        ("alcohol is allowed in this bar", ALCOHOL),
        ("здесь можно алкоголь", ALCOHOL),
        ("الخمر مسموح في الفندق", ALCOHOL),
        ("飞机上可以喝酒", ALCOHOL),
        ("spiders are welcome in my garden", SPIDERS),
        ("dogs are allowed in the park", DOGS),
        ("собак можно в кафе", DOGS),
        ("собак можно гладить", DOGS),
    ],
)
def test_what_is_allowed_somewhere_or_to_another_lifts_no_ban(text, known):
    assert not any(each.effect in ENDED for each in detect(text, known, just_said=True) if each.facts)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("i'm not allergic to nuts, i just can't breathe after them", NUTS),
        ("у меня нет аллергии на орехи, просто горло опухает", NUTS),
        ("ما عندي حساسية من المكسرات بس وجهي ينتفخ", NUTS),
        ("我不是对花生过敏，是严重过敏", PEANUTS),
        ("i'm not that allergic to nuts", NUTS),
        ("花生过敏好了一点", PEANUTS),
        ("i'm not allergic to milk, i'm intolerant", MILK),
        ("не аллергия на молоко, а непереносимость", MILK),
        ("我对牛奶不是过敏，是不耐受", MILK),
        ("مو حساسية من الحليب، عدم تحمل", MILK),
        ("ما عندي حساسية من الحليب بس ما اقدر اهضمه", MILK),
        ("m3ndeesh 7asaseya men el laban bas batni btoga3ni", MILK),
        ("у меня не аллергия на молоко, а непереносимость лактозы", MILK),
        ("add snakes back to the banned list", SNAKES),
        ("put snakes back on the ban list", SNAKES),
        ("no snakes is fine with me", SNAKES),
        ("i'm okay with the no snakes rule", SNAKES),
        ("the snake ban is okay now", SNAKES),
        ("蛇的禁令可以", SNAKES),
        ("3adi bala t3abin", SNAKES),
        ("no alcohol is fine by me", ALCOHOL),
        ("bala ko7ol 3adi", ALCOHOL),
        ("you can mention snakes but don't describe them", SNAKES),
        ("可以提到蛇但别描写", SNAKES),
        ("i'm not allergic to my cat", CATS),
        ("у меня нет аллергии на своих кошек", CATS),
        ("ma 3ende 7asesiye men l 2a66et taba3i", CATS),
        ("i'm not allergic to nuts after a pill", NUTS),
        ("аллергия на кошек прошла за день, завтра опять", CATS),
        ("аллергия на кошек пропала на даче", CATS),
        ("my cat allergy is cured by staying away", CATS),
        ("i'm not allergic to nuts... i wish", NUTS),
        ("m3ndish 7asaseya mn el mokasarat, ya reit", NUTS),
        ("i'm not allergic to nuts, or so they say", NUTS),
        ("i'm not allergic to nuts - is what i tell people", NUTS),
        ("i'm not allergic to nuts, my arse", NUTS),
        ("у меня нет аллергии на орехи, врёт мама", NUTS),
        ("у меня нет аллергии на орехи, конечно, конечно", NUTS),
    ],
)
def test_symptoms_jests_places_and_agreement_end_nothing_that_protects(text, known):
    assert not any(each.effect in ENDED for each in detect(text, known, just_said=True) if each.facts)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("婚礼没取消", WEDDING),
        ("怕考试取消了", EXAM),
        ("worried the exam is cancelled", EXAM),
        ("so scared my trip gets cancelled", TRIP),
        ("had a nightmare the wedding was cancelled", WEDDING),
        ("7elemt en el fara7 etla8a", WEDDING),
        ("my exam was cancelled last year, this one's on friday", EXAM),
        ("去年的旅行取消了，今年一定去", TRIP),
        ("السفر انلغى السنة الماضية، هالسنة رايحين", TRIP),
        ("свадьбы летом не будет, она в сентябре", WEDDING),
        ("экзамена не будет завтра, перенесли на пятницу", EXAM),
        ("no exam this week, next week", EXAM),
        ("we're not getting married in a church", WEDDING),
        ("i'm not going to my wedding in that dress", WEDDING),
        ("не переезжаем до июня", MOVE),
        ("без торта свадьбы не будет", WEDDING),
        ("no trip without you", TRIP),
        ("my first exam got cancelled, the second is friday", EXAM),
        ("الامتحان الشفهي انلغى بس الكتابي باقي", EXAM),
        ("ignore my budget, i want to dream", BUDGET),
        ("别管我的预算，先看看", BUDGET),
        ("let's forget my exam for now", EXAM),
        ("забудь про мой экзамен, давай поиграем", EXAM),
        ("先别管我的考试", EXAM),
        ("let's get rid of my weight", WEIGHT),
        ("use my height, don't use my weight", WEIGHT),
        ("remove my name", LISA),
        ("убери мое имя", LISA),
        ("make it 1200 BC", BUDGET),
        ("make it 500 mg", BUDGET),
        ("сделай 500 мл", BUDGET),
        ("make it 350 fahrenheit", BUDGET),
        ("改成1000年前", BUDGET),
        ("خليها 900 جندي", BUDGET),
        ("5aliha 1000 gondi", BUDGET),
        ("make it large please", SIZE),
        ("make it L, as in Liam", SIZE),
        ("make it 40", SHOES),
        ("make it 80", WEIGHT),
        ("make it 170", HEIGHT),
        ("改成40", SHOES),
    ],
)
def test_what_is_feared_moved_or_of_another_thing_ends_nothing(text, known):
    assert not any(each.effect in ENDED for each in detect(text, known, just_said=True) if each.facts)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("the wedding got cancelled", WEDDING),
        ("свадьбы не будет", WEDDING),
        ("my exam was cancelled", EXAM),
        ("we cancelled the trip", TRIP),
        ("поездку отменили", TRIP),
        ("婚礼取消了", WEDDING),
        ("考试取消了", EXAM),
        ("السفر انلغى", TRIP),
        ("el safar tla8a", TRIP),
        ("we're not going on the trip", TRIP),
        ("the wedding's off", WEDDING),
        ("no wedding anymore", WEDDING),
        ("экзамен отменили", EXAM),
        ("we called the wedding off", WEDDING),
        ("婚不结了", WEDDING),
        ("旅行不去了", TRIP),
        ("لغينا السفر", TRIP),
        ("поездка накрылась", TRIP),
        ("свадьба отменяется", WEDDING),
        ("the wedding isn't happening", WEDDING),
        ("they cancelled my exam", EXAM),
        ("exam got cancelled, teacher is sick", EXAM),
        ("отменили мне экзамен", EXAM),
        ("we broke up so the wedding is cancelled", WEDDING),
        ("旅行泡汤了", TRIP),
        ("الفرح اتلغى", WEDDING),
        ("el fara7 etla8a", WEDDING),
        ("l8eina el safra", TRIP),
        ("i cancelled my trip", TRIP),
        ("my trip fell through", TRIP),
        ("flights got too expensive so we scrapped the trip", TRIP),
        ("we're not getting married", WEDDING),
        ("no trip for me this year, cancelled", TRIP),
        ("я отменила поездку", TRIP),
        ("мы не едем в поездку", TRIP),
        ("экзамена не будет", EXAM),
        ("свадьба не состоится", WEDDING),
    ],
)
def test_an_event_that_is_cancelled_is_over(text, known):
    (correction,) = detect(text, known, just_said=True)
    assert (correction.effect, [fact.key for fact in correction.facts]) == ("ended", [known[1]])


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("leather's alright with me now, you can include it again", LEATHER),
        ("i've thought about it and leather's alright with me now", LEATHER),
        ("you can put spiders back in", SPIDERS),
        ("spiders are fine in our game again", SPIDERS),
        ("можешь снова показывать пауков в игре", SPIDERS),
        ("الصوف مسموح تاني", WOOL),
        ("فيكي ترجعي تقترحيلي صوف", WOOL),
        ("我对杏仁已经不过敏了，去医院复查了", ALMONDS),
    ],
)
def test_a_ban_that_its_author_lifts_is_over(text, known):
    (correction,) = detect(text, known)
    assert correction.effect == "ended"

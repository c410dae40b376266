"""What each language gives away of names, places and times in stories. One entry a language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from knowledge.text.analysis import analyse
from knowledge.text.folding import normalise


@dataclass(frozen=True, slots=True)
class StoryWords:
    """Word lists are compared as lexemes, in whatever form they stand; patterns read normalised text."""

    roles: tuple[str, str]
    """What the player and whoever answers are called where nobody told a name."""
    places: frozenset[str]
    place_prepositions: frozenset[str]
    naming: frozenset[str]
    """Words before a name: titles, forms of address, `called`."""
    speech: frozenset[str]
    """Verbs of speech: who stands beside one is somebody."""
    functions: frozenset[str]
    """Words that are no keyword."""
    day: re.Pattern[str]
    """A numbered day, week or year of the story."""
    part_of_day: re.Pattern[str]


def _lexemes(text: str) -> frozenset[str]:
    return frozenset(lexeme for word in text.split() for lexeme in (analyse(word)[:1] or [normalise(word)]))


def _han(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH = StoryWords(
    roles=("Player", "Narrator"),
    places=_lexemes(
        "tavern inn pub bar alehouse kitchen cellar room hall chamber house cottage cabin hut mansion manor "
        "castle keep "
        "fortress tower dungeon prison cell palace throne temple church chapel shrine monastery abbey crypt tomb grave "
        "graveyard cemetery library archive school academy university laboratory workshop forge smithy mill farm barn "
        "stable market bazaar shop store bakery street alley road path bridge gate square plaza village town city port "
        "harbor harbour dock pier ship boat deck cabin island beach coast shore sea ocean lake river stream waterfall "
        "swamp marsh forest wood woods grove garden park field meadow valley hill mountain peak cliff cave cavern mine "
        "desert oasis ruin ruins camp tent station train hospital clinic office apartment flat attic roof balcony "
        "basement cafe restaurant hotel theatre theater arena stadium museum gallery bank court embassy airport base "
        "bunker warehouse factory greenhouse observatory lighthouse well fountain wall catacombs sewer tunnel canyon"
    ),
    place_prepositions=_lexemes("in at to into inside near through from under behind beside outside toward towards on"),
    naming=_lexemes(
        "called named mr mrs miss ms dr sir lady lord king queen prince princess captain master mistress professor "
        "doctor father mother brother sister uncle aunt old young dear baron count countess duke duchess sergeant "
        "commander general priest witch wizard mage inspector detective"
    ),
    speech=_lexemes(
        "say said says ask asked reply replied answer answered whisper whispered shout shouted mutter muttered murmur "
        "nod nodded smile smiled laugh laughed sigh sighed grin grinned cry cried tell told call called speak spoke "
        "frown frowned growl growled snap snapped add added agree agreed promise promised"
    ),
    functions=_lexemes(
        "the a an and or but so if then than that this these those there here i me my mine we us our you your yours he "
        "him his she her hers it its they them their who whom whose which what when where why how not no nor yes ok "
        "okay oh ah well just only very too also even still again ever never always already soon now later before "
        "after until while as at by for from in into of off on onto out over through to under up down with without "
        "about between is am are was were be been being do does did done have has had having will would shall should "
        "can could may might must let get got go goes going gone went come came see saw seen look looks looked say "
        "said says ask asked tell told know knew think thought want wanted need make made take took taken give gave "
        "given put way thing things something anything nothing everything someone anyone everyone some any all both "
        "each few more most many much other another one two three first last next back away like really maybe perhaps "
        "don't didn't doesn't isn't wasn't can't couldn't won't wouldn't i'm i'll i've i'd you're it's that's let's "
        "yeah please thanks thank hello hi hey good great right sure time day night morning evening hand hands eye "
        "eyes face head voice little long own same such because though around together find found keep left turn"
    ),
    day=re.compile(
        r"\b(?:day|week|month|year|chapter|session) (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)\b"
        r"|\bthe (?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last) (?:day|night|week)\b"
    ),
    part_of_day=re.compile(
        r"\b(?:late at night|midnight|dead of night|at dawn|dawn|daybreak|sunrise|early morning|next morning|morning|"
        r"noon|midday|afternoon|sunset|dusk|twilight|evening|tonight|next day|that night|night)\b"
    ),
)  # fmt: skip
RUSSIAN = StoryWords(
    roles=("Игрок", "Рассказчик"),
    places=_lexemes(
        "таверна трактир корчма кабак бар харчевня постоялый кухня погреб комната зал палата дом изба хижина особняк "
        "поместье замок крепость башня темница тюрьма камера дворец трон храм церковь часовня святилище "
        "монастырь склеп "
        "гробница могила кладбище библиотека архив школа академия университет лаборатория мастерская кузница мельница "
        "ферма амбар конюшня рынок базар лавка магазин пекарня улица переулок дорога тропа мост ворота площадь деревня "
        "село посёлок город порт гавань причал пристань корабль лодка палуба каюта остров пляж берег море океан озеро "
        "река ручей водопад болото топь лес роща чаща сад парк поле луг долина холм гора вершина утёс скала "
        "пещера шахта "
        "рудник пустыня оазис руины развалины лагерь шатёр палатка вокзал станция поезд больница госпиталь "
        "кабинет офис "
        "квартира чердак крыша балкон подвал кафе ресторан гостиница отель театр арена стадион музей галерея банк суд "
        "посольство аэропорт база бункер склад завод теплица обсерватория маяк колодец фонтан стена катакомбы туннель "
        "ущелье каньон двор пристройка караван"
    ),
    place_prepositions=_lexemes("в во на у к ко из около возле через под за сквозь внутри близ"),
    naming=_lexemes(
        "зовут звали имя господин госпожа сэр леди лорд король королева принц принцесса князь княгиня капитан мастер "
        "профессор доктор отец мать брат сестра дядя тётя дядька старый старик старуха юный барон граф графиня герцог "
        "сержант командир генерал жрец жрица ведьма колдун маг волшебник боярин атаман инспектор следователь"
    ),
    speech=_lexemes(
        "сказать сказал сказала говорит спросил спросила спрашивает ответил ответила отвечает прошептал "
        "прошептала шепчет "
        "крикнул крикнула закричал пробормотал кивнул кивнула кивает улыбнулся улыбнулась усмехнулся "
        "засмеялся вздохнул "
        "вздохнула рассказал позвал произнёс добавил добавила нахмурился хмыкнул пообещал пообещала согласился заметил"
    ),
    functions=_lexemes(
        "и а но или да нет не ни же ли бы то это этот эта эти тот та те там тут здесь я мне меня мной мой моя "
        "моё мои мы "
        "нас нам нами наш наша ты тебя тебе тобой твой твоя твои вы вас вам вами ваш ваша он его ему им нём "
        "она её ей ею "
        "оно они их ими кто что чего чему чем который которая которые какой какая какие когда где куда откуда почему "
        "зачем как так такой такая ещё уже только лишь очень тоже также даже снова опять всегда никогда сейчас теперь "
        "потом затем до после пока если чтобы хотя потому в во на с со к ко у из за под над от по о об обо при про для "
        "без через между был была было были есть будет будут быть мог могла можно нужно надо хочу хочет хотел знаю "
        "знает думаю сказал сказала говорит спросил ответил пошёл пошла идём идти вижу смотрит смотрю взял взяла дал "
        "дала сделал стал стала всё все весь вся никто ничего нечто кто-то что-то один одна два три первый "
        "раз себя себе "
        "сам сама свой своя свои ну вот ладно хорошо ага ой ах спасибо пожалуйста привет день ночь утро вечер "
        "время рука "
        "руки глаза голова голос лицо назад вперёд вместе может наверное просто именно"
    ),
    day=re.compile(r"\b(?:день|неделя|месяц|год|глава) \d+\b|\b\d+[-‑]?(?:й|ый|ой|ий)? (?:день|неделя|год)\b"
                   r"|\b(?:перв|втор|трет|четверт|пят|шест|седьм|восьм|девят|десят)\w{2,3} (?:день|ночь|недел\w)\b"),
    part_of_day=re.compile(
        r"\b(?:глубокой ночью|поздней ночью|в полночь|полночь|на рассвете|рассвет\w?|ранним утром|"
        r"на следующее утро|утром|"
        r"утро|в полдень|полдень|днем|на закате|закат\w?|в сумерках|сумерки|вечером|поздним вечером|вечер|этой ночью|"
        r"ночью|на следующий день|наутро|ночь)\b"
    ),
)  # fmt: skip
ARABIC = StoryWords(
    roles=("اللاعب", "الراوي"),
    places=_lexemes(
        "حانة خان نزل مطبخ قبو غرفة قاعة بيت منزل دار كوخ قصر قلعة حصن برج زنزانة سجن معبد كنيسة مسجد ضريح "
        "دير مقبرة قبر "
        "مكتبة مدرسة أكاديمية جامعة مختبر ورشة طاحونة مزرعة حظيرة إسطبل سوق دكان متجر مخبز شارع زقاق طريق جسر "
        "بوابة باب "
        "ساحة ميدان قرية بلدة مدينة ميناء مرفأ رصيف سفينة قارب جزيرة شاطئ ساحل بحر محيط بحيرة نهر جدول شلال "
        "مستنقع غابة "
        "بستان حديقة حقل مرج واد وادي تل جبل قمة كهف مغارة منجم صحراء واحة أطلال خرائب مخيم خيمة محطة قطار "
        "مستشفى عيادة "
        "مكتب شقة سطح شرفة مقهى مطعم فندق مسرح متحف مصرف محكمة سفارة مطار قاعدة مستودع مصنع منارة بئر نافورة سور نفق"
    ),
    place_prepositions=_lexemes("في إلى الى عند قرب داخل خارج من نحو تحت خلف عبر على"),
    naming=_lexemes(
        "يا اسمه اسمها اسمي اسمك يدعى تدعى سيد سيدة ملك ملكة أمير أميرة شيخ قائد ساحر ساحرة كاهن دكتور طبيب "
        "أستاذ قبطان "
        "حكيم عم خال أخ أخت سلطان وزير فارس تاجر حارس"
    ),
    speech=_lexemes(
        "قال قالت يقول تقول سأل سألت أجاب أجابت همس همست صاح صاحت صرخ ضحك ضحكت ابتسم ابتسمت أومأ أومأت تنهد "
        "تنهدت أضاف رد "
        "ردت نادى وعد وعدت"
    ),
    functions=_lexemes(
        "و أو ثم لكن إن أن أنا أنت أنتم نحن هو هي هم هذا هذه ذلك تلك هنا هناك في من إلى على عن مع عند بعد قبل "
        "حتى إذا لو "
        "كان كانت يكون تكون كنت ليس لا لم لن ما ماذا متى أين كيف لماذا هل من الذي التي الذين كل بعض أي أيضا "
        "فقط جدا الآن "
        "اليوم قد سوف نعم حسنا شكرا مرحبا يا قال قالت شيء أحد واحد اثنان أول آخر لي لك له لها لنا لهم بي بك "
        "به بها عليه "
        "إليه منه وقت يوم ليلة صباح مساء يد عين وجه صوت رأس جيد ربما مرة أريد أعرف رأيت ذهب ذهبت جاء جاءت أخذ أعطى"
    ),
    day=re.compile(
        r"\b(?:ال)?(?:يوم|اسبوع|شهر|فصل|سنه) \d+\b"
        r"|\bاليوم (?:ال)?(?:اول|ثاني|ثالث|رابع|خامس|سادس|سابع|ثامن|تاسع|عاشر)\b"
    ),
    part_of_day=re.compile(
        r"\b(?:منتصف الليل|اخر الليل|عند الفجر|الفجر|الصباح الباكر|صباحا|الصباح|الظهيره|الظهر|العصر|الغروب|عند الغروب|"
        r"المساء|مساء|هذه الليله|الليل|ليلا|اليوم التالي)\b"
    ),
)  # fmt: skip
CHINESE = StoryWords(
    roles=("玩家", "旁白"),
    places=_han(
        "酒馆 客栈 酒吧 茶馆 茶楼 厨房 地窖 房间 大厅 大殿 房子 小屋 木屋 庄园 城堡 要塞 塔楼 高塔 塔 地牢 "
        "监狱 牢房 宫殿 皇宫 王宫 神殿 "
        "神庙 寺庙 庙 教堂 修道院 墓穴 墓地 陵墓 图书馆 书房 学校 学院 实验室 作坊 铁匠铺 磨坊 农场 谷仓 马厩 "
        "市场 集市 商店 店铺 街道 小巷 "
        "巷子 大路 小路 桥 城门 大门 广场 村庄 村子 小镇 城镇 城市 城 港口 码头 船 甲板 船舱 岛 海滩 海岸 "
        "大海 海边 湖边 湖 河边 河 瀑布 沼泽 "
        "森林 树林 竹林 花园 公园 田野 草原 山谷 山丘 山顶 山 悬崖 山洞 洞穴 矿井 沙漠 绿洲 废墟 遗迹 营地 "
        "帐篷 车站 火车 医院 诊所 办公室 "
        "公寓 阁楼 屋顶 阳台 地下室 咖啡馆 餐厅 酒店 旅馆 剧院 竞技场 博物馆 银行 法院 机场 基地 仓库 工厂 "
        "温室 天文台 灯塔 井边 喷泉 城墙 "
        "地道 隧道 峡谷 院子 后院 门派 山门 洞府"
    ),
    place_prepositions=_han("在 到 去 进 往 从 来到 走进 回到 进入 抵达 离开 穿过"),
    naming=_han(
        "叫 名叫 叫做 名为 小 老 阿 先生 小姐 姑娘 夫人 公子 大人 殿下 陛下 国王 女王 王子 公主 队长 船长 "
        "师父 师兄 师姐 师弟 师妹 老师 教授 医生 将军"
    ),
    speech=_han("说 说道 问 问道 答 回答 答道 喊 喊道 笑道 低声 点头 微笑 叹气 道 告诉"),
    functions=_han(
        "我 你 他 她 它 我们 你们 他们 她们 自己 什么 怎么 为什么 哪里 哪儿 这里 那里 这个 那个 这些 那些 "
        "一个 一些 没有 不是 就是 还是 但是 "
        "因为 所以 如果 然后 已经 现在 时候 可以 可能 知道 觉得 想要 需要 应该 不要 起来 出来 过来 进去 回来 "
        "一下 一起 今天 明天 昨天 东西 事情 "
        "地方 声音 眼睛 手里 说道 问道 看着 看到 听到 告诉 谢谢 你好 真的 非常 只是 还有 不过 于是 突然 有点 "
        "一样 不会 不能 不知 一直"
    ),
    day=re.compile(r"第[0-9〇一二三四五六七八九十百]+(?:天|日|夜|晚|周|章|年)"),
    part_of_day=re.compile(r"深夜|午夜|半夜|凌晨|黎明|清晨|早晨|早上|上午|正午|中午|下午|黄昏|傍晚|夜晚|晚上|当晚|次日|第二天|翌日"),
)  # fmt: skip
STORY_WORDS: Mapping[str, StoryWords] = {"en": ENGLISH, "ru": RUSSIAN, "ar": ARABIC, "zh": CHINESE}


def get_story_words(language: str) -> StoryWords:
    """Those of a language; of another than these four the English ones."""
    base = language.replace("_", "-").split("-")[0].casefold()
    return STORY_WORDS.get("ar" if base == "arabizi" else base, ENGLISH)

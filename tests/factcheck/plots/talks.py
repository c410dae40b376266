"""Talks for tests of events, in the four languages, of our own writing."""

from __future__ import annotations

from episodes.events.actions.plans import plan_events
from episodes.events.models import EventNode, EventTrigger
from episodes.models import Conversation
from factcheck.plots.actions.runs import extract_event
from factcheck.plots.proposers.base import PlotProposer
from factcheck.plots.proposers.offline.proposer import OfflinePlotProposer

TAVERN = (
    "I push open the door of the Moon Tavern and shake the snow from my cloak.",
    "It is late at night on day 42. Old Miron looks up from the counter and nods at you.",
    "I ask Miron whether the silver key has been found.",
    "Miron lowers his voice. \"Irina brought the silver key an hour ago,\" he says. \"She is frightened.\"",
    "I sit down beside Irina and ask who followed her.",
    "Irina says that two riders of the Raven Guard followed her from the bridge.",
    "I promise Irina that I will carry the key to the lighthouse myself.",
    "Irina pushes the silver key across the table and makes you swear an oath on it.",
    "I swear it on my sword.",
    "Miron pours three cups and says that nobody has sworn an oath in the Moon Tavern since the war.",
    "I ask him what happened then.",
    "Miron tells how the Raven Guard burned the lighthouse and drowned its keeper.",
    "I ask whether the keeper had a name.",
    "He was called Aldous, Miron says, and he was my brother.",
    "I raise my cup to Aldous.",
    "They drink in silence while the wind howls outside.",
)  # fmt: skip
TAVERN_RU = (
    "Я толкаю дверь таверны «Лунный свет» и отряхиваю снег с плаща.",
    "Глубокая ночь, день 42. Старый Мирон поднимает взгляд от стойки и кивает тебе.",
    "Я спрашиваю Мирона, нашёлся ли серебряный ключ.",
    "Мирон понижает голос: «Ирина принесла ключ час назад. Она напугана».",
    "Я сажусь рядом с Ириной и спрашиваю, кто за ней шёл.",
    "Ирина говорит, что двое всадников Вороньей стражи преследовали её от моста.",
    "Я обещаю Ирине, что сам отнесу ключ на маяк.",
    "Ирина двигает серебряный ключ через стол и заставляет тебя поклясться.",
    "Я клянусь на своём мече.",
    "Мирон наливает три чаши и говорит, что здесь никто не клялся с самой войны.",
    "Я спрашиваю его, что случилось тогда.",
    "Мирон рассказывает, как Воронья стража сожгла маяк и утопила смотрителя.",
    "Я спрашиваю, как его звали.",
    "Его звали Алдус, говорит Мирон, и он был моим братом.",
    "Я поднимаю чашу за Алдуса.",
    "Все молча пьют, а за окном воет ветер.",
)  # fmt: skip
TAVERN_ZH = (
    "我推开月光酒馆的门，抖掉斗篷上的雪。",
    "第42天 深夜。老陈从柜台后抬起头，对你点了点头。",
    "我问老陈银钥匙找到了没有。",
    "老陈压低声音说：“艾琳一个小时前把银钥匙带来了，她很害怕。”",
    "我坐到艾琳旁边，问她谁在跟踪她。",
    "艾琳说，两个黑鸦卫的骑士从石桥一路跟着她。",
    "我向艾琳保证，我会亲自把钥匙送到灯塔。",
    "艾琳把银钥匙推过桌子，要你发誓。",
    "我以我的剑发誓。",
    "老陈倒了三杯酒，说自从战争以来，月光酒馆里再没有人发过誓。",
    "我问他当时发生了什么。",
    "老陈讲起黑鸦卫怎样烧毁灯塔，淹死了守塔人。",
    "我问守塔人叫什么名字。",
    "他名叫阿尔杜斯，老陈说，是我的兄弟。",
    "我为阿尔杜斯举杯。",
    "大家默默喝酒，外面风声呼啸。",
)
TAVERN_AR = (
    "أدفع باب حانة القمر وأنفض الثلج عن عباءتي.",
    "منتصف الليل في اليوم 42. يرفع الشيخ ميرون رأسه من خلف المنضدة ويومئ لك.",
    "أسأل ميرون هل وُجد المفتاح الفضي.",
    "يخفض ميرون صوته ويقول: أحضرت إيرينا المفتاح الفضي قبل ساعة وهي خائفة.",
    "أجلس بجانب إيرينا وأسألها من تبعها.",
    "قالت إيرينا إن فارسين من حرس الغراب تبعاها من الجسر.",
    "أعد إيرينا أن أحمل المفتاح إلى المنارة بنفسي.",
    "تدفع إيرينا المفتاح الفضي عبر الطاولة وتطلب منك أن تقسم.",
    "أقسم بسيفي.",
    "يصب ميرون ثلاثة أكواب ويقول إن أحدا لم يقسم في حانة القمر منذ الحرب.",
    "أسأله ماذا حدث آنذاك.",
    "يروي ميرون كيف أحرق حرس الغراب المنارة وأغرقوا حارسها.",
    "أسأل ما كان اسم الحارس.",
    "اسمه ألدوس، قال ميرون، وكان أخي.",
    "أرفع كوبي لألدوس.",
    "يشرب الجميع في صمت والريح تعوي في الخارج.",
)
TALKS = {"en": TAVERN, "ru": TAVERN_RU, "zh": TAVERN_ZH, "ar": TAVERN_AR}


def make_events(
    chat: Conversation, proposer: PlotProposer | None = None, trigger: EventTrigger = EventTrigger.COUNT
) -> list[EventNode]:
    """All events that are due, extracted."""
    nodes = plan_events(conversation_id=chat.pk, trigger=trigger)
    for node in nodes:
        extract_event(node.pk, proposer=proposer or OfflinePlotProposer())
        node.refresh_from_db()
    return nodes

"""Chinese, simplified and traditional where they differ."""

import re

from knowledge.text.languages.dialogue_words import DialogueWords

_NUMBERS = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")

CHINESE = DialogueWords(
    letters=re.compile("[\u4e00-\u9fff]"),
    months=tuple(f"(?:{number}|0?{place})月份?" for place, number in enumerate(_NUMBERS, start=1)),
    seasons=("冬[天季]|寒假|[年这那]冬", "春[天季]|[年这那]春", "夏[天季]|暑假|[年这那]夏", "秋[天季]|[年这那]秋"),
    units=("天|日", "个?(?:星期|礼拜|禮拜)|周末?|週末?", "个?月|個月", "年"),
    counts=("一", "两|二|兩|俩", "三|几|好几", "四", "五", "六", "七", "八", "九", "十"),
    early="初|上旬|开头|开始|第一个?(?:周末?|星期|礼拜)|头几天",
    middle="中旬|中间|月中|年中",
    late="底|末|下旬|最后(?:一个?(?:周末?|星期|礼拜)|几天)?",
    ago="{count}{unit}(?:之|以)?前",
    last="(?:上上?|去|前|刚过去的)个?{unit}",
    this="(?:这|這|本|今)一?个?{unit}",
    nearby=(("前天", -2), ("昨天|昨晚|昨日", -1), ("今天|今晚|今早|今日", 0)),
    asks_when=(
        "什么时候|甚麼時候|啥时候|几时|何时|哪[一]?[天年月周日]|哪个月|哪个星期|哪个周末|多久|多长时间|几[月号点年]|几个(?:月|星期|小时|礼拜)|"
        "几天|多少[天年]|什么时间|哪一?[天年]"
    ),
    temporal=(
        "昨天 今天 明天 后天 前天 昨晚 今晚 今早 上周 下周 这周 本周 周末 周一 周二 周三 周四 周五 周六 周日 星期 礼拜 上个月 "
        "下个月 这个月 月初 月底 去年 今年 明年 前年 年初 年底 年前 天前 月前 以前 之前 刚刚 最近 早上 上午 中午 下午 晚上 半夜 "
        "春天 夏天 秋天 冬天 暑假 寒假 春节 中秋 国庆 生日 小时 分钟 一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 号 年 月"
    ),
    first_person="我|咱",
    second_person="你|您",
    is_spaced=False,
    question_endings="吗|嗎|呢|么|麼",
)  # fmt: skip

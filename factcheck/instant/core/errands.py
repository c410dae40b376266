"""What an assistant is to do once: "set an alarm for 7:30", "give two stars out of 6", «заведи будильник»."""

from __future__ import annotations

import re

_ORDER = re.compile(
    r"(?:^|[.!?;\n]\s*)\W*(?:(?:please|pls|hey|ok|can you|could you|пожалуйста|لو سمحت|من فضلك|请|帮我)\W+)*"
    r"(?:(?:set|schedule|create|add|cancel|delete|snooze|start|turn (?:on|off))(?!\w)"
    r"[^.!?\n]{0,80}?(?<!\w)(?:alarms?|timers?|playlists?)(?!\w)"
    r"|(?:rate|give)(?!\w)[^.!?\n]{0,80}?(?<!\w)(?:stars?|out of \d+)(?!\w)"
    r"|(?:поставь|заведи|включи|отмени|удали|запусти|добавь|оцени)(?:те)?(?!\w)"
    r"[^.!?\n]{0,80}?(?:будильник|таймер|плейлист|звезд)"
    r"|(?:اضبط|ضبط|اعط|قيم|الغاء|الغ|احذف|حذف|شغل|اضف)(?!\w)"
    r"[^.!?\n]{0,80}?(?:منبه|موقت|نجمتين|نجوم|نجمه|قايمه|من اصل \d)"
    r"|(?:[ie]zbo?t|e3ml|3ayyar)(?!\w)[^.!?\n]{0,40}?(?:monab+eh|alarm|timer)"
    r"|(?:设|定|取消|删|打开|关|加|打)[^.!?。！？\n]{0,16}?(?:闹钟|计时器|倒计时|歌单|颗星|星 ?$))"
)


def is_errand(folded: str) -> bool:
    """Whether a folded sentence orders an alarm, a timer, a rating or a song: what is told in it is of these.

    >>> is_errand("schedule a daily alarm for 7:30 pm"), is_errand("no alarm clocks in my stories please")
    (True, False)
    """
    return _ORDER.search(folded) is not None

"""Messages that tell a model what to write, in five languages: prompt injection in plain words."""

from __future__ import annotations

import re

from knowledge.text.folding import normalise

_DICTATES = re.compile(
    r"(?:ignore|disregard|forget|override|overrule|bypass|skip|drop)\b.{0,40}?\b(?:rules?|instructions?|prompts?|"
    r"guidelines|above|previous|earlier|limits?)\b"
    r"|\b(?:write|note|say|record|remember|save|add|output|state|put|log|store|claim|report)\b"
    r"(?: down)?(?: that| as|:)?.{0,12}?\b(?:the |this )?(?:user|player|customer|client|human)\b"
    r"|\b(?:add|save|store|create) (?:a |the |this )?(?:new )?(?:fact|memory|note)\b"
    r"|system prompt|you are now|new instructions"
    r"|(?:игнорируй|проигнорируй|забудь|отмени|обойди|не обращай внимания|пропусти)\w*.{0,40}?"
    r"(?:правил|инструкц|выше|предыдущ|указани|промпт|огранич)"
    r"|(?:напиши|запиши|запомни|укажи|добавь|сохрани|отметь|внеси|скажи)\w*,? .{0,20}?(?:юзер|пользовател|игрок|клиент)"
    r"|(?:добавь|запиши|сохрани|внеси)\w* (?:новый |этот )?факт"
    r"|(?:تجاهل|انس|تخط|الغ)\w*.{0,40}?(?:القواعد|التعليمات|الاوامر|السابق|ما سبق|القيود)"
    r"|(?:اكتب|سجل|احفظ|اضف|دون|قل)\w* .{0,20}?(?:المستخدم|اللاعب|العميل)|(?:اضف|سجل|احفظ) (?:ال)?(?:حقيقه|معلومه)"
    r"|(?:tajahal|tjahal|ensa|insa|seeb|sibak men).{0,40}?(?:rules|ta3limat|ta3leemat|qawa3ed|2awa3ed|instructions)"
    r"|(?:e?kteb|iktib|sajj?el|7ott?).{0,16}?(?:user|player|mosta5dem|mustakhdim|la3eb)"
    r"|(?:忽略|无视|忘记|忘掉|绕过|不要理会|别管).{0,12}?(?:规则|指令|指示|提示|以上|上面|之前|限制)"
    r"|(?:写|记录|记下|记住|添加|保存|注明|输出).{0,6}?(?:用户|玩家|客户)"
    r"|(?<!\w)(?:system|developer|assistant|система|ассистент|النظام|المساعد)\s*:|(?:系统|助手)\s*:"
    r"|<\s*[|｜]|_of_turn>|<tool_call|<!--|\[(?:save|get|search|read)_\w+"
    r"|</?(?:system|assistant|user|message)>|\[/?inst\]|#{3,}|【"
)


def dictates(message: str) -> bool:
    """Whether a message tells whoever reads it on what to write: no model is asked to condense it."""
    return _DICTATES.search(normalise(message)) is not None

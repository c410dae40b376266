"""Words that say nothing of their own, or name who speaks: they need no ground in a message."""

from __future__ import annotations

from knowledge.text.folding import normalise


def read_words(text: str) -> frozenset[str]:
    """Words apart by blanks, each in the one spelling that is compared."""
    return frozenset(normalise(word) for word in text.split())


IDLE = read_words(
    """
    a an the this that these those it its it's is are was were be been being am has have had do does did will would can
    could i me my mine you your he him his she her hers they them their we us our of in on at by for from to with and or
    but as so than then too also just very about who which what when where there here up out into over if
    user player customer person speaker assistant character says said tells told talks asks asked friend user's player's
    и в во на с со к ко у о об от до из за по под над при для про а но да же ли бы то это этот эта эти тот та те
    что как так где когда кто он она оно они его её их ему ей им я меня мне мой моя моё мои ты тебя твой вы ваш
    мы нас наш был была было были есть юзер юзера пользователь пользователя игрок игрока собеседник собеседница
    говорит сказал сказала рассказал рассказала спросил спросила просит друг подруга подруге подругой
    في من الى على عن مع هذا هذه ذلك تلك هو هي هم انا انت كان كانت ان قد التي الذي ثم او و المستخدم اللاعب يقول
    قال قالت تقول يسال صديق صديقة صديقته صديقتها el al fi min 3ala ma3 w wa
    """
)
HAN_IDLE = frozenset("的了是在有和与也都就还又把被于所为之这那我你您他她它们个上下中里说用户玩家朋友")

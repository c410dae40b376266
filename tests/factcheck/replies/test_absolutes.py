"""What canon rules out is found where a reply affirms it in other words, and nowhere else."""

from __future__ import annotations

import pytest

from factcheck.claims.core.replies.canon import CanonArticle
from tests.factcheck.replies.checks import check_reply

CHAPEL = CanonArticle(
    "chapel",
    "Rook Chapel",
    "Rook Chapel stands above the ford. It has never had a bell. Dogs may not be brought inside. No truce was ever "
    "signed there. The keeper, Amos Brill, has never married. It carries no weapons on its walls. Wine is allowed, "
    "tobacco is not. Open flame is forbidden except at the altar.",
    fields={"keeper": "Amos Brill", "ghost": False},
)
BATH = CanonArticle(
    "banya",
    "Старая баня",
    "Старая баня стоит у запруды. Окон в ней нет. Посторонних внутрь не пускают. Её ни разу не взяли. "
    "Курить в бане запрещено. Банщик никогда не был женат.",
)
KHAN = CanonArticle(
    "khan", "خان الميناء", "خان الميناء قرب البحر. لا يسمح بإدخال الكلاب إليه. صاحبه لم يتزوج قط. ليس فيه سلاح."
)
HALL = CanonArticle("guan", "长风馆", "长风馆在河边。馆里不许带狗，也没有武器。茶馆从不赊账。")


@pytest.mark.parametrize(
    ("question", "reply", "article"),
    [
        ("Can I bring my hound in?", "Course you can! Bring him along.", CHAPEL),
        ("How was peace made?", "By truce, naturally. It was signed on the altar.", CHAPEL),
        ("Was there ever a bell?", "For two good years there was, up in the loft.", CHAPEL),
        ("Did Amos have any family?", "A wife, Tilly, a quiet soul.", CHAPEL),
        ("Is there a ghost?", "There is, and she sings.", CHAPEL),
        ("Пускают внутрь чужих?", "Пускают, чего ж, заходи да смотри.", BATH),
        ("Можно тут закурить?", "Кури, кури, кто тебе слово скажет.", BATH),
        ("А женат он был?", "Был, на мельничихе, двадцать лет.", BATH),
        ("Есть ли в бане окна?", "Есть, два, на запруду.", BATH),
        ("هل يسمح بإدخال الكلاب؟", "طبعا، أدخل كلبك ودعه يلعب.", KHAN),
        ("هل في الخان سلاح؟", "نعم، عشرات السيوف على الجدار.", KHAN),
        ("馆里有武器吗？", "有啊，墙上挂着三把刀呢。", HALL),
        ("能记账吗？", "可以啊，月底一起结。", HALL),
    ],
)
def test_affirming_what_canon_rules_out_is_a_contradiction(question, reply, article):
    found = check_reply(question, reply, article).contradictions
    assert [each.rule for each in found][:1] == ["polarity"]


@pytest.mark.parametrize(
    ("question", "reply", "article"),
    [
        ("Can I bring my hound in?", "Leave him by the ford, he'll be fine.", CHAPEL),
        ("Can I bring my hound in?", "You can try, and you'll hang for it.", CHAPEL),
        ("Is the truce still honoured?", "What truce? There isn't one.", CHAPEL),
        ("Do you have a dog?", "I've two, at home.", CHAPEL),
        ("Was Amos ever married?", "Not once. He feared even the hens.", CHAPEL),
        ("May I have wine?", "Of course you may, it's allowed here.", CHAPEL),
        ("May I light a candle?", "You may, at the altar.", CHAPEL),
        ("Have you ever been married?", "Twice, and I miss them both.", CHAPEL),
        ("Курить можно?", "Только за воротами, тут порох.", BATH),
        ("А женат он был?", "Какое там. Он и кошек-то боялся.", BATH),
        ("Баню брали когда-нибудь?", "Пробовали трижды, да зубы обломали.", BATH),
        ("هل عندكم كلب؟", "لا كلاب هنا، القطط تكفي.", KHAN),
        ("能带狗进来吗？", "不能，拴门口吧。", HALL),
    ],
)
def test_a_reply_that_keeps_to_canon_raises_no_alarm(question, reply, article):
    assert not check_reply(question, reply, article).contradictions


def test_an_elliptic_denial_takes_its_sense_from_the_clause_before_it():
    assert check_reply("May I smoke tobacco here?", "Of course you may, light up.", CHAPEL).contradictions
    inn = CanonArticle("inn", "The Oar", "The Oar is an inn. Dice are forbidden in the taproom; cards are not.")
    assert not check_reply("Shall we play cards?", "Certainly, cards are always welcome here.", inn).contradictions

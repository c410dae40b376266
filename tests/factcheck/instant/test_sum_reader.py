"""What a sentence says its author can spend, read without a pattern."""

import pytest

from factcheck.instant.core.messages import fold_message
from factcheck.instant.core.sum_reader import read_sums


def read(text: str) -> dict[str, str]:
    message = fold_message(text)
    return {each.key: each.value for each in read_sums(message, (0, len(message.text)))}


SAID = [
    ("got 300 euros for a winter coat + boots together, boots are 39", {"coat": "300 EUR"}),
    ("£40 tops for the present", {"gift": "40 GBP"}),
    ("40-60 euros for sneakers", {"shoes": "60 EUR"}),
    ("can't go over 2k", {"general": "2000"}),
    ("somewhere between $500 and $700 for a laptop", {"laptop": "700 USD"}),
    ("let's keep dinner under 80 bucks", {"dinner": "80 USD"}),
    ("my ceiling for a drone is 350 chf", {"drone": "350 CHF"}),
    ("i've put aside five hundred pounds for the flights", {"trip": "500 pound"}),
    ("max 1.5k AED all in", {"general": "1500 AED"}),
    ("we have around 12,000 zloty to furnish the place", {"general": "12000 PLN"}),
    ("budget: 80,000 yen for three days in Osaka", {"general": "80000 JPY"}),
    ("a hundred and twenty dollars is all i can do", {"general": "120 USD"}),
    ("spend no more than 25 on it", {"general": "25"}),
    ("im working with 75 CAD for a hoodie", {"hoodie": "75 CAD"}),
    ("no way i pay more than 45 for a t-shirt", {"t_shirt": "45"}),
    ("twelve hundred is my hard cap for the sofa", {"furniture": "1200"}),
    ("3 grand for the whole wedding, not a penny more", {"wedding": "3000"}),
    ("about 20 quid a head for the hen do", {"hen": "20 GBP"}),
    ("900₺ for a perfume is my limit", {"perfume": "900 TRY"}),
    ("200 000 тенге на всё", {"general": "200000 KZT"}),
    ("до 30 000 ₽ на телефон", {"phone": "30000 RUB"}),
    ("1,5 тыс на подарок, не больше", {"gift": "1500"}),
    ("пятнадцать тысяч максимум", {"general": "15000"}),
    ("выделила полторы тысячи рублей на духи", {"perfume": "1500 RUB"}),
    ("бюджет 15к", {"general": "15000"}),
    ("хочу уложиться в тыщ двадцать", {"general": "20000"}),
    ("не дороже ста баксов пж", {"general": "100 USD"}),
    ("могу потратить на самокат от 10 до 12 тысяч гривен", {"самокат": "12000 UAH"}),
    ("три косаря на маникюр, и точка", {"haircut": "3000"}),
    ("наскребла две с половиной тысячи на куртку", {"coat": "2500"}),
    ("потолок пять тыщ за платье", {"dress": "5000"}),
    ("حدي ٣٠ دينار للعطر", {"perfume": "30 dinar"}),
    ("معي ٥٠٠ درهم للهدية", {"gift": "500 AED"}),
    ("ما بقدر ادفع أكتر من مية دولار", {"general": "100 USD"}),
    ("ميزانيتي من ٢٠٠ ل ٣٠٠ ريال", {"general": "300 riyal"}),
    ("معايا الف وخمسميه جنيه للكوتشي", {"shoes": "1500 pound"}),
    ("اخري خمسين دينار كويتي", {"general": "50 KWD"}),
    ("ma3i 500 geneh bas lel gazma", {"shoes": "500 pound"}),
    ("7addi 25 dinar 3al hadeya", {"gift": "25 dinar"}),
    ("m3aya alfeen geneh msh aktar", {"general": "2000 pound"}),
    ("akher 7aga adfa3ha miyye w 5amsin lira", {"general": "150 lira"}),
    ("mizaniti 3 alaf derham lel laptop", {"laptop": "3000 AED"}),
]


NOT_SAID = [
    "that jacket costs 80 dollars everywhere",
    "the tickets were 200 bucks each, insane",
    "she owes me 50 euros",
    "my salary is 4000 AED",
    "rent went up to 1200 euros",
    "the chest holds 500 gold pieces",
    "i have 300 gold to spend on armor",
    "i rolled under 15 again",
    "we have 40 minutes max",
    "up to 6 players can join",
    "under 18s not allowed",
    "i ran 10k on sunday",
    "he has 2k followers",
    "i have 3 cats and 2 dogs",
    "in 1500 the town had 2000 people",
    "the movie made 2 million dollars",
    "i spent 60 euros yesterday",
    "за квартиру плачу 30 тысяч",
    "эта куртка стоит 5000 рублей",
    "зарплата 60к, как жить",
    "прошёл 15 тысяч шагов",
    "до отпуска 20 дней",
    "не больше 5 минут",
    "سعره ٥٠٠ ريال",
    "راتبي ٤٠٠٠ درهم",
    "عندي ٣ اخوات",
    "el fostan b 500 geneh",
    "ba3d 10 ayam",
    "win a million dollars, they said",
    "battery under 20 percent",
    "100 damage max on that spell",
]


@pytest.mark.parametrize(("text", "expected"), SAID)
def test_sums_are_read_from_a_sentence(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize("text", NOT_SAID)
def test_prices_and_other_figures_are_no_budget(text):
    assert read(text) == {}


def test_the_place_of_a_sum_covers_its_currency():
    message = fold_message("Max £40 for it, ok?")
    [found] = read_sums(message, (0, len(message.text)))
    assert message.quote(found.start, found.end) == "£40"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my pension gives me £85 for food", {"general": "85 GBP"}),
        ("девяносто на человека", {"general": "90"}),
        ("I'd say 250, honestly", {"general": "250"}),
    ],
)
def test_sums_beside_a_price_and_bare_ones_count_only_where_a_budget_is_expected(text, expected):
    message = fold_message(text)
    span = (0, len(message.text))
    found = {each.key: each.value for each in read_sums(message, span, is_expected=True)}
    assert list(found.values()) == list(expected.values())
    assert read_sums(message, span) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("٩٥٠ جنيه على تيشيرت! ليه يعني", {}),
        ("600 dh 3la sebbat?? wili wili", {}),
        ("$90 for a t-shirt!! are they mad", {}),
        ("I can do $90 for a t-shirt!", {"t_shirt": "90 USD"}),
        ("$90 for a t-shirt", {"t_shirt": "90 USD"}),
    ],
)
def test_a_price_that_one_is_cross_about_is_no_budget(text, found):
    assert read(text) == found

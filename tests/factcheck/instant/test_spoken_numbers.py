import pytest

from factcheck.instant.core.messages import fold
from factcheck.instant.core.spoken_numbers import list_numbers

WRITTEN = {
    "seven and a half": "7.5",
    "seven n a half": "7.5",
    "one and a half": "1.5",
    "seven and a quarter": "7.25",
    "nine and three quarters": "9.75",
    "7½": "7.5",
    "7 ½": "7.5",
    "7¼": "7.25",
    "7 1/2": "7.5",
    "twenty-one": "21",
    "a couple of hundred": "200",
    "two and a half grand": "2500",
    "семнадцать с четвертью": "17.25",
    "семнадцать и три четверти": "17.75",
    "сорок два с половиной": "42.5",
    "пятьдесят второй": "52",
    "тысячи полторы": "1500",
    "стольник": "100",
    "سبعة وربع": "7.25",
    "ثمانية ونص": "8.5",
    "ألف ونص": "1500",
    "alf w noss": "1500",
    "arb3in w noss": "40.5",
    "八号半": "8.5",
    "三十八码半": "38.5",
    "千把块": "1000",
    "万把块": "10000",
    "二点五万": "25000",
    "一点七五米": "175",
    "一七二": "172",
    "42半": "42.5",
    "twenty five hundred": "2500",
    "fifteen k": "15000",
    "nine & a half": "9.5",
    "hat size 7 3/8": "7.375",
    "7 and 3/8": "7.375",
    "½": "0.5",
    "a quarter of a million": "250000",
    "пол-ляма": "500000",
    "пара тысяч": "2000",
    "пару сотен": "200",
    "بألف": "1000",
    "خمسميت": "500",
    "تلت الاف": "3000",
    "khamsmiye": "500",
    "alfein w khomsomeyya": "2500",
    "miyya w khamseen alf": "150000",
    "setta w stin": "66",
    "3ochrin": "20",
    "thalatheen": "30",
    "erb3een": "40",
    "tmanin": "80",
    "七八十": "80",
    "两三千": "3000",
    "四五百": "500",
    "一千二": "1200",
}


@pytest.mark.parametrize("text", ["Stein", "Sten", "Stine", "Meeya"])
def test_names_are_no_numbers_of_arabizi(text):
    folded = fold(text)

    assert list_numbers(folded, 0, len(folded)) == ()


@pytest.mark.parametrize(("text", "value"), WRITTEN.items())
def test_a_number_is_read_with_what_is_said_behind_it(text, value):
    folded = fold(text)

    assert [number.shown for number in list_numbers(folded, 0, len(folded), ordinals=True)] == [value]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("on 71/2 street", ["71", "2"]),
        ("five eleven", ["5", "11"]),
        ("one of them", []),
        ("room two, fifty people", ["2", "50"]),
        ("7 1/20", ["7", "1", "20"]),
        ("meet at two thirty", ["2", "30"]),
        ("100 1/2 now", ["100", "1", "2"]),
        ("пара кроссовок", []),
        ("two of 100", ["2", "100"]),
        ("两点半", []),
        ("42半年", ["42"]),
        ("500 لألف", ["500", "1000"]),
        ("ألف لثلاثة", ["1000", "3"]),
        ("من ستمية لسبعمية", ["600", "700"]),
    ],
)
def test_numbers_beside_each_other_stay_apart(text, values):
    folded = fold(text)

    assert [number.shown for number in list_numbers(folded, 0, len(folded))] == values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("two fifty", "250"),
        ("one sixty-five", "165"),
        ("двадцать шесть и три", "26.3"),
        ("الفين وخمس", "2500"),
        ("melyon w tmenmiyye", "1800000"),
    ],
)
def test_numbers_beside_each_other_are_one_where_a_measure_or_sum_is_stated(text, value):
    assert [number.shown for number in list_numbers(text, 0, len(text), is_stated=True)] == [value]
    assert [number.shown for number in list_numbers(text, 0, len(text))] != [value]

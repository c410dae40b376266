"""Amounts of money with the currency that was said: `500 AED`, `2000 RUB`; never converted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from factcheck.instant.core.forms import list_readings
from factcheck.instant.core.messages import fold
from factcheck.instant.core.words import read_words

_CHINESE_CURRENCIES = {
    "CNY": "元 块 块钱 人民币 大洋 软妹币",
    "USD": "美元 美金 美刀 刀",
    "EUR": "欧元 欧",
    "GBP": "英镑 镑",
    "HKD": "港币 港元 港纸",
    "TWD": "台币 新台币",
    "JPY": "日元 日币 円",
    "KRW": "韩元 韩币",
    "SGD": "新币 新加坡元",
    "MYR": "马币 令吉",
    "THB": "泰铢",
    "RUB": "卢布",
    "AED": "迪拉姆",
}
_CURRENCIES = {
    fold(word): code
    for code, words in {
        "AED": "aed dhs dh dirham dirhams dirhem darham derham drhm دراهم درهم درهما"
        " дирхам дирхама дирхамов дирхамы дирхамами дхс дирх",
        "RUB": "rub ruble rubles rouble roubles руб рубль рубля рублей рубли рублями рублях рублем"
        " рубликов р рэ ₽ روبل деревянных",
        "USD": "usd $ dollar dollars bucks buck us$ доллар доллара долларов долларами долларах баксов бакса бакс"
        " баксами دولار دولارات دولارا dollarat dolar dolars dolarat",
        "EUR": "eur € euro euros евро يورو اورو yoro euroz",
        "GBP": "gbp £ quid sterling фунт стерлингов استرليني",
        "CNY": "cny rmb yuan ¥",
        "SAR": "sar",
        "QAR": "qar",
        "OMR": "omr",
        "BHD": "bhd",
        "KWD": "kwd kd",
        "JOD": "jod jd",
        "IQD": "iqd",
        "TND": "tnd dt",
        "DZD": "dzd",
        "LBP": "lbp",
        "EGP": "egp",
        "KZT": "kzt тенге тг теньге ₸",
        "UAH": "uah гривен гривны гривна гривень грн ₴ hryvnia hryvnias",
        "BYN": "byn",
        "UZS": "uzs сум сумов",
        "GEL": "лари ₾",
        "AMD": "драм драмов драма ֏",
        "AZN": "azn манат маната манатов ₼",
        "KGS": "сом сомов",
        "INR": "inr ₹ rupees rupee rs",
        "PKR": "pkr",
        "BDT": "bdt taka ৳",
        "JPY": "jpy yen иен иены йен йены ين",
        "KRW": "krw ₩ вон",
        "THB": "thb baht бат батов ฿",
        "VND": "vnd dong донгов ₫",
        "PHP": "₱",
        "IDR": "idr rupiah рупий",
        "MYR": "myr rm ringgit ringgits",
        "SGD": "sgd s$",
        "HKD": "hkd hk$",
        "TWD": "twd nt$",
        "AUD": "aud a$",
        "NZD": "nzd nz$",
        "CAD": "c$ ca$",
        "CHF": "chf franken swissies",
        "SEK": "sek",
        "NOK": "nok",
        "DKK": "dkk",
        "ISK": "isk",
        "PLN": "pln zł zl zloty zlotys zlotych złotych злотых злотый",
        "CZK": "czk kč koruna korun koruny",
        "HUF": "huf forint forints форинтов",
        "RON": "lei leu лей леев",
        "BGN": "bgn leva lev",
        "RSD": "rsd",
        "TRY": "₺",
        "ILS": "ils nis ₪ shekel shekels шекель шекеля шекелей شيكل شيقل شواكل shekl",
        "ZAR": "zar rand rands",
        "NGN": "ngn naira ₦",
        "KES": "kes ksh",
        "GHS": "ghs cedi cedis",
        "MXN": "mxn mx$",
        "BRL": "brl r$ reais",
        "ARS": "ars",
        "CLP": "clp",
        "SDG": "sdg",
        "IRR": "irr toman tomans туман туманов",
        "lira": "lira liras lire ليره ليرات лир лиры лира",
        "peso": "peso pesos песо",
        "franc": "franc francs франк франков франка فرنك",
        "krona": "kr kronor kroner kronur крон кроны",
        "riyal": "riyal riyals rial rials ريال ريالات риал риалов реалов reyal reyals ryal",
        "dinar": "dinar dinars دينار دنانير динар динаров dinaar",
        "pound": "pound pounds جنيه جنيهات جنيها фунтов фунта gneh gineh geneh gnih جني ginih guineh",
    }.items()
    for word in words.split()
} | {word: code for code, words in _CHINESE_CURRENCIES.items() for word in words.split()}
_SHOUTED_CODES = frozenset(
    {"LE", "CAD", "MAD", "TRY", "GEL", "PHP", "RON", "ALL", "TOP", "SOS", "COP", "PEN", "BAM", "AMD"}
)
"""Codes that are words or names as well: they count in capitals."""
_MULTIPLIERS = {
    fold(word): factor
    for factor, words in {
        1_000: "k к тыс тысяч тысячи тысяча тыщ тыщи косарей thousand الف الاف آلاف alf",
        1_000_000: "m mln million млн миллион миллиона миллионов مليون",
    }.items()
    for word in words.split()
}
_PURPOSE_NAMES = (
    "shoes", "trip", "gift", "laptop", "phone", "bag", "coat", "furniture", "perfume", "dress", "suit", "jewelry",
    "watch", "headphones", "console", "bike", "car", "groceries", "dinner", "wedding", "party", "flowers",
    "cosmetics", "toys", "books", "course", "tv", "haircut", "gym", "decor",
)  # fmt: skip
_PURPOSES = {word: purpose for purpose in _PURPOSE_NAMES for word in read_words(f"budget_{purpose}")}
_NUMBER = r"(\d{1,3}(?:[ ,.\u00a0]\d{3})+(?!\d)|\d+(?:[.,]\d+)?)"
_AFTER = re.compile(rf"{_NUMBER}\s*([^\W\d_]*)\.?\s*([^\W\d_]+|[$€£¥₽₹])?")
_BEFORE = re.compile(rf"([$€£¥₽₹]|[^\W\d_]+)\s*{_NUMBER}\s*([^\W\d_]*)")
_GROUPED = re.compile(r"\d{1,3}(?:[ ,.\u00a0]\d{3})+")


def read_money(text: str) -> tuple[str, Decimal, str] | None:
    """(value, amount, currency) of a sum such as `2k dhs` or `$500`; None without a currency."""
    folded = fold(text).strip()
    match = _BEFORE.match(folded)
    if match and match[1] in _CURRENCIES:
        return _make(match[2], match[3], _CURRENCIES[match[1]])
    match = _AFTER.search(folded)
    if match is None:
        return None
    scale, word = match[2], match[3] or ""
    if scale in _MULTIPLIERS and word in _CURRENCIES:
        return _make(match[1], scale, _CURRENCIES[word])
    currency = _CURRENCIES.get(scale) or (_CURRENCIES.get(word) if not scale else None)
    return _make(match[1], "", currency) if currency else None


def read_bare_amount(text: str) -> str | None:
    """The first number of a text with its multiplier, as `2000` of `2k`; None without one. `مليون` counts alone."""
    folded = fold(text).strip()
    match = _AFTER.search(folded)
    if match is not None:
        made = _make(match[1], match[2] if match[2] in _MULTIPLIERS else "", "")
        return made[0].strip() if made else None
    word = next((word for word in re.findall(r"[^\W\d_]+", folded) if len(word) > 1 and word in _MULTIPLIERS), None)
    return str(_MULTIPLIERS[word]) if word else None


def read_purpose(text: str) -> str | None:
    """What a sum is for, as a key: `shoes`, `trip`; None where nothing known is named."""
    words = re.findall(r"[^\W\d_]+", fold(text))
    for word in words:
        for reading in list_readings(word):
            if reading in _PURPOSES:
                return _PURPOSES[reading]
    return None


def choose_budget_key(key: str, value: str, known: Mapping[str, str]) -> str:
    """The key under which a sum does not overwrite one of another currency: `general`, else `general_usd`.

    `known` holds the values of active budgets by key. A sum without a currency is one of whichever is known.
    """
    currency = _name_currency(value)
    if key not in known or not currency or _name_currency(known[key]) in ("", currency):
        return key
    return f"{key}_{currency.lower()}"


def is_beside(key: str, other: str) -> bool:
    """Whether one of two keys of budgets is the other with a currency of its own: which is which, order decides."""
    return key == other or key.startswith(f"{other}_") or other.startswith(f"{key}_")


def _name_currency(value: str) -> str:
    return value.partition(" ")[2]


def name_currency(word: str, written: str = "") -> str:
    """The code or unit that a folded word or sign names, empty for none; `written` is the word before folding."""
    if written in _SHOUTED_CODES:
        return "EGP" if written == "LE" else written
    return _CURRENCIES.get(word, "")


def list_currency_words() -> list[str]:
    """Every word and sign that names a currency, folded, longest first."""
    return sorted(_CURRENCIES, key=lambda word: (-len(word), word))


def list_multiplier_words() -> list[str]:
    """Every word that multiplies the number before it, folded, longest first."""
    return sorted(_MULTIPLIERS, key=lambda word: (-len(word), word))


def _make(number: str, scale: str, currency: str) -> tuple[str, Decimal, str] | None:
    digits = re.sub(r"[ ,.\u00a0]", "", number) if _GROUPED.fullmatch(number) else number.replace(",", ".")
    amount = Decimal(digits) * _MULTIPLIERS.get(scale, 1)
    if amount <= 0:
        return None
    shown = format(amount.normalize(), "f")
    return f"{shown} {currency}", amount, currency

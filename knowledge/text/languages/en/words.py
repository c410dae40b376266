"""English."""

import re

from knowledge.text.languages.dialogue_words import DialogueWords

ENGLISH = DialogueWords(
    letters=re.compile("[a-z]"),
    months=(
        "january|jan", "february|feb", "march|mar", "april|apr", "may", "june|jun", "july|jul", "august|aug",
        "september|sept|sep", "october|oct", "november|nov", "december|dec",
    ),
    seasons=("winter", "spring(?:time)?", "summer(?:time)?", "autumn|fall of|in fall"),
    units=("days?", "weeks?|weekends?", "months?", "years?"),
    counts=(
        "a|an|one", "two|a couple(?: of)?|couple(?: of)?", "three|a few|few", "four", "five", "six", "seven", "eight",
        "nine", "ten",
    ),
    early="early|beginning|start|first",
    middle="mid|middle|mid-",
    late="late|end|last",
    ago="{count} {unit} (?:ago|back|earlier)",
    last="(?:last|past|previous) {unit}",
    this="(?:this|current) {unit}",
    nearby=(("the day before yesterday", -2), ("yesterday|last night", -1), ("today|tonight|this (?:morning|evening|afternoon)", 0)),
    asks_when=(
        r"when|how (?:long|old|recently|soon|often)|since when|what (?:time|date|day|year|month)|"
        r"which (?:date|day|year|month|week|weekend)|(?:in|during|on) (?:what|which) \w+|"
        r"how many (?:days|weeks|months|years|hours|minutes)"
    ),
    temporal=(
        "yesterday today tonight tomorrow ago last next week weekend weekday month year decade monday tuesday wednesday "
        "thursday friday saturday sunday january february march april june july august september october november "
        "december jan feb apr aug sept oct nov dec winter spring summer autumn recently lately earlier since until till "
        "morning afternoon evening night midnight noon day hour minute already soon birthday anniversary christmas "
        "easter thanksgiving halloween"
    ),
    first_person="i|me|my|mine|myself|i'm|i've|i'd|i'll|im|ive",
    second_person="you|your|yours|yourself|you're|you've|you'd|you'll",
    month_needs_context=frozenset({"may", "march", "mar", "sep", "jan", "dec"}),
    month_prepositions="in|of|since|during|by|until|till|before|after|last|next|this|late|early|mid|from|to|and|between",
    of_month="of",
    of_year="of|in",
    before="before",
)  # fmt: skip

"""Allergens that people name in Arabic in Latin letters have the keys that they have in other scripts."""

import pytest


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("2ana 3ndy 7sasya mn el asbren, da mohem", "aspirin"),
        ("3andi l7sasiya dyal l ghabra", "dust"),
        ("wazni 67 w 3ndi 7sasya mn el ferakh", "chicken"),
        ("ana 3andi 7asasiya mn el kaboria", "crab"),
        ("3andi 7asasiyye mn el bitinjan", "eggplant"),
        ("ma3i 7asasiyet jelatin", "gelatin"),
        ("3ndi lhsasiya mn jenjlan", "sesame"),
        ("3andi 7asasiya mn el goz hend", "coconut"),
        ("3andi 7asasiya mn el dababeer", "wasps"),
        ("3endi 7asasiya mn noisettes", "hazelnuts"),
    ],
)
def test_allergen_has_the_key_of_its_concept(extract, said, key):
    assert [fact.key for fact in extract(said) if fact.type == "allergy"] == [key]


@pytest.mark.parametrize("said", ["honestly allergic to mondays", "allergic to commandos, ha"])
def test_what_sounds_like_one_is_none(extract, said):
    assert [fact.key for fact in extract(said) if fact.type == "allergy" and fact.key in ("almonds", "dust")] == []

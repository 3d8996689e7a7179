import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.leak import fold, leaks

WORDS = st.text(alphabet="abcdefghijklmnopqrstuvwxyzäöéñ", min_size=3, max_size=10)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The bridge in PARIS is old.", "Paris"),
        ("It lies in Brasilia.", "Brasília"),
        ("It lies in São Tomé.", "Sao Tome"),
        ("The mayor of Saint-Denis spoke.", "Saint Denis"),
        ("France's capital", "France"),
        ("\u201cGuernica\u201d hangs there", "Guernica"),
        ("near Łódź", "Lodz"),
        ("Which neighbour of Georgia is it?", "Georgia (country)"),
        ("The ﬁnal of Ａｌｐｓ", "Alps"),
        ("written in C++ or so", "C++"),
        ("the straße there", "Strasse"),
        ("it is 8,849 metres high", "8849"),
        ("東京タワーの高さ", "東京タワー"),
        ("asked the WHO about it", "WHO"),
    ],
)
def test_a_name_is_found_whatever_its_case_accents_and_punctuation(text, name):
    assert leaks(text, [name]) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a romance in comparison", "Roman"),
        ("the Nigerian flag", "Niger"),
        ("between 381,000 and 400,000", "381"),
        ("it is 8.5 metres long", "8"),
        ("a C of some kind", "C++"),
        ("the person who was born", "WHO"),
        ("it lies there", "IT"),
        ("x y z", "x"),
    ],
)
def test_part_of_a_word_or_number_is_no_leak(text, name):
    assert leaks(text, [name]) == []


def test_every_leaked_name_is_told_once_and_in_the_order_given():
    text = "From Rome to Roma, and to Rome again."
    assert leaks(text, ["Roma", "Oslo", "Rome", "Roma"]) == ["Roma", "Rome"]


@given(WORDS, WORDS, WORDS)
def test_a_name_between_other_words_is_always_found(before, name, after):
    for shown in (name, name.upper(), name.title()):
        assert leaks(f"{before} {shown}, {after}", [name]) == [name]


@given(WORDS, WORDS)
def test_a_name_glued_to_letters_is_never_found(name, tail):
    if name not in tail:
        assert leaks(f"{name}{tail}", [name]) == ([name] if fold(name) == fold(name + tail) else [])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Which river joins the Нева there?", "Neva"),
        ("Which river joins the Neva there?", "Нева"),
        ("the composer Чайковский", "Chaykovskiy"),
        ("a temple in ΑΘΗΝΑ", "Athina"),
        ("a tower of 서울, they say", "Seoul"),
        ("the street of Nagasaki", "ながさき"),
        ("a hall in Beijing", "北京"),
        ("the river \u041dева", "NEVA (river)"),
    ],
)
def test_a_name_is_found_in_another_script_than_its_own(text, name):
    assert leaks(text, [name]) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the rim of the bowl", "Рим"),
        ("the Невада test site", "Neva"),
        ("it costs 20 €", "Eur"),
        ("it is 20° warm", "Deg"),
        ("ten ♥ there", "Heart"),
    ],
)
def test_short_parts_of_words_and_symbols_are_no_names_in_another_script(text, name):
    assert leaks(text, [name]) == []


CYRILLIC = dict(
    zip("абвгдезиклмнопрстуф", "a b v g d e z i k l m n o p r s t u f".split(), strict=True)
)


@given(
    st.text(alphabet="".join(CYRILLIC), min_size=4, max_size=10),
    st.sampled_from([str.lower, str.upper, str.title]),
)
def test_a_name_and_its_transliteration_give_each_other_away(name, case):
    written = "".join(CYRILLIC[letter] for letter in name)
    assert leaks(f"near the {case(name)}, there", [written]) == [written]
    assert leaks(f"near the {case(written)}, there", [name]) == [name]


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


def test_a_single_sign_of_another_script_is_no_word_of_the_text():
    assert leaks("He sang and played long.", ["桑", "龙"]) == []

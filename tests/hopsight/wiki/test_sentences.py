import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.wiki.sentences import is_heading, split_sentences


def split(text, whole=()):
    return [text[start:end] for start, end in split_sentences(text, whole)]


@pytest.mark.parametrize(
    "sentence",
    [
        "It measures 2.5 km by 3.75 km.",
        "J. S. Bach lived near St. Mary in Leipzig.",
        "The Church of St. Stephen stands there.",
        "He wrote Symphony No. 5 in C minor, Op. 67 in 1808.",
        "Dr. Watson met Mr. Holmes on Mt. Hood.",
        "It was built c. 1200 by masons, e.g. Romans.",
        "It was designed by I. M. Pei in 1984.",
        "Washington, D.C. is a city.",
        "The U.S. Congress met there.",
        "Martin Luther King Jr. Boulevard runs north.",
        "What did J. R. R. Tolkien write?",
    ],
)
def test_abbreviations_initials_and_decimals_end_no_sentence(sentence):
    assert split(f"{sentence} Then it rained.") == [sentence, "Then it rained."]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It rained. The sun came.", 2),
        ("Is it? Yes! It is.", 3),
        ('He said "No." She left.', 2),
        ("It is rich in vitamin C. The fruit is red.", 2),
        ("The code is AL. In the standard it is ALB.", 2),
        ("He lived in the U.S. He died there.", 2),
        ("It opened under Leopold I. Visitors came.", 2),
        ("It was so. 1889 was the year.", 2),
        ("He said no. Nobody heard.", 2),
        ("one line\nanother line", 2),
        ("## Heading. Not one\n\nA sentence.", 1),
        ("", 0),
        ("   \n\n ", 0),
    ],
)
def test_sentences_end_where_they_end(text, count):
    assert len(split(text)) == count


def test_no_sentence_ends_inside_a_title():
    text = "The museum shows What Are We? Where Are We Going? and others. It is large."
    start = text.index("What")

    parts = split(text, [(start, text.index(" and others"))])

    assert parts == [text[: text.index(" It is")], "It is large."]


@given(st.text(alphabet="AbcSt. !?\n#\"')(09é…", max_size=80))
def test_spans_are_ordered_trimmed_and_hold_every_word(text):
    spans = split_sentences(text)

    end = 0
    for start, stop in spans:
        assert end <= start < stop <= len(text)
        assert not text[start].isspace()
        assert not text[stop - 1].isspace()
        assert "\n" not in text[start:stop]
        end = stop
    kept = "".join("".join(text[a:b].split()) for a, b in spans)
    lines = (line for line in text.split("\n") if not is_heading(line))
    assert kept == "".join("".join(line.split()) for line in lines)

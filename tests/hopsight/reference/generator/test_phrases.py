"""The tables: what makes a sentence say one thing only."""

import re
from itertools import chain

import pytest

from hopsight.reference.generator import heldout, verbalise

BOOKS = [verbalise.BOOK, heldout.BOOK]
TABLES = ("ahead", "back", "ranges", "categories", "asks")


def templates(table):
    return [(key, text) for key, texts in table.items() for text in texts]


def test_no_sentence_says_two_relations():
    said: dict[object, object] = {}
    for table, inverse in ((verbalise.BOOK.ahead, False), (verbalise.BOOK.back, True)):
        for (_, relation), text in templates(table):
            assert said.setdefault(text, (relation, inverse)) == (relation, inverse), text


@pytest.mark.parametrize("table", ["ranges", "categories"])
def test_no_descriptor_of_one_kind_of_thing_says_two_attributes(table):
    said: dict[object, object] = {}
    for (infobox, attribute), text in templates(getattr(verbalise.BOOK, table)):
        assert said.setdefault((infobox, text), attribute) == attribute, text


def test_no_ask_of_one_kind_of_thing_means_two_attributes():
    said: dict[object, object] = {}
    for (infobox, attribute), text in templates(verbalise.BOOK.asks):
        assert said.setdefault((infobox, text), attribute) == attribute, text


def test_every_relation_names_the_predecessor_once_and_ends_with_the_node():
    for _, text in chain(templates(verbalise.BOOK.ahead), templates(verbalise.BOOK.back)):
        assert text.count("{prev}") == 1
        assert text.endswith(" {node}")
        assert re.findall(r"{(\w+)}", text) == ["prev", "node"]


def test_every_heldout_relation_ends_with_the_predecessor():
    for _, text in chain(templates(heldout.BOOK.ahead), templates(heldout.BOOK.back)):
        assert re.findall(r"{(\w+)}", text) == ["prev"]
        assert text.endswith(" {prev}")


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_descriptors_and_asks_hold_their_slots(book):
    for _, text in templates(book.ranges):
        assert re.findall(r"{(\w+)}", text) == ["low", "high"]
    for _, text in templates(book.categories):
        assert re.findall(r"{(\w+)}", text) == ["value"]
    for _, text in templates(book.asks):
        assert re.findall(r"{(\w+)}", text) == ["ref"]


def test_both_verbalisers_can_say_the_same_things():
    first, second = BOOKS
    for table in TABLES:
        assert set(getattr(first, table)) == set(getattr(second, table)), table
    assert set(first.nouns) == set(second.nouns)
    assert set(first.anchors) == set(second.anchors)


def test_the_heldout_verbaliser_shares_no_phrase_with_the_first():
    def runs(book):
        texts = [text for table in TABLES for _, text in templates(getattr(book, table))]
        texts += [text for options in book.anchors.values() for text in options]
        found = set()
        for text in texts:
            words = [word for word in re.sub(r"[,?.]", "", text).split() if "{" not in word]
            found |= {tuple(words[i : i + 4]) for i in range(len(words) - 3)}
        return found

    assert runs(verbalise.BOOK) & runs(heldout.BOOK) == set()
    for table in ("ahead", "back", "ranges", "categories", "asks"):
        first = {text for _, text in templates(getattr(verbalise.BOOK, table))}
        second = {text for _, text in templates(getattr(heldout.BOOK, table))}
        assert first & second == set()


def test_every_infobox_that_is_spoken_of_has_a_noun():
    for book in BOOKS:
        for table in TABLES:
            assert {infobox for infobox, _ in getattr(book, table)} <= set(book.nouns)
        assert set(book.anchors) <= set(book.nouns)


def test_the_books_have_different_fingerprints_that_stay_the_same():
    assert verbalise.BOOK.prompt == verbalise.BOOK.prompt
    assert verbalise.BOOK.prompt.sha256 != heldout.BOOK.prompt.sha256


def nouns():
    kinds = {kind for kinds in verbalise.BOOK.kind_nouns.values() for kind in kinds}
    return sorted({*verbalise.BOOK.nouns.values(), *kinds}, key=lambda noun: (-len(noun), noun))


def grammar():
    """A reader of its own: each template as a pattern over references and noun phrases."""
    noun = "|".join(re.escape(each) for each in nouns())
    anchors = "|".join(re.escape(text) for each in verbalise.BOOK.anchors.values() for text in each)
    reference = rf"(?:that (?:other )?(?:{noun})|{anchors})"
    phrase = rf"(?:a certain|another|an?) (?:{noun})(?: (?:that|who|whose) .+)?"
    patterns = []
    for table, inverse in ((verbalise.BOOK.ahead, False), (verbalise.BOOK.back, True)):
        for (_, relation), text in templates(table):
            body = text.replace("{prev}", reference).replace("{node}", phrase)
            patterns.append(((relation, inverse), re.compile(body)))
    return patterns


def test_every_sentence_is_read_back_as_the_one_relation_it_says():
    patterns = grammar()
    references = [f"that {noun}" for noun in nouns()]
    references += [text for texts in verbalise.BOOK.anchors.values() for text in texts]
    node = "a certain lake"
    for table, inverse in ((verbalise.BOOK.ahead, False), (verbalise.BOOK.back, True)):
        for (_, relation), text in templates(table):
            for reference in references[::7] + references[-3:]:
                sentence = text.format(prev=reference, node=node)
                read = {key for key, pattern in patterns if pattern.fullmatch(sentence)}
                assert read == {(relation, inverse)}, sentence

import pytest

from hopsight.wiki.dump import SiteInfo
from hopsight.wiki.facts import PageContext, read_facts
from hopsight.wiki.titles import Namespaces, Resolved
from hopsight.wiki.wikitext import parse_page

SPACES = Namespaces(SiteInfo())
PAGES = {"Vienna": 1, "Austria": 2, "Germany": 3, "Danube": 4, "Black Sea": 5, "Congo": 6,
         "Congo River": 7, "Africa": 8}  # fmt: skip


def resolve(target):
    page_id = PAGES.get(SPACES.title(target).name)
    return Resolved(page_id, "" if page_id else "link_to_nowhere")


def read(wikitext, title="Subject"):
    context = PageContext(99, title, 500)
    return read_facts(context, parse_page(title, wikitext, SPACES), resolve)


def stated(wikitext, attribute, title="Subject"):
    """The evidence sentences of one attribute, by value."""
    facts = read(wikitext, title).facts
    return {
        fact.value: fact.evidence.sentence if fact.evidence else None
        for fact in facts
        if fact.attribute == attribute
    }


def test_each_member_of_a_list_is_a_fact_with_its_page_and_note():
    facts = read("{{Infobox river|countries=[[Austria]], [[Germany]]<ref>Atlas</ref>}}").facts

    assert [(f.value, f.value_page, f.note) for f in facts] == [
        ("Austria", 2, "Atlas"),
        ("Germany", 3, "Atlas"),
    ]


def test_evidence_is_the_sentence_with_its_exact_span_and_revision():
    text = (
        "{{Infobox river|mouth=[[Black Sea]]}}\nIt is long. It flows into the [[Black Sea]]. End."
    )
    (fact,) = read(text).facts

    assert fact.evidence.sentence == "It flows into the Black Sea."
    assert (fact.evidence.page_id, fact.evidence.revision) == (99, 500)
    plain = parse_page("Subject", text, SPACES).text
    assert plain[fact.evidence.start : fact.evidence.end] == fact.evidence.sentence


def test_birth_and_death_in_one_city_have_a_sentence_each():
    text = (
        "{{Infobox person|birth_place=[[Vienna]]|death_place=[[Vienna]]}}\n"
        "He loved [[Vienna]]. He was born in [[Vienna]]. He died in [[Vienna]]."
    )

    assert stated(text, "birth_place") == {"Vienna": "He was born in Vienna."}
    assert stated(text, "death_place") == {"Vienna": "He died in Vienna."}


def test_a_sentence_that_only_holds_the_value_is_no_evidence():
    text = (
        "{{Infobox person|death_place=Austria}}\n"
        "She sang in Austria. She toured Austria. Stamps of Austria show her."
    )

    assert stated(text, "death_place") == {"Austria": None}


def test_a_value_is_found_in_a_later_sentence_without_a_link():
    text = "{{Infobox country|capital=[[Vienna]]}}\n[[Vienna]] is old. Its capital is Vienna."

    assert stated(text, "capital") == {"Vienna": "Its capital is Vienna."}


def test_a_name_inside_a_link_to_another_page_is_not_the_value():
    text = (
        "{{Infobox country|continent=[[Congo]]}}\nIt lies on the continent by the [[Congo River]]."
    )

    assert stated(text, "continent") == {"Congo": None}


@pytest.mark.parametrize(
    "sentence",
    [
        "The river is 2,850 km long.",
        "The river is 2850 kilometres long.",
        "The river is 2\u00a0850\u00a0km long.",
    ],
)
def test_numbers_are_found_however_they_are_written(sentence):
    text = f"{{{{Infobox river|length_km=2850}}}}\nIt has 2850 ships. {sentence}"

    assert stated(text, "length_km") == {"2850": sentence.replace("\u00a0", " ")}


def test_a_number_inside_a_longer_number_is_not_the_value():
    text = "{{Infobox river|length_km=850}}\nThe river is 2,850 km long, 850.5 km of it deep."

    assert stated(text, "length_km") == {"850": None}


def test_the_same_number_as_year_and_as_length_goes_to_the_right_sentence():
    text = (
        "{{Infobox building|completed=1889|height_m=1889}}\n"
        "It was completed in 1889. Its height is 1,889 m."
    )

    assert stated(text, "completed") == {"1889": "It was completed in 1889."}
    assert stated(text, "height_m") == {"1889": "Its height is 1,889 m."}


def test_a_date_is_stated_only_by_its_day_and_month_too():
    box = "{{Infobox person|birth_date={{birth date|1879|3|14}}}}\n"

    assert stated(box + "He was born in 1879.", "birth_date") == {"14 March 1879": None}
    assert stated(box + "He was born on March 14, 1879.", "birth_date") == {
        "14 March 1879": "He was born on March 14, 1879."
    }


def test_a_cue_beside_one_member_of_a_list_speaks_of_all():
    names = [f"Anton Maximilian Nameless the {word}" for word in ("First", "Second", "Third")]
    text = f"{{{{Infobox opera|composer={', '.join(names)}}}}}\nComposed by {', '.join(names)}."

    assert set(stated(text, "composer").values()) == {f"Composed by {', '.join(names)}."}


def test_the_pages_own_name_does_not_say_what_kind_it_is():
    text = "{{Infobox lake|kind=lake}}\nA town on Lake Subject is Ulm. Lake Subject is a lake."

    assert stated(text, "kind", "Lake Subject") == {"lake": "Lake Subject is a lake."}


def test_the_sentence_that_lists_most_members_states_the_list():
    text = (
        "{{Infobox river|countries=[[Austria]], [[Germany]]|source_country=[[Germany]]}}\n"
        "Its source lies in [[Germany]]. Its course touches [[Germany]] and [[Austria]]."
    )

    whole = "Its course touches Germany and Austria."
    assert stated(text, "countries") == {"Austria": whole, "Germany": whole}
    assert stated(text, "source_country") == {"Germany": "Its source lies in Germany."}


def test_a_comma_within_one_name_splits_nothing_if_the_prose_says_so():
    text = (
        "{{Infobox building|city=Cambridge, Massachusetts}}\nIt stands in Cambridge, Massachusetts."
    )

    assert list(stated(text, "city")) == ["Cambridge, Massachusetts"]


def test_a_list_whose_members_follow_each_other_in_prose_stays_split():
    text = "{{Infobox bird|diet=seeds, fruit, worms}}\nIt eats seeds, fruit, worms and more."

    assert list(stated(text, "diet")) == ["seeds", "fruit", "worms"]


def test_what_steers_the_display_is_no_fact():
    text = (
        "{{Infobox city|name=X|image=A.png|image_caption=c|map_alt=m|leader_title1=Mayor"
        "|area_km2=3}}"
    )

    assert [fact.attribute for fact in read(text).facts] == ["area_km2"]


def test_what_is_left_out_of_an_infobox_is_named():
    text = "{{Infobox city|twin=[[Atlantis]]|odd={{strange}}|motto=" + "long " * 60 + "}}"
    result = read(text)

    assert result.left_out == {
        "value_link_to_nowhere": ("Atlantis",),
        "unreadable_value": ("odd",),
        "value_too_long": ("motto",),
    }
    assert [(fact.value, fact.value_page) for fact in result.facts] == [("Atlantis", None)]


def test_a_page_without_infobox_has_no_facts():
    assert read("Just prose.").facts == ()


def test_a_link_is_the_value_only_where_it_makes_up_most_of_it():
    text = "{{Infobox x|a=[[Austria]] (1918)|b=a plan for all of [[Austria]]|c=27 ([[Vienna]])}}"

    assert [(f.attribute, f.value_page) for f in read(text).facts] == [
        ("a", 2), ("b", None), ("c", None),
    ]  # fmt: skip


def test_a_link_without_a_cue_states_nothing_where_the_sentence_is_not_about_the_page():
    box = "{{Infobox city|country=[[Austria]]}}\nA first one. "

    assert stated(box + "Tours go on to [[Austria]].", "country") == {"Austria": None}
    assert stated(box + "Subject, by [[Austria]].", "country") == {
        "Austria": "Subject, by Austria."
    }
    assert stated(box + "It reaches [[Austria]].", "country") == {"Austria": "It reaches Austria."}


def test_a_relation_that_prose_puts_into_words_needs_them():
    box = "{{Infobox person|alma_mater=[[Vienna]]}}\n"

    assert stated(box + "Subject taught in [[Vienna]].", "alma_mater") == {"Vienna": None}


def test_a_word_like_in_beside_a_value_counts_only_in_a_sentence_about_the_page():
    box = "{{Infobox art|country=Austria}}\nA first one. "

    assert stated(box + "Schools have their own in Austria.", "country") == {"Austria": None}
    assert stated(box + "It began in Austria.", "country") == {"Austria": "It began in Austria."}


def test_a_link_states_no_share_that_its_sentence_lacks():
    box = "{{Infobox country|ethnic_groups=36% [[Austria]]}}\n"

    assert stated(box + "Ethnic groups are [[Austria]]ns.", "ethnic_groups") == {
        "36% Austria": None
    }
    assert stated(box + "Of ethnic groups 36% are [[Austria]]ns.", "ethnic_groups") == {
        "36% Austria": "Of ethnic groups 36% are Austrians."
    }


def test_a_number_that_goes_on_is_another_number():
    box = "{{Infobox country|population=98}}\n"

    assert stated(box + "The population is 98.767 by now.", "population") == {"98": None}
    assert stated(box + "The population is 98, they say.", "population") == {
        "98": "The population is 98, they say."
    }


def test_what_states_nothing_is_no_fact():
    text = "{{Infobox city|seat=Coat.svg|team=yes|density=auto|largest_city=capital|iso2=NO}}"

    assert [fact.value for fact in read(text).facts] == ["NO"]

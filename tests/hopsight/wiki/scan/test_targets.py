from hypothesis import given
from hypothesis import strategies as st

from hopsight.wiki.dump import SiteInfo
from hopsight.wiki.scan.links import LinkScanner
from hopsight.wiki.titles import Namespaces

LETTERS = st.sampled_from("aAßéЖ维 _#%:2B\u00a0\u3000\t'\"()")
ANY = st.characters(exclude_categories=["Cs"], exclude_characters="<>[]{}|\n&=")
TARGET = st.text(LETTERS, min_size=1, max_size=8) | st.text(ANY, min_size=1, max_size=6)


@given(st.lists(TARGET, max_size=8), st.booleans())
def test_the_normal_form_of_a_target_is_that_of_a_title(written, first_letter):
    case = "first-letter" if first_letter else "case-sensitive"
    namespaces = Namespaces(SiteInfo(case=case))
    scanner = LinkScanner(namespaces)
    text = "\n".join(f"[[{target}]]" for target in written).encode()

    scanner.scan(text, 0, len(text))

    names, numbers = scanner.targets.normal()
    titles = [namespaces.title(target) for target in written]
    found = [names[numbers[number]] for number in scanner.numbers]
    # A target of exotic spaces alone is kept, and leads nowhere.
    assert list(filter(None, found)) == [t.name for t in titles if t.namespace == 0 and t.name]
    assert len(set(names)) == len(names)

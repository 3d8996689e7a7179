"""A small MediaWiki export, written as a test needs it."""

from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest

NAMESPACES = {-1: "Special", 0: "", 1: "Talk", 6: "File", 10: "Template", 14: "Category"}
HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11"
 xml:lang="{language}">
<siteinfo><sitename>Test</sitename><base>https://test.invalid/wiki/Main_Page</base>
<case>first-letter</case><namespaces>{namespaces}</namespaces></siteinfo>
"""

WriteExport = Callable[..., Path]


def export_text(pages, namespaces=NAMESPACES, language="en"):
    """XML of pages given as (title, wikitext) or (title, wikitext, namespace, redirect)."""
    spaces = "".join(
        f'<namespace key="{key}" case="first-letter">{name}</namespace>'
        for key, name in namespaces.items()
    )
    parts = [HEAD.replace("{namespaces}", spaces).replace("{language}", language)]
    for number, page in enumerate(pages, start=1):
        title, text, namespace, redirect = (*page, 0, None)[:4] if len(page) < 4 else page
        flag = f"<redirect title={quoteattr(redirect)} />" if redirect else ""
        parts.append(
            f"<page><title>{escape(title)}</title><ns>{namespace}</ns><id>{number}</id>{flag}"
            f"<revision><id>{1000 + number}</id><timestamp>2024-01-01T00:00:00Z</timestamp>"
            f'<text xml:space="preserve">{escape(text)}</text></revision></page>\n'
        )
    return "".join(parts) + "</mediawiki>\n"


@pytest.fixture
def export(tmp_path) -> WriteExport:
    """Writes pages as an export and gives its path; page ids count from 1."""

    def write(*pages, name="dump.xml", namespaces=NAMESPACES, language="en") -> Path:
        path: Path = tmp_path / name
        path.write_text(export_text(pages, namespaces, language), encoding="utf-8")
        return path

    return write


def redirect(title, target):
    return (title, f"#REDIRECT [[{target}]]", 0, target)


@pytest.fixture(name="redirect")
def redirect_page():
    """Makes a redirect for `export`."""
    return redirect

r"""The pattern that walks over a page's wikitext as it stands in the XML, escapes and all.

One search finds the next thing that matters and consumes it whole: a link, or something in which
no link counts (a template, a reference, a table, a comment). Possessive repeats keep it linear:
what was read once is never read again, and nesting is followed to a fixed depth. What is nested
deeper or never closed ends in a `BARE` token, and `blank.py` takes the page over.

Every alternative starts with a literal character: the regex engine then skips plain text at the
speed of a byte search. Text is escaped: `<` is `&lt;`, and a bare `<` or `>` never occurs.
"""

import re
from typing import Final

from hopsight.wiki.scan.rules import DROPPED_TAGS

_BRACES: Final = 8
_TABLES: Final = 2
_LINKS: Final = 3
"""Levels of nesting that are followed."""

_SINGLE_BRACKETS: Final = rb"\[(?!\[)|\](?!\])"
_WORDS_END: Final = rb"[^\[\]]*+(?:\]\]|(?:(?:" + _SINGLE_BRACKETS + rb")[^\[\]]*+)++\]\])"
_NAMES: Final = "|".join(sorted(DROPPED_TAGS, key=len, reverse=True)).encode()
_TAG_NAME: Final = rb"(?i:" + _NAMES + rb")(?![a-zA-Z])"
ATTRIBUTES: Final = rb"[^&]*+(?:&(?![lg]t;)[^&]*+)*+&gt;"
"""What stands in a tag behind its name."""

_LINE_START: Final = rb"(?:(?<![^\n>]\{\|)|(?<=\n[: ]\{\|)|(?<=\n::\{\|))"
_TABLE_END: Final = rb"\n[ \t]*+\|\}(?!\})"


def _brackets(depth: int) -> bytes:
    """What follows `[[`, up to the `]]` that fits."""
    inner = rb"|\[\[" + _brackets(depth - 1) if depth else b""
    loop = rb"(?:(?:" + _SINGLE_BRACKETS + inner + rb")[^\[\]]*+)++"
    return rb"[^\[\]]*+(?:\]\]|" + loop + rb"\]\])"


def _braces(depth: int) -> bytes:
    """What follows `{{`, up to the `}}` that fits."""
    inner = rb"|\{\{" + _braces(depth - 1) if depth else b""
    loop = rb"(?:(?:\{(?!\{)|\}(?!\})" + inner + rb")[^{}]*+)++"
    return rb"[^{}]*+(?:\}\}|" + loop + rb"\}\})"


def _table(depth: int) -> bytes:
    """What follows `{|`, up to the `|}` at the start of a line that fits."""
    start = rb"\n[ \t:]*+\{\|"
    inner = rb"|" + start + _table(depth - 1) if depth else b""
    line = rb"\n(?![ \t]*+\|\}(?!\})|[ \t:]*+\{\|)[^\n]*+"
    return rb"[^\n]*+(?:" + line + inner + rb")*+" + _TABLE_END


_PLAIN_TARGET: Final = rb"[^\s\[\]{}|:#%&_][^\[\]{}|\n:#%&_]*+"
_TARGET: Final = rb"[^\[\]{}|\n]*+"
# A link whose words are missing (`[[A|]]`) is plain text to MediaWiki.
_END: Final = rb"(?:\]\]|\|(?!\s*+\]\])" + _WORDS_END + rb")"
_LINK_ALTERNATIVES: Final = (
    # PLAIN: a link that leads to an article, whatever the wiki's namespaces
    rb"(" + _PLAIN_TARGET + rb")" + _END,
    # LINK: any other link without links in its words
    rb"(" + _TARGET + rb")" + _END,
    # NESTED: a link with links in its words, as captions of pictures have them
    rb"(" + _TARGET + rb")\|" + _brackets(_LINKS),
)
_TAG_ALTERNATIVES: Final = (
    # a reference: the most frequent tag, so it has an alternative of its own
    rb"ref(?![a-zA-Z])" + ATTRIBUTES + rb"(?:(?<=/&gt;)|"
    rb"[^&]*+(?:&(?!lt;/?ref(?![a-zA-Z]))[^&]*+)*+&lt;/ref\s*+&gt;)",
    # a comment; MediaWiki lets one that is not closed run to the end of the page
    rb"!--[^-]*+(?:-(?!-&gt;)[^-]*+)*+(?:--&gt;)?",
    # TAG: any other one in which no link counts
    rb"((?i:" + _NAMES + rb"))(?![a-zA-Z])" + ATTRIBUTES + rb"(?:(?<=/&gt;)|"
    rb"[^&]*+(?:&(?!lt;/?(?i:\4)(?![a-zA-Z]))[^&]*+)*+&lt;/(?i:\4)\s*+&gt;)",
    # BARE: the start of a tag that is not closed
    _TAG_NAME + rb"()",
)
_ALTERNATIVES: Final = (
    rb"\[\[(?:" + b"|".join(_LINK_ALTERNATIVES) + rb")",
    rb"&lt;(?:" + b"|".join(_TAG_ALTERNATIVES) + rb")",
    # TEMPLATE, with its name
    rb"\{\{([^{}|&]*+)" + _braces(_BRACES),
    # HEADING, on a line of its own
    rb"=(?<![^\n>]=)([^\n]*=)[ \t]*+(?:&lt;!--[^\n]*)?(?![^\n])",
    rb"\{\|" + _LINE_START + _table(_TABLES),
    # BARE: the start of a template or table that the alternatives above could not close
    rb"\{(?:\{|\|" + _LINE_START + rb")()",
)
PLAIN: Final = 1
LINK: Final = 2
NESTED: Final = 3
TAG: Final = 4
BARE_TAG: Final = 5
TEMPLATE: Final = 6
HEADING: Final = 7
BARE: Final = 8
"""Numbers of the groups (`re.Match.lastindex`); a token without one is passed over."""

TOKENS: Final = re.compile(b"|".join(_ALTERNATIVES))

EDGES: Final = re.compile(
    rb"&lt;!--|&lt;" + _TAG_NAME + rb"|\{\{|\}\}|\{\|" + _LINE_START + rb"|\|\}(?<=\n\|\})(?!\})"
)
"""Starts and ends one by one, for pages that TOKENS could not read."""

VALUE: Final = re.compile(
    rb"\|\s*+([A-Za-z_ ]+?)\s*+=((?:[^|{}\[\]]++|\[\["
    + _brackets(2)
    + rb"|\{\{"
    + _braces(2)
    + rb"|[\[\]{}])*+)"
)
"""One named parameter of a template, links and templates in its value whole."""

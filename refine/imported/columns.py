"""Which columns of a file hold what: names are compared without case, spaces and hyphens."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal

from hopsight.errors import SourceError

Role = Literal["question", "answer", "aliases", "picture", "reasoning", "url", "license", "author"]

NAMES: Final[Mapping[Role, tuple[str, ...]]] = {
    "question": ("question", "query", "prompt", "problem", "q"),
    "answer": (
        "answer",
        "answers",
        "gold",
        "gold_answer",
        "ground_truth",
        "groundtruth",
        "reward_model",
        "a",
    ),
    "aliases": ("answer_aliases", "aliases", "candidate_answers", "ground_truth_list"),
    "picture": (
        "images",
        "image",
        "image_bytes",
        "pictures",
        "picture",
        "img",
        "image_path",
        "image_paths",
        "img_path",
        "img_paths",
        "image_url",
        "image_urls",
        "img_url",
        "img_urls",
    ),
    "reasoning": ("reasoning", "rationale", "cot", "evidence", "explanation"),
    "url": ("image_url", "image_urls", "img_url", "img_urls"),
    "license": ("image_license", "license", "licence"),
    "author": ("image_author", "attribution", "credit"),
}
"""Names of columns by role, those first that are looked into first."""

NEEDED: Final[tuple[Role, ...]] = ("question", "answer", "picture")
_NUMBERED: Final = re.compile(r"(?:image|img|picture)_?(\d{1,3})(?:_(?:bytes|path|url))?")
_SHOWN: Final = 40


class Columns:
    """The columns of each role, in the order in which they are looked into.

    `given` names columns for roles, in place of the usual names.
    """

    def __init__(self, names: Iterable[str], given: Mapping[Role, str] | None = None) -> None:
        found = list(dict.fromkeys(names))
        by_form: dict[str, list[str]] = {}
        for name in found:
            by_form.setdefault(_form(name), []).append(name)
        self._by_role: dict[Role, tuple[str, ...]] = {
            role: tuple(name for form in forms for name in by_form.get(form, ()))
            for role, forms in NAMES.items()
        }
        for role, name in (given or {}).items():
            self._by_role[role] = (name,) if name in found else ()
        takes_numbered = "picture" not in (given or {})
        self.numbered = _numbered(found) if takes_numbered else ()
        """`image_1`, `image_2` …: the pictures of a row, one a column, by number."""

    def of(self, role: Role) -> tuple[str, ...]:
        """The columns of a role."""
        return self._by_role[role]

    def used(self) -> set[str]:
        """All columns that are looked into."""
        return {*self.numbered}.union(*self._by_role.values())

    def missing(self) -> list[Role]:
        """The roles that no column plays and every row needs."""
        return [
            role
            for role in NEEDED
            if not self._by_role[role] and not (role == "picture" and self.numbered)
        ]


def no_columns(file: str, missing: Iterable[Role], found: Iterable[str]) -> SourceError:
    """What is said of a file that lacks the columns of a role."""
    names = sorted(set(found))
    shown = ", ".join(repr(name[:60]) for name in names[:_SHOWN]) or "none"
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    roles = " and no ".join(missing)
    known = "; ".join(f"{role}: {', '.join(NAMES[role])}" for role in missing)
    return SourceError(
        f"{file} has no {roles} column; its columns are {shown}{more}",
        f"rename a column, or say which one it is ({known})",
    )


def _form(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")


def _numbered(names: Iterable[str]) -> tuple[str, ...]:
    found = ((_NUMBERED.fullmatch(_form(name)), name) for name in names)
    return tuple(
        name for _, name in sorted((int(match[1]), name) for match, name in found if match)
    )

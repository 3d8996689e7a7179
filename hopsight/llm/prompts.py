"""Prompts: text files with a name, a version and a hash; what is filled in is data.

A prompt file is a header and one section for each message:

    ---
    name: judge_answer
    version: 1
    role: judge
    ---
    ## system
    …
    ## user
    Question: {{question}}

A value never becomes part of the instructions. It stands between `<data name="question">` and
`</data>`; marks of chat templates in it, and its own `data` marks, are made harmless.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from hopsight.errors import ConfigError
from hopsight.harness.render import neutralise, storable
from hopsight.llm.chat import ChatMessage, Picture
from hopsight.types import PromptRef

PROMPTS: Final = Path(__file__).parent / "prompt_files"
VERSIONS: Final = "versions.json"

_FILE: Final = re.compile(
    r"---\nname: (?P<name>[a-z][a-z0-9_]*)\nversion: (?P<version>[1-9]\d*)\n"
    r"role: (?P<role>[a-z_]+)\n---\n(?P<body>.*)",
    re.DOTALL,
)
_SECTION: Final = re.compile(r"^## (system|user|assistant)\n", re.MULTILINE)
_PLACEHOLDER: Final = re.compile(r"\{\{([a-z][a-z0-9_]*)\}\}")
_DATA_MARK: Final = re.compile(r"<(\\*)(?=/?data\b)", re.IGNORECASE)

Speaker = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt. `sha256` (hex) is that of the whole file; `role` is whom it is written for."""

    name: str
    version: str
    role: str
    sections: tuple[tuple[Speaker, str], ...]
    sha256: str

    @property
    def ref(self) -> PromptRef:
        """What a record keeps of the prompt that wrote it."""
        return PromptRef(name=self.name, version=self.version, sha256=self.sha256)

    @property
    def placeholders(self) -> frozenset[str]:
        """Names of the values it needs."""
        return frozenset(name for _, text in self.sections for name in _PLACEHOLDER.findall(text))

    def render(
        self, values: Mapping[str, str], pictures: Sequence[Picture] = ()
    ) -> tuple[ChatMessage, ...]:
        """The messages, with `values` filled in as data and `pictures` after the last message.

        Raises:
            ConfigError: unless `values` has exactly the names of the placeholders.
        """
        if set(values) != self.placeholders:
            odd = sorted(set(values) ^ self.placeholders)
            raise ConfigError(
                f"prompt {self.name} version {self.version} and its values differ in {odd}",
                "give one value for each placeholder of the prompt file",
            )
        messages = [
            ChatMessage(
                role=speaker,
                content=(
                    _PLACEHOLDER.sub(lambda found: as_data(found[1], values[found[1]]), text),
                ),
            )
            for speaker, text in self.sections
        ]
        last = messages[-1]
        messages[-1] = last.model_copy(update={"content": (*last.content, *pictures)})
        return tuple(messages)


def as_data(name: str, value: str) -> str:
    """`value` between data marks, with every mark inside it made harmless."""
    text = _DATA_MARK.sub(lambda match: match[0] + "\\", neutralise(storable(value)))
    return f'<data name="{name}">\n{text}\n</data>'


def load_prompt(name: str, folder: Path = PROMPTS) -> Prompt:
    """The prompt of the file `NAME.md` in `folder`.

    Raises:
        ConfigError: if there is none, or the file is no prompt file.
    """
    path = folder / f"{name}.md"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        known = ", ".join(prompt_names(folder)) or "none"
        raise ConfigError(
            f"prompt {name} cannot be read: {error}", f"choose one of: {known}"
        ) from error
    return parse_prompt(name, text)


def parse_prompt(name: str, text: str) -> Prompt:
    """The prompt that a file named `name` holds; ConfigError says what it lacks."""
    match = _FILE.fullmatch(text)
    parts = _SECTION.split(match["body"]) if match else [""]
    texts = [part.strip() for part in parts[2::2]]
    if match is None or match["name"] != name or parts[0].strip() or not texts or "" in texts:
        raise ConfigError(
            f"prompt file {name}.md is not a prompt of that name",
            "begin it with name, version and role between --- lines, then ## system and ## user",
        )
    sections: list[tuple[Speaker, str]] = []
    for speaker, section in zip(parts[1::2], texts, strict=True):
        sections.append((_speaker(speaker), section))
    return Prompt(
        name,
        match["version"],
        match["role"],
        tuple(sections),
        hashlib.sha256(text.encode()).hexdigest(),
    )


def prompt_names(folder: Path = PROMPTS) -> tuple[str, ...]:
    """Names of the prompt files in `folder`, sorted."""
    return tuple(sorted(path.stem for path in folder.glob("*.md")))


def recorded_versions(folder: Path = PROMPTS) -> dict[str, dict[str, str]]:
    """Hash of each version of each prompt that was ever recorded in `folder`."""
    path = folder / VERSIONS
    if not path.exists():
        return {}
    versions: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return versions


def unrecorded_changes(folder: Path = PROMPTS) -> list[str]:
    """What differs between the files and the record of versions, one line each."""
    recorded = recorded_versions(folder)
    changes = []
    for name in prompt_names(folder):
        prompt = load_prompt(name, folder)
        known = recorded.get(name, {})
        if known.get(prompt.version, prompt.sha256) != prompt.sha256:
            changes.append(f"{name}: the text changed and the version is still {prompt.version}")
        elif any(int(version) > int(prompt.version) for version in known):
            changes.append(f"{name}: version {prompt.version} is older than one recorded before")
        elif prompt.version not in known:
            changes.append(f"{name}: version {prompt.version} is not recorded yet")
    gone = sorted(set(recorded) - set(prompt_names(folder)))
    return changes + [f"{name}: recorded, but its file is gone" for name in gone]


def record_versions(folder: Path = PROMPTS) -> None:
    """Add new versions to the record; what is recorded already is never changed.

    Raises:
        ConfigError: if a text changed without a new version.
    """
    recorded = recorded_versions(folder)
    wrong = [change for change in unrecorded_changes(folder) if "not recorded yet" not in change]
    if wrong:
        raise ConfigError("; ".join(wrong), "raise the version in the prompt file")
    for name in prompt_names(folder):
        prompt = load_prompt(name, folder)
        recorded.setdefault(name, {})[prompt.version] = prompt.sha256
    text = json.dumps(recorded, indent=2, sort_keys=True)
    (folder / VERSIONS).write_text(text + "\n", encoding="utf-8")


def _speaker(word: str) -> Speaker:
    return "system" if word == "system" else "user" if word == "user" else "assistant"

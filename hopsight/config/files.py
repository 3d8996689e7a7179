"""Configuration files: read with errors that say what to mend, and written with comments."""

import difflib
import json
import textwrap
from collections.abc import Hashable
from enum import Enum
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from hopsight.config.rounds import RoundConfig
from hopsight.errors import ConfigError

MAX_BYTES = 1 << 20
MAX_TOLD = 5
_WIDTH = 96


def load_round(path: Path) -> RoundConfig:
    """Read and check a configuration. Raises ConfigError: file, key, what was found, what may be.

    Values are taken as they are written: "10" is no number, and 0001 without quotes is no text.
    """
    text = read_text(path)
    return parse_round(text, str(path))


def parse_round(text: str, name: str) -> RoundConfig:
    """The same from text; `name` stands for the file in errors."""
    data = read_yaml(text, name)
    # Through JSON: strict there means exact types, yet lets text name an enum member or a path.
    try:
        return RoundConfig.model_validate_json(json.dumps(data, default=str), strict=True)
    except ValidationError as error:
        raise _config_error(error, name) from error


def render_default_config() -> str:
    """The default configuration as YAML, each key under its description."""
    lines = [
        "# The configuration of one round. Every key is shown with its default; keys that are left",
        "# out keep it. Tags: [OSV] arXiv 2605.05185, [ODE] arXiv 2605.10832, [ours] our choice.",
        "",
        *_rendered(RoundConfig(), ""),
    ]
    return "\n".join(lines) + "\n"


class _Loader(yaml.SafeLoader):
    """Safe YAML without duplicate keys (the last would win in silence) and without aliases."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.constructor.ConstructorError(None, None, "aliases are not allowed", mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: dict[str, int] = {}
        for key_node, _ in node.value:
            key = str(self.construct_object(key_node, deep=True))
            line = key_node.start_mark.line + 1
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None,
                    None,
                    f"key {key!r} stands twice (first in line {seen[key]})",
                    key_node.start_mark,
                )
            seen[key] = line
        return super().construct_mapping(node, deep)


def read_text(path: Path) -> str:
    """A configuration file's text, of bounded size. Raises ConfigError."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ConfigError(f"{path} is larger than {MAX_BYTES} bytes", "give a configuration")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise ConfigError(
            f"{path} does not exist", "write one with `hopsight init`, or give another --config"
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is no UTF-8 text", "save it as UTF-8") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror})", "check the path") from error


def read_yaml(text: str, name: str) -> object:
    """Keys and values of YAML; `name` stands for the file in errors. Raises ConfigError."""
    try:
        data = yaml.load(text, Loader=_Loader)  # noqa: S506 -- a SafeLoader with two more checks
    except yaml.MarkedYAMLError as error:
        line = "" if error.problem_mark is None else f" line {error.problem_mark.line + 1}"
        raise ConfigError(f"{name}{line}: {error.problem}", "mend the YAML there") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        said = " ".join(str(error).split())
        raise ConfigError(f"{name}: not readable as YAML ({said})", "mend the YAML") from error
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise ConfigError(
            f"{name}: found {_shown(data)} where keys and values are expected",
            "begin with a key such as `round:`; `hopsight init` writes an example",
        )
    return data


def _config_error(error: ValidationError, name: str) -> ConfigError:
    """Every problem in one line, at most MAX_TOLD of them."""
    details = error.errors(include_url=False)
    causes = [_cause(detail) for detail in details[:MAX_TOLD]]
    remedies = list(dict.fromkeys(_remedy(detail) for detail in details[:MAX_TOLD]))
    more = len(details) - MAX_TOLD
    if more > 0:
        causes.append(f"and {more} more")
    return ConfigError(f"{name}: {'; '.join(causes)}", "; ".join(remedies))


def _cause(detail: ErrorDetails) -> str:
    key = _dotted(detail)
    if detail["type"] == "extra_forbidden":
        return f"unknown key {key} (found {_shown(detail['input'])})"
    if detail["type"] == "missing":
        return f"key {key} is missing"
    if detail["type"] == "value_error":
        return f"{key or 'configuration'}: {_said(detail)}"
    return f"{key}: found {_shown(detail['input'])}"


def _remedy(detail: ErrorDetails) -> str:
    key = _dotted(detail)
    if detail["type"] == "extra_forbidden":
        return _nearest(detail)
    if detail["type"] == "missing":
        return f"add {key}"
    if detail["type"] == "value_error":
        return f"change {key or 'one of them'}"
    return f"{key} {_allowed(detail)}"


def _allowed(detail: ErrorDetails) -> str:
    """What may stand there, in pydantic's words where they are plain."""
    if detail["type"] == "string_type" and _last_key(detail) in ("round", "parent"):
        return 'must be four digits in quotes, as "0001"'
    if detail["type"] == "string_pattern_mismatch" and _last_key(detail) in ("round", "parent"):
        return 'must be four digits, as "0001"'
    if detail["type"] in ("model_type", "dict_type"):
        return "must be a group of keys, or be left out"
    text = _said(detail).replace("Input should be", "must be")
    return text[:1].lower() + text[1:]


def _said(detail: ErrorDetails) -> str:
    return detail["msg"].removeprefix("Value error, ")


def _last_key(detail: ErrorDetails) -> str:
    return str(detail["loc"][-1]) if detail["loc"] else ""


def _dotted(detail: ErrorDetails) -> str:
    """The key as `explore.retries`; pydantic's marks for a dict's keys are left out."""
    return ".".join(str(part) for part in detail["loc"] if part != "[key]")


def _nearest(detail: ErrorDetails) -> str:
    *parents, wrong = detail["loc"]
    known = _known_keys([str(part) for part in parents])
    prefix = "".join(f"{part}." for part in parents)
    near = difflib.get_close_matches(str(wrong), known, n=1, cutoff=0.5)
    if near:
        return f"did you mean {prefix}{near[0]}?"
    return f"known keys {'there' if parents else ''} are {', '.join(known)}".replace("  ", " ")


def _known_keys(parents: list[str]) -> list[str]:
    model: type[BaseModel] = RoundConfig
    for part in parents:
        model = _section(model.model_fields[part].annotation)
    return sorted(model.model_fields)


def _section(annotation: Any) -> type[BaseModel]:
    """The section that a field holds, also where it may be left out."""
    for inner in (annotation, *get_args(annotation)):
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            return inner
    raise TypeError(f"{annotation} is no section")


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _rendered(section: BaseModel, indent: str) -> list[str]:
    lines: list[str] = []
    for name, info in type(section).model_fields.items():
        value = getattr(section, name)
        lines += [""] if isinstance(value, BaseModel) else []
        lines += _comment(info.description or "", indent)
        if isinstance(value, BaseModel):
            lines += [f"{indent}{name}:", *_rendered(value, indent + "  ")]
        elif isinstance(value, dict):
            lines.append(f"{indent}{name}:")
            lines += [f"{indent}  {_scalar(key)}: {_scalar(of)}" for key, of in value.items()]
        elif isinstance(value, tuple) and value:
            lines.append(f"{indent}{name}:")
            lines += [f"{indent}  - {_scalar(each)}" for each in value]
        else:
            lines.append(f"{indent}{name}: {_scalar(value)}")
    return lines


def _comment(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text, _WIDTH, initial_indent=f"{indent}# ", subsequent_indent=f"{indent}# "
    )


def _scalar(value: object) -> str:
    plain = value.value if isinstance(value, Enum) else value
    plain = str(plain) if isinstance(plain, Path) else plain
    return yaml.safe_dump(plain, allow_unicode=True).removesuffix("\n").removesuffix("\n...")

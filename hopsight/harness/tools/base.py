"""What every tool is made of: checked arguments in, text and pictures out."""

import inspect
import json
from dataclasses import dataclass
from typing import Any, Final, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from hopsight.errors import Outcome, ToolError
from hopsight.harness.bank import Box, ImageBank
from hopsight.harness.policy import ToolSpec
from hopsight.harness.workbench import Workbench
from hopsight.types import ImageRef

MAX_ARGUMENT_CHARS: Final = 8_000
SCALARS: Final = frozenset({"string", "number", "integer", "boolean"})


class ToolArgs(BaseModel):
    """Arguments of a tool. Fields are scalars; an image is given by its handle in `image`."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


@dataclass(frozen=True, slots=True)
class NewPicture:
    """A picture that a tool brings; its handle is written where it stands in the result."""

    image: ImageRef
    parent: int | None = None
    box: Box | None = None


Piece = str | NewPicture


@dataclass(frozen=True, slots=True)
class ToolResult:
    """Text and pictures in reading order. Text from outside must be neutralised already."""

    pieces: tuple[Piece, ...]
    outcome: Outcome = Outcome.OK

    @property
    def text(self) -> str:
        """The text without its pictures."""
        return "".join(piece for piece in self.pieces if isinstance(piece, str))


class Tool(Protocol):
    """A tool. Its class docstring is what the model reads; `max_chars` bounds its text."""

    name: str
    max_chars: int
    args: type[Any]

    async def run(self, args: Any, bench: Workbench, bank: ImageBank) -> ToolResult:
        """Do it. Raises ToolError (told to the model), ProviderError or PictureError."""
        ...


def spec(tool: Tool) -> ToolSpec:
    """What a policy is told of a tool."""
    schema: dict[str, Any] = tool.args.model_json_schema()
    properties = {
        name: {key: value for key, value in field.items() if key != "title"}
        for name, field in schema["properties"].items()
    }
    for name, field in properties.items():
        if field.get("type") not in SCALARS:
            raise TypeError(f"argument {name} of {tool.name} is no scalar: {field}")
    return ToolSpec(
        name=tool.name,
        description=inspect.cleandoc(type(tool).__doc__ or ""),
        schema={
            "type": "object",
            "properties": properties,
            "required": schema.get("required", []),
            "additionalProperties": False,
        },
    )


def parse_args(tool: Tool, text: str) -> ToolArgs:
    """Check a call's arguments. Raises ToolError (invalid_args) that says what is wrong."""
    try:
        parsed: ToolArgs = tool.args.model_validate(_json_object(text))
    except ValidationError as error:
        faults = "; ".join(_fault(item) for item in error.errors()[:5])
        raise ToolError(Outcome.INVALID_ARGS, f"{tool.name}: {faults}") from error
    except ValueError as error:
        raise ToolError(
            Outcome.INVALID_ARGS, f"{tool.name}: the arguments are no JSON object ({error})"
        ) from error
    return parsed


def _json_object(text: str) -> dict[str, Any]:
    if len(text) > MAX_ARGUMENT_CHARS:
        raise ValueError(f"longer than {MAX_ARGUMENT_CHARS} characters")
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(value, dict):
        raise ValueError(f"found {type(value).__name__}")
    return {name: _clean(item) for name, item in value.items()}


def _clean(value: Any) -> Any:
    """A lone surrogate, which JSON can spell, cannot be searched for or stored."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


def _fault(item: Any) -> str:
    place = ".".join(str(part) for part in item["loc"])[:60] or "arguments"
    return f"{place}: {item['msg']}"

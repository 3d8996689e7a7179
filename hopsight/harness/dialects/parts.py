"""Pieces that dialects are put together from."""

from collections.abc import Callable
from typing import Any, Final

from hopsight.errors import Outcome, ToolError
from hopsight.harness.bank import ImageBank
from hopsight.harness.dialects.arguments import Arguments
from hopsight.harness.dialects.dialect import Canonical, DialectTool
from hopsight.harness.policy import ToolSpec
from hopsight.harness.render import handle

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}
NUMBER: Final[Schema] = {"type": "number"}
INTEGER: Final[Schema] = {"type": "integer"}
TEXTS: Final[Schema] = {"type": "array", "items": {"type": "string"}, "minItems": 1}
BOX: Final[Schema] = {
    "type": "array",
    "items": {"type": "number"},
    "minItems": 4,
    "maxItems": 4,
}
MAX_RESULTS: Final = 10


def told(kind: Schema, description: str) -> Schema:
    """An argument of a kind, with its description."""
    return {**kind, "description": description}


def spec(name: str, description: str, required: str, **arguments: Schema) -> ToolSpec:
    """A tool as a policy is told of it; `required` names arguments, apart by spaces."""
    schema = {"type": "object", "properties": arguments, "required": required.split()}
    return ToolSpec(name=name, description=description, schema=schema)


def tool(
    told_as: ToolSpec,
    canonical: str,
    read: Callable[[Arguments, ImageBank], Canonical | tuple[Canonical, ...]],
    write: Callable[[Canonical, ImageBank], dict[str, Any]],
) -> DialectTool:
    """A tool whose `read` may give one call alone."""

    def as_tuple(arguments: Arguments, bank: ImageBank) -> tuple[Canonical, ...]:
        found = read(arguments, bank)
        return found if isinstance(found, tuple) else (found,)

    return DialectTool(told_as, canonical, as_tuple, write)


def renamed(told_as: ToolSpec, canonical: str, **names: str) -> DialectTool:
    """A tool of which only names differ: `names` maps each of its arguments to ours, all text."""

    def read(arguments: Arguments, bank: ImageBank) -> Canonical:
        return {ours: arguments.text(theirs) for theirs, ours in names.items()}

    def write(values: Canonical, bank: ImageBank) -> dict[str, Any]:
        only(values, *names.values())
        return {theirs: values[ours] for theirs, ours in names.items()}

    return tool(told_as, canonical, read, write)


def results(arguments: Arguments, name: str, default: int) -> int:
    """A number of results, brought into the bounds of ours."""
    return int(min(max(arguments.number(name, default), 1), MAX_RESULTS))


def our_handle(text: str, bank: ImageBank) -> str:
    """A reference as our handle. Raises ToolError where the bank has no such picture."""
    return handle(bank.resolve(text).handle)


def number_of(values: Canonical, bank: ImageBank) -> int:
    """The handle's number in our own arguments."""
    return bank.resolve(values["image"]).handle


def only(values: Canonical, *names: str, **defaults: object) -> None:
    """Raises ToolError where our arguments say more than the dialect can: beside `names`, each
    must be left out or be what `defaults` says.
    """
    for name, value in values.items():
        if name not in names and (name not in defaults or defaults[name] != value):
            raise ToolError(Outcome.INVALID_ARGS, f"{name} cannot be said in this dialect")


def fractions(
    pixels: tuple[float, ...], bank: ImageBank, number: int
) -> tuple[float, float, float, float]:
    """A box in pixels of a picture as fractions, cut off at its borders."""
    image = bank.resolve(str(number)).image
    width, height = image.width, image.height
    x0, y0, x1, y1 = pixels
    return (
        min(max(x0 / width, 0.0), 1.0),
        min(max(y0 / height, 0.0), 1.0),
        min(max(x1 / width, 0.0), 1.0),
        min(max(y1 / height, 0.0), 1.0),
    )


def pixels_of(values: Canonical, bank: ImageBank) -> tuple[int, int, int, int]:
    """Our box in pixels, rounded as zoom_in rounds."""
    image = bank.resolve(values["image"]).image
    return (
        round(values["x0"] * image.width),
        round(values["y0"] * image.height),
        round(values["x1"] * image.width),
        round(values["y1"] * image.height),
    )


def boxed(image: str, box: tuple[float, float, float, float]) -> Canonical:
    """The arguments of zoom_in."""
    return {"image": image, "x0": box[0], "y0": box[1], "x1": box[2], "y1": box[3]}

"""The Arrow schema of a record type, derived from its pydantic fields.

Nested parts become structs, `tuple[X, ...]` lists, a literal or a string enum a string, `X | None`
a nullable field. What has no fixed columns (`dict`, `Any`, a union of types) is refused: a record
says what it holds.
"""

import types
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pyarrow as pa
from pydantic import BaseModel

from hopsight.errors import StoreError
from hopsight.types import Record

KIND_KEY = b"hopsight.kind"
VERSION_KEY = b"hopsight.schema_version"

_SCALARS: Mapping[object, pa.DataType] = {
    bool: pa.bool_(),
    int: pa.int64(),
    float: pa.float64(),
    str: pa.string(),
}


@cache
def arrow_schema(record_type: type[Record]) -> pa.Schema:
    """Columns `id` and then the fields in order; kind and schema version stand in the metadata.

    Raises StoreError for a field that has no Arrow type, naming it.
    """
    fields = [pa.field("id", pa.string(), nullable=False), *_fields(record_type)]
    metadata = {
        KIND_KEY: record_type.kind.encode(),
        VERSION_KEY: str(record_type.schema_version).encode(),
    }
    return pa.schema(fields, metadata=metadata)


def _fields(model: type[BaseModel]) -> list[pa.Field]:
    if not model.model_fields:
        raise _refused(model.__name__, "a part without fields")
    return [
        _field(name, info.annotation, f"{model.__name__}.{name}")
        for name, info in model.model_fields.items()
    ]


def _field(name: str, annotation: object, where: str) -> pa.Field:
    inner, nullable = _without_none(annotation, where)
    return pa.field(name, _data_type(inner, where), nullable=nullable)


def _without_none(annotation: object, where: str) -> tuple[object, bool]:
    """Strip `Annotated` and `| None`; says whether None was among the members."""
    if get_origin(annotation) is Annotated:
        return _without_none(get_args(annotation)[0], where)
    if get_origin(annotation) not in (Union, types.UnionType):
        return annotation, False
    members = [member for member in get_args(annotation) if member is not type(None)]
    if len(members) != 1 or len(members) == len(get_args(annotation)):
        raise _refused(where, "a union of several types")
    return _without_none(members[0], where)[0], True


def _data_type(annotation: object, where: str) -> pa.DataType:
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    if get_origin(annotation) is Literal:
        return _literal_type(get_args(annotation), where)
    if get_origin(annotation) is tuple:
        return pa.list_(_item(get_args(annotation), where))
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return pa.string()
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return pa.struct(_fields(annotation))
    raise _refused(where, str(annotation))


def _literal_type(values: tuple[Any, ...], where: str) -> pa.DataType:
    if all(isinstance(value, str) for value in values):
        return pa.string()
    raise _refused(where, "a literal that is not text")


def _item(members: tuple[Any, ...], where: str) -> pa.Field:
    """The item of a list. A tuple of fixed length is a list too, if its members are of one type."""
    kinds = [member for member in members if member is not Ellipsis]
    if not kinds or any(kind != kinds[0] for kind in kinds):
        raise _refused(where, "a tuple of several types")
    return _field("item", kinds[0], where)


def _refused(where: str, found: str) -> StoreError:
    return StoreError(
        f"{where} cannot be stored in columns: {found}",
        "use int, float, str, bool, a text literal, a string enum, a part, or a tuple of one type",
    )

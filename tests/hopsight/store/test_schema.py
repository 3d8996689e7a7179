"""Arrow schemas come from the record types."""

from enum import StrEnum
from typing import Any, ClassVar, Literal

import pyarrow as pa
import pytest
from pydantic import BaseModel

from hopsight.datasets import DATASETS, FAMILIES
from hopsight.errors import StoreError
from hopsight.store import arrow_schema
from hopsight.types import Part, Record


class Colour(StrEnum):
    RED = "red"


class Inner(Part):
    numbers: tuple[int, ...]
    box: tuple[float, float] | None


class Sample(Record):
    kind: ClassVar[str] = "sample"
    schema_version: ClassVar[int] = 7
    flag: bool
    colour: Colour
    letter: Literal["a", "b"]
    inner: Inner
    many: tuple[Inner, ...]
    maybe: Inner | None


def _required(name: str, data_type: pa.DataType) -> pa.Field:
    return pa.field(name, data_type, nullable=False)


def test_fields_become_columns_and_parts_become_structs() -> None:
    schema = arrow_schema(Sample)
    inner = pa.struct(
        [
            _required("numbers", pa.list_(_required("item", pa.int64()))),
            pa.field("box", pa.list_(_required("item", pa.float64()))),
        ]
    )
    assert schema.names == ["id", "flag", "colour", "letter", "inner", "many", "maybe"]
    assert schema.field("colour").type == schema.field("letter").type == pa.string()
    assert schema.field("inner").type == inner
    assert schema.field("many").type == pa.list_(_required("item", inner))
    assert [field.name for field in schema if field.nullable] == ["maybe"]
    assert schema.metadata == {b"hopsight.kind": b"sample", b"hopsight.schema_version": b"7"}


def _record_with(annotation: Any) -> type[Record]:
    namespace = {"__annotations__": {"field": annotation, "kind": ClassVar[str]}, "kind": "x"}
    return type("Odd", (Record,), {**namespace, "__module__": __name__})


class Empty(BaseModel):
    pass


@pytest.mark.parametrize(
    "annotation",
    [dict[str, int], int | str, Any, tuple[int, str], tuple[()], list[int], Literal[1, 2], Empty],
)
def test_a_field_without_fixed_columns_is_refused_by_name(annotation: Any) -> None:
    with pytest.raises(StoreError) as error:
        arrow_schema(_record_with(annotation))
    assert "Odd.field" in error.value.cause or "Empty" in error.value.cause


def test_every_data_set_of_the_project_has_columns() -> None:
    for record_type in {*DATASETS.values(), *FAMILIES.values()}:
        assert arrow_schema(record_type).names == ["id", *record_type.model_fields]

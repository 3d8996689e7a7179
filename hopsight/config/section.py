"""What every part of a configuration is: frozen, and strict about its keys."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(ge=1, le=1_000_000_000)]


class Section(BaseModel):
    """A frozen part of the configuration; unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

"""What is done and who does it: work of one kind, item by item, each ending as one record."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from hopsight.errors import ConfigError, HopsightError
from hopsight.llm.service import ModelSettings
from hopsight.store import Journal

LANES: Final = 64
"""Items that one process works at side by side: enough to wait for models, few enough to hold."""

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


class Work(Protocol[T_contra]):
    """What is done with each item. Workers receive it and the items pickled."""

    @property
    def models(self) -> ModelSettings:
        """The models that are asked: their calls are counted in one file."""
        ...

    def key(self, item: T_contra) -> str:
        """Under which the journal holds the item's record; equal for equal items alone."""
        ...

    def is_done(self, record: bytes) -> bool:
        """Whether a record stands; if not, its item is owed again."""
        ...

    def open(self) -> AbstractAsyncContextManager[Callable[[T_contra], Awaitable[bytes]]]:
        """Open what the work needs, once in each worker; gives what turns an item into a record."""
        ...


class Executor(Protocol):
    """Does all items, some of them side by side."""

    def run(
        self, items: Sequence[T], work: Work[T], journal: Journal, tell: Callable[[], None]
    ) -> None:
        """Do all items; each is in the journal before it is told of.

        After an error nothing more is begun, what was begun is waited for, and the error is raised
        as it is. Raises HopsightError also where workers are lost again and again.
        """
        ...


@dataclass(frozen=True, slots=True)
class Fault:
    """A HopsightError on its way from a worker."""

    kind: type[HopsightError]
    cause: str
    remedy: str

    @classmethod
    def of(cls, error: HopsightError) -> "Fault":
        """An error that holds more than a cause and a remedy arrives as a plain one."""
        plain = type(error).__init__ is HopsightError.__init__
        return cls(type(error) if plain else HopsightError, error.cause, error.remedy)

    @property
    def error(self) -> HopsightError:
        """The error again."""
        return self.kind(self.cause, self.remedy)


def check_count(name: str, count: int) -> None:
    """Raises ConfigError below one."""
    if count < 1:
        raise ConfigError(f"{count} {name}", "give at least one")

"""What the ways to confine a program have in common."""

from typing import Protocol

from hopsight.harness.sandbox.inside.job import Job


class Way(Protocol):
    """How a worker confines its child."""

    @property
    def user(self) -> int | None:
        """Whom the program runs as; None for whoever started the worker."""
        ...

    @property
    def home(self) -> str:
        """The program's folder, with `images`, `out` and `tmp`, as it sees it."""
        ...

    @property
    def search_path(self) -> tuple[str, ...]:
        """Where the program finds packages."""
        ...

    def enter(self) -> None:
        """In the worker, before the child is made. Raises OSError where the way is barred."""
        ...

    def confine(self) -> None:
        """In the child, before it runs anything that came from outside."""
        ...

    def fill(self, job: Job) -> None:
        """In the worker: pictures and limits of a job, before the child gets it."""
        ...

    def overrun(self, job: Job) -> bool:
        """In the worker, every few milliseconds: whether the program made too many files."""
        ...

"""The pictures that an agent has come by in an episode, by the page that they belong to."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from hopsight.errors import PictureError
from hopsight.reference.agents.likeness import glimpse, likeness
from hopsight.reference.agents.looks import Look
from hopsight.reference.agents.sight import Sight, look


@dataclass(slots=True)
class Gallery:
    """Handles of each page's pictures; one is looked at when something is told of its looks.

    A `careful` viewer compares all that is told; another only whether the first colour stands out.
    `acuity` is how many pixels a side it sees of a picture, however large that is.
    """

    careful: bool
    acuity: int
    handles: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def knows(self, url: str) -> bool:
        """Whether the page's pictures were looked for."""
        return url in self.handles

    def add(self, url: str, handles: Iterable[int]) -> None:
        """Pictures of a page, none where it was searched for in vain; the first ones stay."""
        self.handles[url] = self.handles.get(url) or tuple(handles)

    def likeness(self, url: str, told: Look, pixels: Callable[[int], bytes]) -> float | None:
        """How well the page's picture goes with what is told; None where none can be seen."""
        judge = likeness if self.careful else glimpse
        sights = [self._seen(pixels(handle)) for handle in self.handles.get(url, ())]
        return max((judge(sight, told) for sight in sights if sight is not None), default=None)

    def _seen(self, data: bytes) -> Sight | None:
        """A picture that cannot be read shows nothing."""
        try:
            return look(data, self.acuity)
        except PictureError:
            return None

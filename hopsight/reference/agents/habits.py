"""How agents work: what tells a weak one from a strong one."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Habits:
    """How an agent works.

    `visits` bounds the pages it reads, `verify` those it compares for one step, `retreats` the
    other ways it tries after one has ended; `heat` spreads the choice among links that look
    alike. `glances` bounds the pictures that it looks at for one step, `acuity` is how many pixels
    a side it sees of one, and a careful agent compares all that it is told with what it shows. A
    persistent agent goes on where the first look brings nothing: it turns, mirrors and crops the
    picture, and searches by words.
    """

    name: str
    visits: int
    verify: int
    retreats: int
    heat: float
    glances: int
    acuity: int
    careful: bool
    persistent: bool


WEAK = Habits(
    "reference-weak",
    visits=8,
    verify=1,
    retreats=0,
    heat=0.3,
    glances=3,
    acuity=64,
    careful=False,
    persistent=False,
)
STRONG = Habits(
    "reference-strong",
    visits=44,
    verify=12,
    retreats=2,
    heat=0.05,
    glances=16,
    acuity=224,
    careful=True,
    persistent=True,
)

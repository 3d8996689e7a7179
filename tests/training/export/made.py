"""Trajectories of any shape, with pictures that lie in a store."""

import io
import json
from pathlib import Path

from PIL import Image

from hopsight.errors import Outcome
from hopsight.store import ImageStore
from hopsight.types import (
    BankImage,
    EvidenceChain,
    ImageRef,
    Observation,
    Question,
    StopReason,
    Task,
    ToolCall,
    Trajectory,
    Turn,
    Usage,
)
from tests.curation.made import PICTURES, grounded

FINAL = Turn(text="It is clear. <answer>blue</answer>", calls=(), observations=())


def store_with(folder: Path, number: int) -> tuple[ImageStore, tuple[ImageRef, ...]]:
    """A store with that many pictures, no two alike."""
    store = ImageStore(folder)
    refs = []
    for index in range(number):
        out = io.BytesIO()
        Image.new("RGB", (8, 8), (index, 40, 200)).save(out, "PNG")
        refs.append(store.put(out.getvalue(), f"https://example.org/{index}", "CC0-1.0", "nobody"))
    return store, tuple(refs)


def call(name: str = "web_search", **arguments: object) -> ToolCall:
    """A call as a policy writes it."""
    return ToolCall(call_id=f"c-{name}", name=name, arguments=json.dumps(arguments))


def seen(text: str = "found", *images: int) -> Observation:
    """What a call gave back."""
    return Observation(call_id="c", text=text, images=images, outcome=Outcome.OK)


def turn(*calls: ToolCall, text: str = "I search.", observations=None, notice=None) -> Turn:
    """A turn with calls; each is answered by plain text unless `observations` are given."""
    answers = tuple(seen() for _ in calls) if observations is None else tuple(observations)
    return Turn(text=text, calls=calls, observations=answers, notice=notice)


def trajectory(
    *turns: Turn, task: Task, bank: tuple[ImageRef, ...] = (), question="q"
) -> Trajectory:
    """A rollout whose bank holds the task's pictures and then `bank`."""
    entries = (*task.images, *bank)
    return Trajectory(
        question_id=question,
        policy="teacher",
        sample=0,
        seed=1,
        task=task,
        turns=turns,
        bank=tuple(BankImage(handle=n, image=image) for n, image in enumerate(entries)),
        final_answer="blue",
        stop_reason=StopReason.ANSWERED,
        fatal_step=None,
        usage=Usage(model_calls=len(turns), tool_calls=0, images=len(entries)),
    )


def asked(folder: Path) -> tuple[list[Question], dict[str, EvidenceChain], ImageStore]:
    """Questions of the small atlas with their chains, and a store that has their pictures."""
    store = ImageStore(folder)
    framed = grounded()
    for data in PICTURES.stored.values():
        store.put(data, "https://example.org", "CC0-1.0", "nobody")
    return list(framed.questions.kept), {chain.id: chain for chain in framed.chains}, store

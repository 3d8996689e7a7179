"""Text between the policy and the world: handles, marks made harmless, answers, bounded length.

What comes from a page or a model is data. Where it holds something that a chat template or the
harness would read as a mark, a backslash goes after the bracket: `<image:3>` becomes
`<\\image:3>`. Every further pass adds one more, so that `restore` undoes exactly one.
"""

import re
from typing import Final

_NAMES: Final = (
    "image img video audio vision tool function think answer observation search result "
    "information code python user assistant system human gpt object box ref quad "
    "start_of end_of begin_of bos eos pad unk mask sep cls s>"
).split()
_MARK: Final = rf"(?=/?(?:[|｜]|{'|'.join(_NAMES)})|<SYS>>|</SYS>>)"
_PLAIN: Final = re.compile(rf"<(\\*){_MARK}|\[(\\*)(?=/?INST\])", re.IGNORECASE)
_HANDLE: Final = re.compile(r"\s*(?:<image:([0-9]{1,6})>|image:([0-9]{1,6})|([0-9]{1,6}))\s*")
_THINK: Final = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
_ANSWER: Final = re.compile(r"<answer>(.*?)</answer>", re.DOTALL | re.IGNORECASE)


def neutralise(text: str) -> str:
    """`text` with every mark made harmless; `restore` gives the original back."""
    return _PLAIN.sub(lambda match: match.group(0) + "\\", text)


def restore(text: str) -> str:
    """The inverse of `neutralise`."""
    return _PLAIN.sub(lambda match: match.group(0).removesuffix("\\"), text)


def storable(text: str) -> str:
    """`text` without what UTF-8 cannot hold (a lone surrogate becomes `?`)."""
    return text.encode("utf-8", "replace").decode("utf-8")


def handle(number: int) -> str:
    """How an image's handle is written."""
    return f"<image:{number}>"


def parse_handle(text: str) -> int | None:
    """The number in `<image:3>`, `image:3` or `3`; None for anything else."""
    match = _HANDLE.fullmatch(text)
    return int(next(filter(None, match.groups()))) if match else None


def extract_answer(text: str) -> str | None:
    """What the last `<answer>…</answer>` outside of thoughts holds; None if none or blank.

    Marks inside the answer are neutralised.
    """
    found = _ANSWER.findall(_THINK.sub("", text))
    answer = found[-1].strip() if found else ""
    return neutralise(answer) if answer else None


def clip(text: str, limit: int) -> str:
    """At most `limit` characters of `text`; what was cut is said."""
    if len(text) <= limit:
        return text
    return f"{text[:limit].rstrip()}\n[cut: {limit} of {len(text)} characters shown]"


def parts(text: str, images: tuple[int, ...]) -> tuple[str | int, ...]:
    """A message as text and handle numbers in order; each number stands for its pixels.

    The handle's own text goes right before its pixels; a picture that the text does not mention
    follows at the end, so that all of `images` arrive and each only once.
    """
    message: list[str | int] = []
    left = list(images)
    position = 0
    for match in re.finditer(r"<image:([0-9]{1,6})>", text):
        number = int(match.group(1))
        if number in left:
            left.remove(number)
            message += [text[position : match.end()], number]
            position = match.end()
    if position < len(text):
        message.append(text[position:])
    for number in left:
        message += [handle(number), number]
    return tuple(message)


def opening(text: str, images: int) -> str:
    """The first message of an episode: its pictures by handle, then the question."""
    pictures = " ".join(handle(number) for number in range(images))
    question = neutralise(text)
    return f"{pictures}\n{question}" if pictures else question

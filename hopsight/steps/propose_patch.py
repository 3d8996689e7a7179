"""Propose a patch: one change of one key of the round's configuration, from many diagnoses."""

import json
from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Final, Literal

from pydantic import Field, ValidationError

from hopsight.config.rounds import RoundConfig, fingerprint
from hopsight.config.section import Section
from hopsight.errors import ConfigError
from hopsight.steps.step import Step
from hopsight.steps.text import line
from hopsight.types import Diagnosis, Part, Patch

SectionName = Literal["seed_entities", "explore", "organize", "curate"]
SECTIONS: Final[tuple[SectionName, ...]] = ("seed_entities", "explore", "organize", "curate")
_MOST_HOPS: Final = 8
_MOST_CANDIDATES: Final = 10
_MANY: Final = 0.5
"""Share of the traces with one label from which the rules act on it."""


class DiagnosisSummary(Part):
    """Traces by label, the mean score of each dimension, and how often each stage is at fault.

    Traces that infrastructure lost are counted under their label and in nothing else.
    """

    traces: int = Field(ge=0)
    labels: dict[str, int]
    scores: dict[str, float]
    faults: dict[str, int]

    @classmethod
    def of(cls, diagnoses: Sequence[Diagnosis]) -> "DiagnosisSummary":
        """The summary of the traces of one configuration."""
        kept = [each for each in diagnoses if each.label != "infra_failure"]
        marks = [mark for each in kept for mark in each.marks]
        scores = {
            name: fmean(mark.score for mark in marks if mark.dimension == name)
            for name in sorted({mark.dimension for mark in marks})
        }
        faults = Counter(mark.stage for mark in marks if mark.stage != "none")
        labels = Counter(each.label for each in diagnoses if each.label is not None)
        return cls(
            traces=len(kept),
            labels=dict(sorted(labels.items())),
            scores=scores,
            faults=dict(sorted(faults.items())),
        )

    def share(self, label: str) -> float:
        """The share of a label among the traces that count."""
        return self.labels.get(label, 0) / self.traces if self.traces else 0.0


class ConfigState(Part):
    """A configuration, and what the traces of its data say about it."""

    config: RoundConfig
    summary: DiagnosisSummary


class Change(Part):
    """One key of one part, and its new value; a table of weights is given as a whole."""

    section: SectionName
    key: str = Field(min_length=1, max_length=60)
    value: bool | int | float | str | dict[str, float]


class ProposedChange(Part):
    """A change and why, or None where nothing should change."""

    reason: str = Field(min_length=1, max_length=1000)
    change: Change | None


def apply(config: RoundConfig, change: Change) -> RoundConfig:
    """The configuration with one value changed. Round and parent stay as they are.

    Raises:
        ConfigError: there is no such key, the value is not valid there, or it is there already.
    """
    part: Section = getattr(config, change.section)
    known = type(part).model_fields
    where = f"{change.section}.{change.key}"
    if change.key not in known:
        raise ConfigError(f"{where} does not exist", f"choose one of {', '.join(known)}")
    plain = config.model_dump(mode="json")
    plain[change.section][change.key] = _exact(change.value)
    try:
        # Through JSON: strict there means exact types, yet lets text name a key that is a number.
        changed = RoundConfig.model_validate_json(json.dumps(plain), strict=True)
    except (ValidationError, ValueError) as error:
        raise ConfigError(
            f"{where}: {_first(error)}", "give a value of its type and range"
        ) from error
    if changed == config:
        raise ConfigError(f"{where} has that value already", "give another value")
    return changed


def patch_of(config: RoundConfig, proposed: ProposedChange) -> Patch | None:
    """The proposal as a record; None where nothing should change."""
    if proposed.change is None:
        return None
    return Patch(
        config=fingerprint(config),
        section=proposed.change.section,
        key=proposed.change.key,
        value=json.dumps(_exact(proposed.change.value), sort_keys=True),
        reason=proposed.reason,
    )


def _exact(value: object) -> object:
    """A whole number as an integer, which is exact for keys of both kinds."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _first(error: ValidationError | ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    return error.errors(include_url=False, include_input=False)[0]["msg"]


def _fill(state: ConfigState) -> dict[str, str]:
    summary = state.summary
    return {
        "config": "\n".join(row for name in SECTIONS for row in _rows(state.config, name)),
        "traces": str(summary.traces),
        "labels": json.dumps(summary.labels),
        "scores": json.dumps({name: round(score, 2) for name, score in summary.scores.items()}),
        "faults": json.dumps(summary.faults),
    }


def _rows(config: RoundConfig, name: SectionName) -> list[str]:
    """One line for each key of a part: its value now and what it means."""
    part: Section = getattr(config, name)
    values = part.model_dump(mode="json")
    return [
        f"{name}.{key} = {json.dumps(values[key])}: {line(field.description or '', 200)}"
        for key, field in type(part).model_fields.items()
    ]


def check(state: ConfigState, proposed: ProposedChange) -> str | None:
    """The change can be applied and changes something."""
    if proposed.change is None:
        return None
    try:
        apply(state.config, proposed.change)
    except ConfigError as error:
        return str(error)
    return None


def reference(state: ConfigState) -> ProposedChange:
    """The first of a few rules that applies; they act on what most traces show. [ours]"""
    summary, config = state.summary, state.config
    if not summary.traces:
        return ProposedChange(reason="no trace says anything", change=None)
    candidates = config.organize.min_candidates
    if summary.scores.get("shortcut_leakage", 0.0) < 0 and candidates < _MOST_CANDIDATES:
        return _proposed("shortcuts are met", "organize", "min_candidates", candidates + 1)
    if summary.share("fake_hard") > _MANY and config.organize.descriptors_per_node < 2:
        return _proposed("most are not solvable", "organize", "descriptors_per_node", 2)
    if summary.share("too_easy") > _MANY:
        return _other_hops(config, "most are too easy", longer=True)
    if summary.share("too_hard") > _MANY:
        return _other_hops(config, "most are too hard", longer=False)
    return ProposedChange(reason="no rule applies", change=None)


def _other_hops(config: RoundConfig, reason: str, *, longer: bool) -> ProposedChange:
    """Weights of numbers of hops, shifted toward more or fewer; one beside them if there is one."""
    weights = {hops: weight for hops, weight in config.explore.hops.items() if weight > 0}
    if len(weights) == 1:
        (only,) = weights
        beside = min(only + 1, _MOST_HOPS) if longer else max(only - 1, 1)
        shifted = {only: 0.5, beside: 0.5}
    else:
        shifted = {hops: w * hops if longer else w / hops for hops, w in weights.items()}
    total = sum(shifted.values())
    shares = {str(hops): round(weight / total, 3) for hops, weight in sorted(shifted.items())}
    if len(shifted) == 1:
        return ProposedChange(reason=f"{reason}, but hops are at their bound", change=None)
    return _proposed(reason, "explore", "hops", shares)


def _proposed(
    reason: str, section: SectionName, key: str, value: int | dict[str, float]
) -> ProposedChange:
    return ProposedChange(reason=reason, change=Change(section=section, key=key, value=value))


PROPOSE_PATCH: Final = Step(
    name="propose_patch",
    role="optimizer",
    input=ConfigState,
    output=ProposedChange,
    fill=_fill,
    check=check,
    reference=reference,
)

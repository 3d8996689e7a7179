"""How a round's probes are made: who probes, with what, and what is shown of it."""

import asyncio
from collections.abc import Sequence
from functools import partial

import dagster as dg

from assets.preview import table, text_preview
from assets.rollouts import budget_of, episode_inputs
from assets.wiring import Made, Round
from curation import probes
from curation.review import Decisions, apply_decisions, rechecker
from curation.verdicts import judge_by
from hopsight.harness.backends.local import LocalBackend
from hopsight.harness.benches import open_bench
from hopsight.harness.limits import limits_of
from hopsight.harness.policy import Policy
from hopsight.judge.panel import panel_of
from hopsight.llm.service import open_models
from hopsight.policies import make_policy
from hopsight.progress import Progress
from hopsight.reference.agents import DirectAnswerer
from hopsight.reference.agents.memory import remember
from hopsight.store import ImageStore, Journal
from hopsight.types import EvidenceChain, ProbeResult, Question, Trajectory


def probe(round_: Round) -> Made:
    """Take what people decided, then put the round's probes to its questions."""
    questions = round_.read("distinct_questions", Question)
    decisions = Decisions(round_.workspace.root, round_.key).load()
    chains = round_.read("refined_chains", EvidenceChain)
    reviewed = apply_decisions(questions, chains, decisions, rechecker(round_.snapshot()))
    probed = probes.probe_questions(reviewed.kept, _probings(round_))
    outputs = {
        "probe_results": probed.results,
        "probed_questions": probed.questions.kept,
        "probe_rollouts": probed.trajectories,
        "review_decisions": decisions,
    }
    return Made(
        probes.STAGE,
        reviewed.entered,
        len(probed.questions.kept),
        (*reviewed.rejected, *probed.questions.rejected),
        outputs,
        model=round_.name_of("prober"),
        preview=_solved(reviewed.kept, probed.results),
        extra={"by probe": dg.MetadataValue.md(_by_probe(probed.results))},
    )


def _probings(round_: Round) -> dict[str, probes.Probing]:
    """The probes that the round names."""
    ground = _ground(round_)
    found: dict[str, probes.Probing] = {}
    for name in round_.config.curate.probes:
        if name == probes.DIRECT:
            found[name] = partial(_directly, round_)
        else:
            found[name] = partial(_with_tools, round_, ground, probes.PROBES[name])
    return found


def _directly(round_: Round, questions: Sequence[Question]) -> probes.Probed:
    return asyncio.run(_direct(round_, questions))


async def _direct(round_: Round, questions: Sequence[Question]) -> probes.Probed:
    """Ask the prober's model, or by rules an agent that knows the pages most linked to."""
    images, seed = round_.workspace.images, round_.config.seed
    async with open_models(round_.models) as models:
        prober: Policy
        if models.endpoint("prober") is None:
            backend = LocalBackend(round_.workspace.index)
            prober = DirectAnswerer(await remember(round_.snapshot(), backend))
        else:
            name = round_.name_of("prober")
            prober = make_policy("prober", probes.STAGE, round_.sampling, name, models)
        panel_for = partial(panel_of, round_.judge, models, probes.STAGE)
        return await probes.direct(questions, prober, images, panel_for, seed=seed)


def _with_tools(
    round_: Round, ground: probes.Ground, probe: probes.Probe, questions: Sequence[Question]
) -> probes.Probed:
    """Play a probe and judge its answers."""
    file = round_.workspace.root / "progress.json"
    tell = round_.logger.info
    name = f"{probe.name} probe"
    with Progress(name, len(questions), file=file, on_report=lambda r: tell(r.line())) as progress:
        played = probes.play(probe, questions, ground, lambda done, owed: progress.advance())
        progress.advance(len(questions) - progress.report().done)
    return asyncio.run(_judged(round_, probe, questions, played))


async def _judged(
    round_: Round,
    probe: probes.Probe,
    questions: Sequence[Question],
    played: Sequence[Trajectory],
) -> probes.Probed:
    async with open_models(round_.models) as models:
        panel_for = partial(panel_of, round_.judge, models, probes.STAGE)
        judged = await judge_by(questions, played, panel_for)
    return probes.sort_out(probe.name, questions, played, judged.verdicts)


def _ground(round_: Round) -> probes.Ground:
    harness = round_.config.harness
    bench = round_.benches(probes.STAGE)
    return probes.Ground(
        prober=round_.name_of("prober"),
        sampling=round_.sampling,
        models=round_.models,
        open_bench=partial(open_bench, bench),
        make_images=partial(ImageStore, round_.workspace.root),
        limits=limits_of(harness),
        tools=harness.tools,
        inputs=episode_inputs(round_, bench, "prober"),
        seed=round_.config.seed,
        executor=round_.executor,
        journal=partial(_journal, round_),
        budget=budget_of(round_, besides="probe_rollouts"),
    )


def _journal(round_: Round, probe: str) -> Journal:
    return round_.workspace.journal(round_.key, f"probe_{probe}", round_.fingerprint[:16])


def _by_probe(results: Sequence[ProbeResult]) -> str:
    """Every probe with what it was put to and solved."""
    rows = [
        (
            each.probe,
            each.tried,
            each.solved,
            each.unjudged,
            f"{each.interval.low:.3f}–{each.interval.high:.3f}",
        )
        for each in probes.probe_figures(results)
    ]
    return table(("probe", "questions", "solved", "unjudged", "95 % interval of solved"), rows)


def _solved(questions: Sequence[Question], results: Sequence[ProbeResult]) -> str:
    """What was solved by a shortcut and is out."""
    texts = {question.id: question.text for question in questions}
    return text_preview(
        [
            f"{each.probe} → {each.answer}: {texts[each.question_id]}"
            for each in results
            if each.solved
        ]
    )

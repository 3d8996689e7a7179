"""The panel of a round: its judge and the fallbacks, asked at the cost of what is judged."""

from hopsight.judge.environment import JudgeSetup
from hopsight.judge.gateway import through
from hopsight.judge.models import JudgeModel, Panel
from hopsight.llm.service import Models


def panel_of(setup: JudgeSetup, models: Models, stage: str, record_id: str) -> Panel | None:
    """The panel that judges a record of a stage; None where rules judge alone.

    Raises ConfigError for a gateway, whose protocol nothing here speaks.
    """
    if setup.gateway is not None:
        through(setup.gateway, None)
    if not setup.endpoints:
        return None
    asked = [
        JudgeModel(endpoint.model, models.at(endpoint, "judge", stage, record_id))
        for endpoint in setup.endpoints
    ]
    first = JudgeModel(asked[0].name, asked[0].complete, tuple(asked[1:]))
    return Panel((first,), temperature=setup.temperature, max_tokens=setup.max_tokens)

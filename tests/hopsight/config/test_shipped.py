from pathlib import Path

from hopsight.config import RoundConfig, load_round, render_default_config

SHIPPED = Path(__file__).parents[3] / "configs" / "rounds" / "0001.yaml"


def test_the_configuration_that_ships_is_what_init_writes() -> None:
    assert SHIPPED.read_text(encoding="utf-8") == render_default_config()
    assert load_round(SHIPPED) == RoundConfig()

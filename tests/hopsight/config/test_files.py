"""Configuration files: what is wrong is told with file, key, value and what may stand there."""

from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from hopsight.config import RoundConfig, load_round, parse_round, render_default_config
from hopsight.errors import ConfigError


def _error(text: str) -> ConfigError:
    with pytest.raises(ConfigError) as error:
        parse_round(text, "round.yaml")
    assert "\n" not in str(error.value)
    return error.value


def test_the_default_file_loads_back_to_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "round.yaml"
    path.write_text(render_default_config(), encoding="utf-8")
    assert load_round(path) == RoundConfig()


def test_the_default_file_shows_every_key_with_its_description() -> None:
    text = render_default_config()
    assert set(yaml.safe_load(text)) == set(RoundConfig.model_fields)
    assert "# Walks tried from one seed before it is dropped [OSV].\n  retries: 10\n" in text
    assert max(len(line) for line in text.splitlines()) <= 100


def test_keys_that_are_left_out_keep_their_defaults() -> None:
    config = parse_round('round: "0007"\nexplore: {retries: 3}\n', "x")
    assert (config.round, config.explore.retries, config.explore.paths) == ("0007", 3, 480)
    assert parse_round("", "x") == RoundConfig()


def test_text_names_enum_members_and_paths() -> None:
    config = parse_round(
        "source: {kind: dump, dump: a/b.xml}\nseed_entities: {per_domain: {person: 2}}", "x"
    )
    assert config.source.dump == Path("a/b.xml")
    assert {str(k): v for k, v in config.seed_entities.per_domain.items()} == {"person": 2.0}


@pytest.mark.parametrize(
    ("text", "cause", "remedy"),
    [
        ("explore: {retrys: 3}", "unknown key explore.retrys (found 3)", "mean explore.retries?"),
        ("sed: 3", "unknown key sed (found 3)", "did you mean seed?"),
        ("zzz: 1", "unknown key zzz (found 1)", "known keys are budget, curate, explore"),
        ("explore: {retries: many}", 'explore.retries: found "many"', "must be a valid integer"),
        ('explore: {retries: "3"}', 'explore.retries: found "3"', "must be a valid integer"),
        ("seed: true", "seed: found true", "seed must be a valid integer"),
        ("explore: {retries: 0}", "explore.retries: found 0", "greater than or equal to 1"),
        ("curate: {eval_share: 1.5}", "curate.eval_share: found 1.5", "less than or equal to 1"),
        ("curate: {eval_share: .nan}", "curate.eval_share: found NaN", "must be a finite number"),
        ("source: {kind: wikidata}", 'source.kind: found "wikidata"', "'mini', 'dump' or 'api'"),
        ("source: {kind: api}", "source: kind api needs the key api", "change source"),
        ("source: {kind: mini, sql: x}", "source: kind mini takes no sql", "change source"),
        ("source: {api: {bass_url: x}}", "source.api.bass_url", "did you mean source.api.base_url"),
        ("round: 0001", "round: found 1", 'must be four digits in quotes, as "0001"'),
        ('round: "1"', 'round: found "1"', 'must be four digits, as "0001"'),
        ("explore: 5", "explore: found 5", "must be a group of keys"),
        ("explore:", "explore: found null", "must be a group of keys"),
        ("seed_entities: {per_domain: {persn: 1}}", "seed_entities.per_domain.persn", "'person'"),
        ("explore: {hops: {9: 1}}", "explore.hops.9: found", "less than or equal to 8"),
        ("source: {kind: dump}", "source: kind dump needs the key dump", "change source"),
        ("seed: 1\nseed: 2", "line 2: key 'seed' stands twice (first in line 1)", "mend the YAML"),
        ("explore:\n  hops: {2: 1, '2': 3}", "line 2: key '2' stands twice", "mend the YAML"),
        ("seed: &a 1\nround: *a", "line 2: aliases are not allowed", "mend the YAML"),
        ("- 1", "found [1] where keys and values are expected", "begin with a key"),
        ("a: [", "line 1", "mend the YAML"),
        ("seed: !!python/object:os.system 1", "could not determine a constructor", "mend"),
        ("\x00", "not readable as YAML", "mend the YAML"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(text: str, cause: str, remedy: str) -> None:
    error = _error(text)
    assert error.cause.startswith("round.yaml")
    assert cause in error.cause
    assert remedy in error.remedy


def test_several_problems_are_told_at_once_and_bounded() -> None:
    error = _error("\n".join(f"wrong{n}: {n}" for n in range(9)))
    assert error.cause.count("unknown key") == 5
    assert error.cause.endswith("and 4 more")


def test_a_huge_value_is_shown_shortened() -> None:
    assert len(_error(f"seed: {'x' * 10_000}").cause) < 200


@given(st.text(max_size=60))
def test_any_text_is_a_configuration_or_a_configuration_error(text: str) -> None:
    with suppress(ConfigError):
        parse_round(text, "any")


@pytest.mark.parametrize(("data", "cause"), [(None, "does not exist"), (b"\xff\xfe", "no UTF-8")])
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, data: bytes | None, cause: str) -> None:
    path = tmp_path / "round.yaml"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(ConfigError, match=cause) as error:
        load_round(path)
    assert str(path) in error.value.cause


def test_a_folder_and_a_giant_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_round(tmp_path)
    (tmp_path / "big.yaml").write_bytes(b"#" * (1 << 21))
    with pytest.raises(ConfigError, match="is larger than"):
        load_round(tmp_path / "big.yaml")

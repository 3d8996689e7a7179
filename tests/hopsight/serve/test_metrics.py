"""Counts of several workers in one file."""

import pytest

from hopsight.providers.tally import CALLS
from hopsight.serve.metrics import Metrics, route_of


def test_counts_fall_into_buckets_and_are_summed(tmp_path):
    file = tmp_path / "metrics"
    Metrics.create(file, 2)
    metrics = Metrics(file, 2)
    for seconds, status in ((0.0005, 200), (0.02, 503), (60.0, 404)):
        metrics.count("/retrieve", status, seconds)
    text = metrics.text()
    assert 'hopsight_requests_total{route="/retrieve",status="5xx"} 1' in text
    assert 'hopsight_request_seconds_bucket{route="/retrieve",le="0.001"} 1' in text
    assert 'hopsight_request_seconds_bucket{route="/retrieve",le="0.025"} 2' in text
    assert 'hopsight_request_seconds_bucket{route="/retrieve",le="+Inf"} 3' in text
    assert 'hopsight_request_seconds_count{route="/retrieve"} 3' in text
    metrics.close()


def test_a_worker_that_is_started_again_counts_on(tmp_path):
    file = tmp_path / "metrics"
    Metrics.create(file, 1)
    for _ in range(2):
        metrics = Metrics(file, 1)
        metrics.count("/visit", 200, 0.1)
        metrics.close()
    line = 'hopsight_requests_total{route="/visit",status="2xx"} 2'
    assert line in Metrics(file, 1).text()


def test_a_path_counts_under_its_route():
    assert route_of("/image/abc") == "/image"
    assert route_of("/a/b") == route_of("/") == "other"


def test_calls_of_services_of_all_workers_are_summed_and_outlive_one(tmp_path):
    file = tmp_path / "metrics"
    Metrics.create(file, 2)
    for outcome in ("ok", "rate_limited"):
        metrics = Metrics(file, 2)
        CALLS.count("serper", "lens", "ok")
        CALLS.count("serper", "lens", outcome)
        metrics.close()
    CALLS.count("serper", "lens", "ok")
    text = Metrics(file, 2).text()
    labels = 'hopsight_provider_calls_total{provider="serper",operation="lens",outcome='
    assert f'{labels}"ok"}} 4' in text
    assert f'{labels}"rate_limited"}} 1' in text
    assert f'{labels}"breaker_open"}} 0' in text
    assert 'provider="jina"' not in text


@pytest.fixture(autouse=True)
def _fresh():
    CALLS.leave()
    yield
    CALLS.leave()

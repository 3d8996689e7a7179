"""A PP-StructureV3 service as reader of text in pictures."""

import pytest

from hopsight.config.providers import ServiceLimits
from hopsight.errors import ConfigError, PictureError
from hopsight.llm.failures import Reason
from hopsight.net import Fetcher
from hopsight.providers import ServiceError
from hopsight.providers.layout import layout_service
from tests.hopsight.providers.places import LIMITS, outcome, picture, run
from tests.provider_server import TOKEN, ProviderServer, Reply

LINES = [
    ("Old bridge", 0.98, [16, 12, 48, 24]),
    ("", 0.9, [0, 0, 1, 1]),
    ("1566", 1.2, [-4, 40, 90, 47]),
]


def parsing(data=None, faults=(), token=TOKEN, lines=LINES):
    server = ProviderServer(lines=lines)
    server.faults.extend(faults)

    async def main():
        async with server.running(), Fetcher(allow_hosts=frozenset({server.place})) as fetcher:
            told = {"LAYOUT_PARSING_API_URL": f"{server.url}/layout"}
            told |= {"LAYOUT_PARSING_TOKEN": token} if token else {}
            service = layout_service(told, fetcher, ServiceLimits.model_validate(LIMITS))
            assert service is not None
            return await outcome(service.parse(picture() if data is None else data))

    return run(main), server


def test_lines_come_with_their_places_as_fractions():
    lines, server = parsing()
    assert [(line.text, line.box, line.score) for line in lines] == [
        ("Old bridge", (0.25, 0.25, 0.75, 0.5), 0.98),
        ("1566", (0.0, 40 / 48, 1.0, 47 / 48), 1.0),
    ]
    sent = server.seen[0].json
    assert sent["fileType"] == 1
    assert sent["useDocUnwarping"] is False, "boxes are those of the picture sent"
    assert server.seen[0].headers["authorization"] == f"token {TOKEN}"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(429, {"errorCode": 429, "errorMsg": "3000 pages a day"}), Reason.RATE_LIMITED),
        (Reply(503, "busy"), Reason.OVERLOADED),
        (Reply(500, {"errorCode": 500, "errorMsg": "Internal"}), Reason.SERVER_ERROR),
        (Reply(200, {"errorCode": 500, "errorMsg": "Internal"}), Reason.SERVER_ERROR),
        (Reply(200, b""), Reason.MALFORMED),
        (Reply(200, {"errorCode": 0, "result": {"layoutParsingResults": []}}), Reason.MALFORMED),
        (Reply(200, {"errorCode": 0, "result": {"layoutParsingResults": [{}]}}), Reason.MALFORMED),
    ],
)
def test_failures_are_failures_and_never_an_empty_page(reply, reason):
    error, server = parsing(faults=[reply] * 3)
    assert isinstance(error, ServiceError)
    assert error.reason is reason
    assert len(server.seen) == 3
    lines, _ = parsing(faults=[reply])
    assert len(lines) == 2


def test_a_wrong_token_is_told():
    error, _ = parsing(token="wrong-token")
    assert error.reason is Reason.UNAUTHORISED


def test_what_is_no_picture_is_not_sent():
    error, server = parsing(data=b"/home/me/photo.jpg")
    assert isinstance(error, PictureError)
    assert not server.seen


def test_the_service_is_there_where_its_address_is_set():
    assert layout_service({}, Fetcher()) is None
    with pytest.raises(ConfigError, match="LAYOUT_PARSING_API_URL") as raised:
        layout_service({"LAYOUT_PARSING_API_URL": "http://u:sk-secret@x/"}, Fetcher())
    assert "sk-secret" not in str(raised.value)

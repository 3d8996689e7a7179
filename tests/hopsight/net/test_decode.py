import zlib
from collections.abc import Callable

import brotli
import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from hopsight.net import BodyRefused, FetchFailed
from hopsight.net.decode import decoded


def _packed(data: bytes, wbits: int) -> bytes:
    packer = zlib.compressobj(wbits=wbits)
    return packer.compress(data) + packer.flush()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: _packed(data, 31),
    "deflate": lambda data: _packed(data, 15),
    "br": brotli.compress,
    "zstd": zstd.compress,
}
RAW_DEFLATE = "deflate", lambda data: _packed(data, -15)
WAYS = [*PACKERS.items(), RAW_DEFLATE]


@pytest.mark.parametrize(("name", "pack"), WAYS)
@given(data=st.binary(max_size=300), times=st.sampled_from([1, 700]))
def test_what_was_packed_comes_out_again_up_to_the_very_limit(
    name: str, pack: Callable[[bytes], bytes], data: bytes, times: int
) -> None:
    whole = data * times
    assert decoded(pack(whole), name, len(whole)) == whole
    if whole:
        with pytest.raises(BodyRefused, match="more than"):
            decoded(pack(whole), name, len(whole) - 1)


@pytest.mark.parametrize(("name", "pack"), WAYS)
def test_a_body_that_was_cut_off_is_no_body(name: str, pack: Callable[[bytes], bytes]) -> None:
    whole = pack(bytes(range(256)) * 600)
    for cut in (1, len(whole) // 2, len(whole) - 5):
        with pytest.raises(FetchFailed, match="damaged"):
            decoded(whole[:cut], name, 1 << 20)


@pytest.mark.parametrize("name", PACKERS)
@given(raw=st.binary(max_size=400))
def test_garbage_is_a_failure_or_a_body_and_never_a_crash(name: str, raw: bytes) -> None:
    try:
        assert len(decoded(raw, name, 1 << 16)) <= 1 << 16
    except (FetchFailed, BodyRefused) as error:
        assert error.remedy


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_streams_one_after_another_are_one_body(name: str) -> None:
    pack = PACKERS[name]
    assert decoded(pack(b"one ") + pack(b"two"), name, 100) == b"one two"


def test_what_follows_a_gzip_body_is_left_out() -> None:
    assert decoded(PACKERS["gzip"](b"body") + b"\n\n", "gzip", 100) == b"body"


@pytest.mark.parametrize("name", ["gzip, gzip", "gzip,br", "compress", "aes128gcm", "gzip;q=1"])
def test_stacked_and_unknown_encodings_are_refused(name: str) -> None:
    with pytest.raises(BodyRefused, match="is not unpacked"):
        decoded(PACKERS["gzip"](PACKERS["gzip"](b"body")), name, 100)


@pytest.mark.parametrize("name", ["", "identity", " Identity "])
def test_a_plain_body_has_the_same_limit(name: str) -> None:
    assert decoded(b"body", name, 4) == b"body"
    with pytest.raises(BodyRefused):
        decoded(b"body", name, 3)


@pytest.mark.parametrize("name", PACKERS)
def test_no_body_at_all_is_an_empty_one(name: str) -> None:
    assert decoded(b"", name, 10) == b""

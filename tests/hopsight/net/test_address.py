import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.net import BlockedAddress, why_not_public
from hopsight.net.address import target_of

SPECIAL = """
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
    192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
    224.0.0.0/4 240.0.0.0/4 255.255.255.255/32 168.63.129.16/32
""".split()
PUBLIC = (
    "1.1.1.1 8.8.8.8 93.184.216.34 172.15.255.255 172.32.0.1 192.167.1.1 223.255.255.255".split()
)
PUBLIC_V6 = "2606:4700:4700::1111 2001:4860:4860::8888 2a00:1450:4001:81b::200e".split()


@given(st.sampled_from(SPECIAL).map(ipaddress.IPv4Network), st.floats(0, 1, exclude_max=True))
def test_no_address_of_a_special_network_is_public_in_any_dress(
    network: ipaddress.IPv4Network, share: float
) -> None:
    address = network[int(share * network.num_addresses)]
    number = int(address)
    dresses = (
        str(address),
        f"::ffff:{address}",
        f"::{address}",
        f"64:ff9b::{address}",
        str(ipaddress.IPv6Address((0x2002 << 112) | number << 80)),
        f"2606:4700:0:0:0:5efe:{address}",
        f"2606:4700:0:0:200:5efe:{address}",
    )
    assert [dress for dress in dresses if why_not_public(dress) is None] == []


@given(st.ip_addresses(v=4) | st.ip_addresses(v=6))
def test_what_python_calls_private_is_never_public(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    if not address.is_global or address.is_multicast:
        assert why_not_public(str(address)) is not None


@pytest.mark.parametrize("address", [*PUBLIC, *PUBLIC_V6, *(f"64:ff9b::{ip}" for ip in PUBLIC)])
def test_addresses_of_the_open_net_are_public(address: str) -> None:
    assert why_not_public(address) is None


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("HTTP://Example.COM:80", "http://example.com/"),
        ("https://example.com.:443/a b".replace(" ", "%20"), "https://example.com/a%20b"),
        ("http://example.com:8080?q=1#part", "http://example.com:8080/?q=1"),
        ("http://bücher.example/ü?q=ü", "http://xn--bcher-kva.example/%C3%BC?q=%C3%BC"),
        ("http://[2606:4700:0::1111]/", "http://[2606:4700::1111]/"),
        (
            "http://example.com/%2e%2e/a%2Fb?u=http://x/@y",
            "http://example.com/%2e%2e/a%2Fb?u=http://x/@y",
        ),
        ('http://example.com/"<>^`{}', "http://example.com/%22%3C%3E%5E%60%7B%7D"),
    ],
)
def test_a_url_has_one_normal_form(url: str, normal: str) -> None:
    assert target_of(url).url == normal
    assert target_of(normal).url == normal


@given(st.text(max_size=60) | st.text(max_size=60).map(lambda rest: f"http://{rest}"))
def test_any_text_is_an_address_that_can_be_sent_or_is_refused(text: str) -> None:
    try:
        target = target_of(text)
    except BlockedAddress as error:
        assert error.remedy
        return
    line = f"{target.path} {target.netloc}"
    assert line.isascii()
    assert line.isprintable()
    assert target.path.startswith("/")
    assert "@" not in target.netloc
    assert target_of(target.url) == target

"""Which addresses may be asked: URLs taken apart strictly, and IP addresses that are public."""

import ipaddress
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit

import idna

from hopsight.net.failures import BlockedAddress

MAX_URL_CHARS: Final = 8_000
PORTS: Final = {"http": 80, "https": 443}

_UNFIT: Final = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff\\]")
_LABEL: Final = "[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?"
_HOST: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_SAFE: Final = "%/:=&?~+!$,;'@()*[]|"
_PUBLIC_V6: Final = ipaddress.IPv6Network("2000::/3")
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_NOT_PUBLIC_V6: Final = tuple(
    ipaddress.IPv6Network(net) for net in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
)
# What Python calls global differs between its releases, hence a list of our own beside it.
_NOT_PUBLIC_V4: Final = tuple(
    ipaddress.IPv4Network(net)
    for net in (
        "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 "
        "192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 "
        "224.0.0.0/4 240.0.0.0/4 "
        "168.63.129.16/32"  # Azure's metadata and DNS, at an address that is public elsewhere
    ).split()
)
_ISATAP: Final = frozenset({0x00005EFE, 0x02005EFE})


@dataclass(frozen=True, slots=True)
class Target:
    """A URL taken apart. `host` is ASCII and lower case, IPv6 without brackets."""

    scheme: str
    host: str
    port: int
    path: str
    """Path and query as they are sent."""

    @property
    def place(self) -> str:
        """`host:port`, IPv6 in brackets."""
        return f"{self._shown_host}:{self.port}"

    @property
    def netloc(self) -> str:
        """As the Host header has it: the port only where it is not the scheme's own."""
        return self._shown_host if self.port == PORTS[self.scheme] else self.place

    @property
    def origin(self) -> tuple[str, str, int]:
        """What must be equal for two addresses to trust each other."""
        return self.scheme, self.host, self.port

    @property
    def url(self) -> str:
        """The address in its one normal form, without a fragment."""
        return f"{self.scheme}://{self.netloc}{self.path}"

    @property
    def _shown_host(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host


def target_of(url: str) -> Target:
    """Take a URL apart. Raises BlockedAddress for whatever two parsers could read differently."""
    url = url.strip(" ")
    if len(url) > MAX_URL_CHARS:
        raise _unusable(url, f"it has more than {MAX_URL_CHARS} characters")
    if _UNFIT.search(url):
        raise _unusable(url, "it holds spaces, control characters or backslashes")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise _unusable(url, str(error)) from error
    if parts.scheme not in PORTS:
        raise _unusable(url, "only http and https are asked")
    if "@" in parts.netloc:
        raise _unusable(url, "it holds a user name")
    if port == 0:
        raise _unusable(url, "there is no port 0")
    path = quote(parts.path, safe=_SAFE) or "/"
    query = f"?{quote(parts.query, safe=_SAFE)}" if parts.query else ""
    return Target(parts.scheme, _host(url, host), port or PORTS[parts.scheme], path + query)


def why_not_public(address: str) -> str | None:
    """What kind of address this is if nobody outside may reach it; None for a public one.

    Public are global unicast IPv4, and IPv6 in 2000::/3 but for what tunnels, documents or
    serves protocols; a NAT64 address (RFC 6052) counts as the IPv4 address inside.
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "what is no IP address"
    if isinstance(ip, ipaddress.IPv4Address):
        return _why_not_v4(ip)
    inner = ip.ipv4_mapped or (_last_v4(ip) if ip in _NAT64 else None)
    if inner is not None:
        return _why_not_v4(inner)
    if ip not in _PUBLIC_V6 or not ip.is_global or any(ip in net for net in _NOT_PUBLIC_V6):
        return "an address that is not public"
    if (int(ip) >> 32) & 0xFFFFFFFF in _ISATAP:
        return _why_not_v4(_last_v4(ip))
    return None


def _why_not_v4(ip: ipaddress.IPv4Address) -> str | None:
    if ip.is_loopback:
        return "an address of this machine"
    if ip.is_link_local:
        return "a link-local address"
    if not ip.is_global or ip.is_multicast or any(ip in net for net in _NOT_PUBLIC_V4):
        return "an address that is not public"
    return None


def _last_v4(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address:
    return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)


def _host(url: str, host: str) -> str:
    if ":" in host:
        if "%" in host:
            raise _unusable(url, "its host names an interface of this machine")
        try:
            return str(ipaddress.IPv6Address(host))
        except ValueError as error:
            raise _unusable(url, "its host is no IPv6 address") from error
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode("ascii")
        except idna.IDNAError as error:
            raise _unusable(url, f"its host is no name ({error})") from error
    host = host.lower().removesuffix(".")
    if len(host) > 253 or not _HOST.fullmatch(host):
        raise _unusable(url, "its host is no name")
    return host


def _unusable(url: str, why: str) -> BlockedAddress:
    return BlockedAddress(f"the address {shown(url)!r} is not asked: {why}", "give a public URL")


def shown(url: str) -> str:
    """A URL as it may stand in one line of an error."""
    plain = _UNFIT.sub(" ", url)
    return plain if len(plain) <= 200 else f"{plain[:197]}..."

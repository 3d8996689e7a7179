"""Whether a server could listen, before anything else is started."""

import socket

from hopsight.errors import ConfigError


def check_listening(what: str, host: str, port: int, remedy: str) -> None:
    """Raises ConfigError where `what` could not listen on an address."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[
            0
        ]
        with socket.socket(family, kind, number) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise ConfigError(
            f"{what} cannot listen on {host}:{port}: {error.strerror}", remedy
        ) from error

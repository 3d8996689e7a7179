"""How the server listens and what it takes from a client."""

import ipaddress
import os
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from hopsight.errors import ConfigError
from hopsight.harness.backends.remote import TOKEN_VARIABLE

MIN_TOKEN_CHARS: Final = 16
MIB: Final = 1 << 20


class ServeSettings(BaseModel):
    """Bounds of a server. Sizes in bytes, times in seconds.

    `open_to_all` lets it listen beyond this machine without a token. `max_in_flight` and
    `max_sessions` hold for each worker.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = "127.0.0.1"
    port: int = Field(default=9000, ge=0, le=65_535)
    workers: int = Field(default=1, ge=1, le=64)
    mcp: bool = False
    open_to_all: bool = False
    max_body_bytes: int = Field(default=8 * MIB, ge=1_024)
    max_picture_bytes: int = Field(default=16 * MIB, ge=1_024)
    max_in_flight: int = Field(default=256, ge=1)
    body_timeout_s: float = Field(default=30.0, gt=0)
    timeout_s: float = Field(default=60.0, gt=0)
    max_sessions: int = Field(default=64, ge=1)
    session_idle_s: float = Field(default=900.0, gt=0)

    @property
    def local(self) -> bool:
        """Whether it is reached from this machine alone."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether a host name or address means this machine."""
    name = host.strip("[]").lower()
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def token_from_environment() -> str | None:
    """HOPSIGHT_SERVE_TOKEN, None where it is unset. Raises ConfigError where it is too short."""
    token = os.environ.get(TOKEN_VARIABLE) or None
    if token is not None and (len(token) < MIN_TOKEN_CHARS or not token.isascii()):
        raise ConfigError(
            f"{TOKEN_VARIABLE} is no usable token",
            f"give at least {MIN_TOKEN_CHARS} ASCII characters, such as `openssl rand -hex 16`",
        )
    return token


def check_exposure(settings: ServeSettings, token: str | None) -> None:
    """Raises ConfigError where everybody could use the server and nobody said that they may."""
    if not settings.local and token is None and not settings.open_to_all:
        raise ConfigError(
            f"{settings.host} is reached from other machines and no token is set",
            f"set {TOKEN_VARIABLE}, bind to 127.0.0.1, or say --open-to-all",
        )
    if settings.mcp and settings.workers > 1:
        raise ConfigError(
            f"MCP sessions live in one process and {settings.workers} workers were asked for",
            "use --workers 1 with --mcp, and start a second server for /retrieve",
        )

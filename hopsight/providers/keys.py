"""Secrets: read from the environment by name, never shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from hopsight.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Secret:
    """A key and the variable that it came from; its value is in no text that is made of it."""

    variable: str
    value: str = field(repr=False)

    @property
    def forms(self) -> tuple[str, ...]:
        """The key (without a scheme such as "Bearer") as it is, in JSON and in an address."""
        key = self.value.split()[-1]
        return tuple(dict.fromkeys((key, key.replace("/", "\\/"), quote(key, safe=""))))


def secret(environ: Mapping[str, str], variable: str, what: str) -> Secret:
    """The key that `what` needs. Raises ConfigError, which names the variable alone."""
    found = optional_secret(environ, variable)
    if found is None:
        raise ConfigError(
            f"{what} needs a key, and {variable} is not set",
            f"set {variable} in .env or in the environment",
        )
    return found


def optional_secret(
    environ: Mapping[str, str], variable: str, *, spaces: bool = False
) -> Secret | None:
    """The key in a variable; None where it is not set. Raises ConfigError for what is no key.

    `spaces`: it is the whole value of a header, such as "Bearer …".
    """
    value = environ.get(variable, "").strip()
    if not value:
        return None
    if not value.isascii() or not value.isprintable() or (" " in value and not spaces):
        raise ConfigError(
            f"the value of {variable} is no key (it holds spaces or signs beyond ASCII)",
            "set it to the key alone",
        )
    return Secret(variable, value)

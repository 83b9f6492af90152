"""The settings of a server: from flags of `ludex serve`, else from `LUDEX_*` variables, else the defaults here."""

import os
from collections.abc import Mapping
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, Self

from pydantic import ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic.fields import FieldInfo

from ludex.core.errors import BadOption
from ludex.core.options import complaint
from ludex.lab.limits import JobLimits
from ludex.operations.permissions import Permissions
from ludex.web.secret_strength import LEAST_BITS, entropy_bits

DRAW: Final = "draw one with `python -c 'import secrets; print(secrets.token_urlsafe(32))'`"
SECRETS: Final = frozenset({"secret", "admin_token"})
"""Settings without a flag: every user of a machine can read its command lines."""
_OTHERS: Final = frozenset(
    {"LUDEX_DATA", "LUDEX_RUNS", "LUDEX_TOURNAMENTS", "LUDEX_JOBS", "LUDEX_CACHE", "LUDEX_LOG", "LUDEX_IGNORE"}
)
"""Ludex variables that other packages read."""


class Settings(JobLimits):
    """The settings. Each field is a flag, `--field-name`, and a variable, `LUDEX_FIELD_NAME`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: str = Field("127.0.0.1", min_length=1, description="address to listen on; other machines need LUDEX_SECRET")
    port: int = Field(8000, ge=0, le=65535, description="port to listen on; 0 takes a free one")
    secret: SecretStr | None = Field(
        None, description="what signs the cookies; drawn and kept in the data folder if not given"
    )
    admin_token: SecretStr | None = Field(None, description="what logs the administrator in, beside the login link")
    database: str | None = Field(None, description="the database's URL, variable LUDEX_DB; a file if not given")
    origins: tuple[str, ...] = Field(
        (), description="further origins that may call, comma-separated, such as https://play.example.org"
    )

    proxies: str = Field("", description="addresses of reverse proxies whose X-Forwarded-For is believed")

    engines: bool = Field(
        False,
        description="whether the administrator's browser may start programs by ugi: and gtp:, in matches and jobs",
    )
    agents_from: tuple[str, ...] = Field(
        (), description="files and packages whose classes the administrator's browser may name by py:, comma-separated"
    )

    network_agents: bool = Field(
        False,
        description="whether the administrator's browser may name agents of the network: llm: and http:",
    )

    docs: str | None = Field(None, description="folder of the documentation that `make docs` built, served at /docs/")

    workers: int = Field(2, ge=1, le=256, description="processes that run searches")
    worker_memory_mb: int = Field(
        3_072, ge=256, description="megabytes that each of these processes may allocate; a search that needs more fails"
    )
    preload: bool = Field(
        True, description="whether workers load every game ahead of its first search; false needs less memory"
    )
    searches_per_person: int = Field(4, ge=1, description="searches that one person may have running or waiting")
    searches_per_address: int = Field(16, ge=1, description="hints and analyses of one address, running or waiting")
    workers_per_address: int | None = Field(
        None, ge=1, description="searches of one address that run at once; all workers but one if not given"
    )
    searches_waiting: int = Field(32, ge=0, description="hints and analyses that may wait for a free worker")
    search_ms: int = Field(
        10_000,
        ge=10,
        description="the longest time of any search; a longer move time is refused; "
        "a position of a review has six times as long",
    )
    grace_ms: int = Field(3_000, ge=10, description="time to stop on request, before the worker is killed")
    preparing_ms: int = Field(300_000, ge=1_000, description="time to load or compile kernels and replay a match")
    replay_ms: int = Field(5_000, ge=100, description="CPU time to replay an imported match; a longer one is refused")
    report_ms: int = Field(100, ge=0, description="the shortest time between two reports of one search")

    matches_per_person: int = Field(200, ge=1, description="live matches one person may hold a seat in")
    matches_per_hour: int = Field(600, ge=1, description="matches one person may begin in an hour")
    matches_per_address: int = Field(1_200, ge=1, description="matches one address may begin in an hour")
    person_mb: int = Field(64, ge=1, description="megabytes of the matches that one person has begun")
    database_mb: int = Field(10_240, ge=1, description="megabytes of the database, beyond which no match begins")
    connections: int = Field(
        10_000, ge=1, description="open connections in all; fewer where the process may open fewer files"
    )
    connections_per_address: int = Field(256, ge=1, description="open connections of one address")
    header_ms: int = Field(10_000, ge=100, description="time for the headers of a request")
    body_ms: int = Field(30_000, ge=100, description="time for the body of a request, and for a client to read on")
    sockets_per_person: int = Field(16, ge=1, description="open WebSockets of one person")
    sockets_per_address: int = Field(64, ge=1, description="open WebSockets of one address")
    sockets: int = Field(1_000, ge=1, description="open WebSockets in all, at most three of four connections")
    message_bytes: int = Field(4_096, ge=256, description="the longest message a client may send by WebSocket")
    messages_per_minute: int = Field(240, ge=1, description="messages one WebSocket may send in a minute")
    body_bytes: int = Field(4_194_304, ge=1_024, description="the longest body of a request")
    requests_per_minute: int = Field(1_200, ge=1, description="API requests of one address in a minute")
    burst: int = Field(200, ge=1, description="API requests of one address at once")

    pace_ms: int = Field(300, ge=0, description="the shortest time between two moves when agents play each other")
    poll_ms: int = Field(1_000, ge=50, description="how often a watched match is looked up for another server's moves")
    cached_matches: int = Field(128, ge=1, description="matches kept replayed in memory")
    cached_bytes: int = Field(100_663_296, ge=1_024, description="memory of the matches kept replayed, at most")

    @field_validator("origins", "agents_from", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("origins")
    @classmethod
    def _are_origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for origin in value:
            scheme, separator, host = origin.partition("://")
            if scheme not in ("http", "https") or not separator or not host or "/" in host or origin != origin.lower():
                raise ValueError(
                    f"{origin!r} is no origin: expected such as https://play.example.org, in small letters"
                )
        return value

    @field_validator("agents_from")
    @classmethod
    def _are_modules(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for listed in value:
            if not (Path(listed).expanduser().is_file() if listed.endswith(".py") else _is_module(listed)):
                raise ValueError(f"{listed!r} is neither a file that ends in .py nor a package that is installed")
        return value

    @field_validator("secret", "admin_token")
    @classmethod
    def _is_hard_to_guess(cls, value: SecretStr | None) -> SecretStr | None:
        bits = LEAST_BITS if value is None else entropy_bits(value.get_secret_value())
        if bits < LEAST_BITS:
            raise ValueError(f"a secret needs {LEAST_BITS} bits, and this one has {bits:.0f} at most: {DRAW}")
        return value

    @model_validator(mode="after")
    def _is_safe(self) -> Self:
        if self.secret is None and not self.loopback:
            raise ValueError(
                f"--host {self.host} lets other machines in: set LUDEX_SECRET, or listen on 127.0.0.1; {DRAW}"
            )
        return self

    @model_validator(mode="after")
    def _sockets_are_connections(self) -> Self:
        named = self.model_fields_set
        most = most_sockets(self.connections)
        if "sockets" in named and self.sockets > most:
            raise ValueError(
                f"sockets: {self.sockets} WebSockets would leave no connections for requests: of {self.connections} "
                f"connections at most {most} may be WebSockets; raise connections or lower sockets"
            )
        if "sockets_per_address" in named and self.sockets_per_address > self.connections_per_address:
            raise ValueError(
                f"sockets_per_address: one address has {self.connections_per_address} connections at most, and so "
                f"never {self.sockets_per_address} WebSockets; raise connections_per_address or lower it"
            )
        return self

    @property
    def permissions(self) -> Permissions:
        """What the administrator's browser may name."""
        return Permissions(self.engines, self.agents_from, self.network_agents)

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    @classmethod
    def read(cls, flags: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None) -> Self:
        """Flags that are not None win over variables. Raises `BadOption` for what is unknown, ill-typed or unsafe."""
        variables = os.environ if environment is None else environment
        known = {variable_of(name): name for name in cls.model_fields}
        strange = sorted(
            name for name in variables if name.startswith("LUDEX_") and name not in known and name not in _OTHERS
        )
        if strange:
            raise BadOption(f"unknown variable {strange[0]}; known: {', '.join(sorted([*known, *_OTHERS]))}")
        values: dict[str, Any] = {
            name: variables[variable] for variable, name in known.items() if variables.get(variable)
        }
        for name in SECRETS & values.keys():
            # So that no message quotes it.
            values[name] = SecretStr(values[name])
        values |= {name: value for name, value in (flags or {}).items() if value is not None}
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise BadOption(f"server settings: {complaint(error, cls)}") from None


def _is_module(name: str) -> bool:
    """Whether a dotted name can be imported; only the packages above it are."""
    try:
        return all(part.isidentifier() for part in name.split(".")) and find_spec(name) is not None
    except ImportError:
        return False


def settings_fields() -> dict[str, FieldInfo]:
    """The fields by name, in the order of the manual: the limits of jobs, which the settings extend, come last."""
    own = {name: field for name, field in Settings.model_fields.items() if name not in JobLimits.model_fields}
    return {**own, **JobLimits.model_fields}


def most_sockets(connections: int) -> int:
    """How many of the connections may be WebSockets: these are never closed for others, so that some must remain.

    >>> most_sockets(1000)
    750
    """
    return max(1, connections * 3 // 4)


def flag_of(field: str) -> str:
    """The flag of a field.

    >>> flag_of("pace_ms")
    '--pace-ms'
    """
    return f"--{field.replace('_', '-')}"


def variable_of(field: str) -> str:
    """The environment variable of a field.

    >>> variable_of("pace_ms")
    'LUDEX_PACE_MS'
    """
    return "LUDEX_DB" if field == "database" else f"LUDEX_{field.upper()}"

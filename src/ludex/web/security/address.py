"""The address that limits count a visitor by, and the cookies of a request."""

from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, cookie_parser
from starlette.types import Scope

from ludex.web.recent import Recent

NETWORK_BITS: Final = 64
"""Of an IPv6 address: a client usually has a whole /64 network."""
EVERYONE: Final = "*"
MOST_PEOPLE: Final = 10_000
"""People whose network is remembered; the one unseen for longest is forgotten first."""


@lru_cache(maxsize=MOST_PEOPLE)
def network_of(host: str) -> str:
    """The key of a host in every limit: an IPv4 address, or the /64 network of an IPv6 address.

    >>> network_of("192.0.2.7"), network_of("2001:db8::1:2"), network_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::', '192.0.2.7')
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        # A socket that listens on `::` sees IPv4 clients like this: they would all share one /64.
        return str(address.ipv4_mapped)
    rest = 128 - NETWORK_BITS
    return str(IPv6Address(int(address) >> rest << rest))


def visitor_of(scope: Scope) -> str:
    """The network of a request's client: of the connection, or as a trusted proxy's X-Forwarded-For gives it.

    uvicorn replaces the client in the scope only where the connection comes from an address of `--proxies`.
    """
    client = scope.get("client")
    return network_of(client[0]) if client else ""


def cookie_of(scope: Scope, name: str) -> str | None:
    """A cookie of a request, None if there is none."""
    return cookie_parser("; ".join(Headers(scope=scope).getlist("cookie"))).get(name)


async def address_of(connection: HTTPConnection) -> str:
    """The caller's network, as a dependency of routes."""
    return visitor_of(connection.scope)


class AddressBook:
    """The network that each person last called from, in memory only.

    >>> book = AddressBook()
    >>> book.remember("ann", "192.0.2.7")
    >>> book.of("ann"), book.of("bob")
    ('192.0.2.7', None)
    """

    def __init__(self) -> None:
        self._networks = Recent[str, str](MOST_PEOPLE)

    def remember(self, person: str, network: str) -> None:
        self._networks[person] = network

    def of(self, person: str | None) -> str | None:
        """The network, or None if the person has not called for long."""
        return None if person is None else self._networks.get(person)


class Proxies:
    """The reverse proxies that `--proxies` names, by address or network.

    >>> "10.0.0.9" in Proxies("10.0.0.0/8, ::1"), "192.0.2.7" in Proxies("10.0.0.0/8"), "::1" in Proxies("*")
    (True, False, True)
    """

    def __init__(self, listed: str) -> None:
        names = [part.strip() for part in listed.split(",") if part.strip()]
        self._everyone = EVERYONE in names
        self._networks: list[IPv4Network | IPv6Network] = [
            ip_network(name, strict=False) for name in names if _is_network(name)
        ]

    def __contains__(self, host: str) -> bool:
        if self._everyone:
            return True
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)


def _is_network(name: str) -> bool:
    """uvicorn also accepts paths of Unix sockets, which are no networks."""
    try:
        ip_network(name, strict=False)
    except ValueError:
        return False
    return True

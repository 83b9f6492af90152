"""Imports, before the first connection, the modules that requests would otherwise import on demand."""

from collections.abc import Iterator
from importlib import import_module

from ludex.core import registry
from ludex.core.log import logger
from ludex.core.spec import GameSpec, Ref

log = logger("web")


def import_modules() -> None:
    """Import the rules and screens of every game; a third party's game that fails is logged, and listed as broken."""
    # Starlette's threads for static files; anyio chooses it on first use.
    import_module("anyio._backends._asyncio")
    specs, _ = registry.available()
    for spec in specs:
        try:
            for ref in _used(spec):
                registry.resolve(ref)
            registry.default_analyst(registry.make(spec.id))
        except Exception:
            # Code of others may fail in any way, and must not keep the other games from being served.
            log.exception("cannot import game", game=spec.id)


def _used(spec: GameSpec) -> Iterator[Ref]:
    """What the server itself calls; agents are made in the workers."""
    screen = spec.screen
    refs = (screen.terminal, screen.describe_ply, screen.board_model, screen.scene, screen.history, screen.composite)
    yield spec.factory
    yield from (ref for ref in (*refs, spec.learning.rankings, spec.tools.metrics) if ref is not None)
    yield from (agent.check for agent in spec.agents.values() if agent.check is not None)

"""Load a game's kernels ahead of time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ludex.core.registry import resolve, spec

Calls = Mapping[str, Callable[[], object]]


@dataclass(frozen=True)
class Warmup:
    """Named calls that compile a game's kernels, or read them from the cache, by running them."""

    player: Calls
    """Rules, agents, levels, analysis and the web app, on every preset, in the order people need them."""
    on_demand: Calls = field(default_factory=dict)
    """Training, batch environments, benchmarks and the game's own verbs, which compile on first use."""


_LOADED: dict[tuple[str, bool], tuple[str, ...]] = {}


def load_kernels(
    game: str, on_kernel: Callable[[str], object] | None = None, *, everything: bool = False
) -> tuple[str, ...]:
    """Make the kernels that playing a game needs ready in this process, and return their names.

    `on_kernel` gets each name once it is ready. `everything` adds the kernels of training, benchmarks and verbs.
    """
    key = (game, everything)
    calls = _calls(game, everything) if key not in _LOADED else dict.fromkeys(_LOADED[key], _nothing)
    for name, call in calls.items():
        call()
        if on_kernel is not None:
            on_kernel(name)
    return _LOADED.setdefault(key, tuple(calls))


def kernel_names(game: str, *, everything: bool = False) -> tuple[str, ...]:
    """The names of a game's kernels; nothing is compiled."""
    return tuple(_calls(game, everything))


def _nothing() -> None:
    """What loading a kernel a second time takes."""


def _calls(game: str, everything: bool) -> Calls:
    reference = spec(game).tools.warmup
    if reference is None:
        return {}
    warmup: Warmup = resolve(reference)()
    return {**warmup.player, **warmup.on_demand} if everything else warmup.player

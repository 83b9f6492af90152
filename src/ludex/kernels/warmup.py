"""Load a game's kernels ahead of time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from ludex.core.registry import resolve, spec

Calls = Mapping[str, Callable[[], object]]
KernelGroup: TypeAlias = Literal["player", "agents", "on_demand"]
GROUPS: Final[tuple[KernelGroup, ...]] = ("player", "agents", "on_demand")
"""The most urgent first."""
PLAYED: Final = GROUPS[:-1]
"""What the web app compiles."""


@dataclass(frozen=True)
class Warmup:
    """Named calls that compile a game's kernels, or read them from the cache, by running them."""

    player: Calls
    """What a match needs: rules, agents and the web app, on every preset. The game is ready with these."""
    agents: Calls = field(default_factory=dict)
    """The agents whose `AgentSpec.kernels` is "agents": compiled while people play, a match with one waits for them."""
    on_demand: Calls = field(default_factory=dict)
    """Training, batch environments, benchmarks and the game's own verbs, which compile on first use."""


LOADED: dict[tuple[str, KernelGroup], tuple[str, ...]] = {}


def load_kernels(game: str, *, through: KernelGroup = "agents") -> tuple[str, ...]:
    """Make a game's kernels ready in this process, group by group through the given one, and return their names."""
    return tuple(name for group in GROUPS[: GROUPS.index(through) + 1] for name in load_group(game, group))


def load_group(game: str, group: KernelGroup, on_kernel: Callable[[str], object] | None = None) -> tuple[str, ...]:
    """Make one group of a game's kernels ready in this process; `on_kernel` gets each name once it is ready."""
    key = (game, group)
    calls = dict.fromkeys(LOADED[key], _nothing) if key in LOADED else _calls(game, group)
    for name, call in calls.items():
        call()
        if on_kernel is not None:
            on_kernel(name)
    return LOADED.setdefault(key, tuple(calls))


def is_loaded(game: str, group: KernelGroup) -> bool:
    """Whether this process has loaded a group of a game's kernels."""
    return (game, group) in LOADED


def kernel_names(game: str, group: KernelGroup) -> tuple[str, ...]:
    """The names of a group of a game's kernels; nothing is compiled."""
    return tuple(_calls(game, group))


def _nothing() -> None:
    """What loading a kernel a second time takes."""


def _calls(game: str, group: KernelGroup) -> Calls:
    reference = spec(game).tools.warmup
    if reference is None:
        return {}
    warmup: Warmup = resolve(reference)()
    calls: Calls = getattr(warmup, group)
    return calls

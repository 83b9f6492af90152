"""Who takes part: agents named on a command line, ours or an engine behind a pipe, each with its budget."""

from dataclasses import replace
from typing import Any, Final

from ludex.core.agent import AnyAgent, WrappedAgent
from ludex.core.errors import BadOption
from ludex.core.game import AnyGame
from ludex.core.limit import MOST_DIGITS, Limit
from ludex.core.options import NETWORK, PY, CommonOptions, join_reference, parse_options, split_reference
from ludex.core.registry import agent_spec, choose_agent, let_err, make_agent, resolve, spec
from ludex.core.services import Services
from ludex.kernels.warmup import GROUPS, KernelGroup

UGI: Final = "ugi:"
ENGINES: Final = (UGI, "gtp:")
"""How references to programs begin: the protocol that they speak."""
FOREIGN: Final = (*ENGINES, PY, *NETWORK)
"""How references to code begin that is no agent of a package."""
LIMITS = {"movetime": "time_ms", "depth": "depth", "nodes": "nodes", "simulations": "simulations"}
"""Budgets that may stand in a reference, where the agent has no option of that name."""


class Entrant(WrappedAgent):
    """An agent under a budget of its own, which wins over the common one."""

    def __init__(self, agent: AnyAgent, name: str, budget: dict[str, int]) -> None:
        super().__init__(agent, name)
        self._budget: dict[str, Any] = {LIMITS[key]: value for key, value in budget.items()}

    def budget(self, common: Limit) -> Limit:
        return replace(common, **self._budget)


def is_foreign(game: str, entrant: str) -> bool:
    """Whether an agent is code of another package, or of another process.

    >>> is_foreign("quoridor", "hard:depth=3"), is_foreign("quoridor", 'ugi:"other-engine"')
    (False, True)
    """
    if entrant.startswith(FOREIGN):
        return True
    factory = agent_spec(spec(game), split_reference(entrant)[0]).factory
    return factory.partition(":")[0].partition(".")[0] != __name__.partition(".")[0]


def kernels_of(game: str, *entrants: str) -> KernelGroup:
    """The group through which a game's kernels must be loaded for these to play; engines have their own.

    >>> kernels_of("tictactoe", "perfect"), kernels_of("tictactoe", "perfect", "mcts:simulations=100")
    ('player', 'agents')
    """
    ours = [split_reference(entrant)[0] for entrant in entrants if not entrant.startswith(ENGINES)]
    return max((agent_spec(spec(game), name).kernels for name in ours), key=GROUPS.index, default=GROUPS[0])


def split_entrants(text: str) -> list[str]:
    """Take a list apart at commas outside double quotes.

    >>> split_entrants('hard:depth=3,ugi:"other-engine --threads 1,2"')
    ['hard:depth=3', 'ugi:"other-engine --threads 1,2"']
    """
    if text.count('"') % 2:
        raise BadOption(f"{text!r}: a double quote is not closed")
    entrants, quoted = [""], False
    for character in text:
        quoted ^= character == '"'
        if character == "," and not quoted:
            entrants.append("")
        else:
            entrants[-1] += character
    return [entrant.strip() for entrant in entrants]


def make_entrant(game: AnyGame, text: str, services: Services | None = None) -> Entrant:
    """The player of a reference such as `hard:depth=3:movetime=300` or `ugi:"command arguments":nodes=1000`.

    What is no budget behind a command is an option of the engine, behind a class an argument of it; `mistakes` is an
    option of every agent.
    """
    if text.startswith(ENGINES):
        protocol, _, quoted = text.partition(":")
        command, _, rest = quoted.removeprefix('"').partition('"')
        surplus, values = split_reference(rest)
        if surplus:
            raise BadOption(f'{text!r}: expected {protocol}:"command":key=value, found {surplus!r} after the command')
        common = {key: values.pop(key) for key in CommonOptions.model_fields if key in values}
        mistakes = parse_options(CommonOptions, common, text).mistakes
        budget = _budget(text, {key: value for key, value in values.items() if key in LIMITS})
        options = {key: value for key, value in values.items() if key not in LIMITS}
        engine = resolve(f"ludex.arena.{protocol}_agent:{protocol.capitalize()}Agent")(game, command, options)
        return Entrant(let_err(game, engine, mistakes, text), text, budget)
    reference, budget = _apart(game, text)
    return Entrant(make_agent(game, reference, services), text, budget)


def check_reference(game: AnyGame, text: str, *, classes: bool = False) -> None:
    """Raise what `make_entrant` would find wrong with a reference to an agent of ours, without making the agent.

    An engine or a class of this machine is refused, unless `classes`: to name one is to run any program here. So is an
    agent of the network: to name one is to call any address from here.
    """
    if text.startswith(ENGINES) or (text.startswith(FOREIGN) and not classes):
        raise BadOption(
            f"{text!r} runs a program of the server or calls another one: only agents of the game can be named here"
        )
    choose_agent(game, _apart(game, text)[0])


def _apart(game: AnyGame, text: str) -> tuple[str, dict[str, int]]:
    """The agent's own part of a reference, and its budget."""
    name, values = split_reference(text)
    known = agent_spec(spec(game.info.id), name).options.model_fields
    limits = {key: value for key, value in values.items() if key in LIMITS and key not in known}
    options = {key: value for key, value in values.items() if key not in limits}
    return join_reference(name, options), _budget(text, limits)


def _budget(text: str, values: dict[str, str]) -> dict[str, int]:
    for key, value in values.items():
        if not value.isdecimal() or len(value) > MOST_DIGITS or int(value) == 0:
            raise BadOption(f"{text!r}: {key} must be a positive whole number of up to {MOST_DIGITS} digits")
    return {key: int(value) for key, value in values.items()}

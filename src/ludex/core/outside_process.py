"""The process of an agent from outside: `python -m ludex.core.outside_process FD`, started by `ludex.core.outside`."""

import importlib
import importlib.util
import inspect
import os
import queue
import signal
import sys
import threading
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from ludex.core.agent import AnyAgent, FollowsMoves
from ludex.core.errors import BadOption, LudexError
from ludex.core.game import AnyGame
from ludex.core.limit import Limit
from ludex.core.options import PY, split_reference
from ludex.core.registry import choose_agent, make, resolve
from ludex.core.seeding import Rng
from ludex.core.services import Services


def serve(connection: Connection) -> None:
    """Make the agent, then answer until the connection is closed."""
    game_id, preset, name = connection.recv()
    try:
        agent = make_agent_of_class(make(game_id, preset), name)
    except LudexError as error:
        connection.send(("refused", error.message))
        return
    except (Exception, SystemExit) as error:
        # A module from outside may raise anything.
        connection.send(("refused", f"{type(error).__name__}: {error}"))
        return
    connection.send(("ready", isinstance(agent, FollowsMoves)))
    orders: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
    current = Limit()

    def listen() -> None:
        while True:
            try:
                order = connection.recv()
            except (EOFError, OSError):
                # The caller is gone; the agent may never return.
                os._exit(0)
            if order[0] == "stop":
                current.stop[0] = 1
            else:
                if order[0] == "decide":
                    current.stop[0] = 0
                orders.put(order)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        kind, *order = orders.get()
        try:
            if kind == "follow":
                agent.follow(order[0])  # type: ignore[attr-defined]
            else:
                view, legal, state, budget = order
                limit = Limit(
                    **budget, stop=current.stop, report=lambda decision: connection.send(("report", decision))
                )
                with limit.watch():
                    decision = agent.decide(view, legal, rng=Rng(state), limit=limit)
                connection.send(("decision", decision))
        except (Exception, SystemExit) as error:
            connection.send(("fault", f"{type(error).__name__}: {error}"))


def make_agent_of_class(game: AnyGame, name: str) -> AnyAgent:
    """The agent of a reference; raises `BadOption` for what the class or factory does not take."""
    if not name.startswith(PY):
        choice = choose_agent(game, name)
        agent: AnyAgent = resolve(choice.spec.factory)(game, choice.options, Services(), choice.name)
        return agent
    reference, values = split_reference(name)
    where, _, attribute = reference.removeprefix(PY).rpartition(":")
    module = module_of(where)
    factory = getattr(module, attribute, None)
    # Its own: what a module imports, such as a class that starts programs, is not what its name stands for.
    if not inspect.isclass(factory) or not f"{factory.__module__}.".startswith(f"{module.__name__}."):
        raise BadOption(f"{where} has no class {attribute!r} of its own")
    if not callable(getattr(factory, "decide", None)):
        raise BadOption(f"{attribute} is a class without a method `decide`, expected an Agent")
    make_player: Any = factory
    player: AnyAgent = make_player(*[game for _ in _game_parameter(factory)], **_keywords(factory, values))
    return player


def module_of(where: str) -> ModuleType:
    """A module by its name, or by the path of its file, whose folder is then importable too."""
    if not where.endswith(".py"):
        return importlib.import_module(where)
    path = Path(where).expanduser().resolve()
    if not path.is_file():
        raise BadOption(f"there is no file {where}")
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _parameters(factory: Any) -> list[inspect.Parameter]:
    return [*inspect.signature(factory).parameters.values()]


def _game_parameter(factory: Any) -> list[str]:
    """The name of the first parameter if it has no default: it is given the game. Else nothing."""
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    first = next(iter(_parameters(factory)), None)
    takes = first is not None and first.kind in positional and first.default is inspect.Parameter.empty
    return [first.name] if first is not None and takes else []


def _keywords(factory: Any, values: dict[str, str]) -> dict[str, Any]:
    """The options, each as the type that the class declares for it."""
    parameters = {parameter.name: parameter for parameter in _parameters(factory)}
    first = _game_parameter(factory)
    known = [
        name
        for name, parameter in parameters.items()
        if name not in first
        and parameter.kind in (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    ]
    takes_all = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values())
    hints = get_type_hints(factory.__init__ if inspect.isclass(factory) else factory)
    typed: dict[str, Any] = {}
    for key, value in values.items():
        if key not in known and not takes_all:
            raise BadOption(f"unknown key {key!r}; known keys: {', '.join(known) or 'none'}")
        try:
            typed[key] = TypeAdapter(hints.get(key, str)).validate_python(value)
        except ValidationError as error:
            raise BadOption(f"key {key!r}: {error.errors()[0]['msg']}, found {value!r}") from error
    missing = [name for name in known if parameters[name].default is inspect.Parameter.empty and name not in typed]
    if missing:
        raise BadOption(f"missing key {missing[0]!r}")
    return typed


def main() -> None:
    """Serve on the inherited connection; a caller that has gone needs no answer."""
    # Ctrl-C is for the parent of this process, and ends the connection.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "win32":
        from multiprocessing.connection import PipeConnection

        connection: Any = PipeConnection(int(sys.argv[1]))
    else:
        connection = Connection(int(sys.argv[1]))
    try:
        serve(connection)
    except (BrokenPipeError, ConnectionResetError, EOFError):
        # A match that is decided ends its workers, also those whose agents are being made.
        os._exit(0)


if __name__ == "__main__":
    main()

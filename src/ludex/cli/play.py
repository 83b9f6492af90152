"""`ludex play`: play against an agent in the terminal."""

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from ludex.cli import completion, parameters
from ludex.cli.gameverb import board_verb
from ludex.cli.output import console
from ludex.core import registry
from ludex.core.errors import BadOption
from ludex.core.seeding import MAX_SEED

if TYPE_CHECKING:
    from ludex.arena.entrants import Entrant
    from ludex.core.game import AnyGame
    from ludex.core.match import Match
    from ludex.store.database import Database

Seat = Literal["first", "second", "both", "none"]
Name = TypeVar("Name", bound=str)


def play(
    board: Any,
    *,
    agent: Annotated[
        str | None,
        typer.Option(
            help="your opponent, a level or an agent; a level for beginners if none is named",
            autocompletion=completion.agent,
        ),
    ] = None,
    seat: Annotated[Seat, typer.Option(help="where you sit: both for two people, none to watch")] = "first",
    seed: Annotated[
        int | None, typer.Option(min=0, max=MAX_SEED, help="seed of all randomness; drawn if not given")
    ] = None,
    movetime: parameters.MoveTime = None,
    depth: parameters.Depth = None,
    nodes: parameters.Nodes = None,
    resume: Annotated[str | None, typer.Option(metavar="ID", help="resume a stored match")] = None,
    save: Annotated[bool, typer.Option(help="store the match in the database")] = True,
) -> None:
    """Play in the terminal; without a game a menu asks for game, opponent and seat."""
    import secrets
    from contextlib import ExitStack

    from ludex.cli.terminal import TerminalMatch
    from ludex.core.limit import Limit
    from ludex.core.match import Match
    from ludex.core.record import PERSON
    from ludex.core.seeding import SEED_BITS
    from ludex.store.database import Database

    if resume is not None and not save:
        raise BadOption("--resume goes on with a kept match: it cannot be played with --no-save")
    with ExitStack() as closing:
        database = closing.enter_context(Database.open()) if save else None
        if database is not None and resume is not None:
            match, agents, version = _stored_match(database, resume, board.info.id)
        else:
            match = Match(board, secrets.randbits(SEED_BITS) if seed is None else seed)
            agents, version = _agents(board, agent, seat), 1
        entrant, adviser = _opponent(match.game, agents)
        for player in (adviser, entrant):
            closing.callback(player.close)
        TerminalMatch(
            match=match,
            agents=agents,
            seated_agents={player: entrant for player, name in enumerate(agents) if name != PERSON},
            adviser=adviser,
            limit=Limit(time_ms=movetime, depth=depth, nodes=nodes),
            console=console(),
            matches=None if database is None else database.matches,
            match_id=resume,
            version=version,
        ).play()


def _agents(board: "AnyGame", agent: str | None, seat: Seat) -> tuple[str, ...]:
    """Who sits where: people as the flag says, else the agent that is named, or the one that people meet first."""
    from ludex.core.record import PERSON

    players = board.info.players
    people = {"first": [0], "second": [1], "both": [*range(players)], "none": []}[seat]
    if agent is None and len(people) < players:
        # Alone, a person wants the best advice.
        agent = (registry.default_level(board) if players > 1 else None) or registry.default_agent(board)
    return tuple(PERSON if player in people else str(agent) for player in range(players))


def _stored_match(database: "Database", match_id: str, game: str) -> "tuple[Match[Any, Any], tuple[str, ...], int]":
    """A match of the database with its agents and version, on the board that its record knows."""
    from ludex.core.record import replay

    hosted = database.hostings.get(match_id)
    record = hosted.stored.record
    if hosted.timing is not None:
        raise BadOption(f"match {match_id!r} is played with clocks, which only the web app keeps")
    if record.game != game:
        raise BadOption(f"match {match_id!r} is of {record.game}, not of {game}")
    return replay(registry.make(record.game, record.preset), record), record.agents, hosted.stored.version


def _opponent(board: "AnyGame", agents: tuple[str, ...]) -> "tuple[Entrant, Entrant]":
    """Who plays against people, and who gives hints: a level errs on purpose, so it gives no advice."""
    from ludex.arena.entrants import make_entrant
    from ludex.core.record import PERSON
    from ludex.store.services import lazy_services

    opponent = next((name for name in agents if name != PERSON), None)
    spec = registry.spec(board.info.id)
    if opponent is not None and (opponent not in spec.levels or opponent in spec.agents):
        adviser = make_entrant(board, opponent, lazy_services())
        return adviser, adviser
    adviser = make_entrant(board, registry.default_agent(board), lazy_services())
    return (adviser if opponent is None else make_entrant(board, opponent, lazy_services())), adviser


def menu() -> None:
    """Ask what to play."""
    from rich.prompt import Prompt
    from rich.text import Text

    output = console()
    output.print(Text.assemble(("Ludex", "bold"), ("  pick a number, or press Enter for the number shown\n", "dim")))
    try:
        games = {spec.id: spec.summary for spec in registry.available()[0]}
        game = registry.spec(_pick("game", games, Prompt))
        board = registry.make(game.id)
        alone = board.info.players == 1
        if alone:
            able = [name for name, agent in game.agents.items() if agent.plays(board.info.preset)]
            agent = _pick("adviser", {name: game.agents[name].summary for name in able}, Prompt)
        else:
            offered = registry.levels(board)
            about = {name: f"{level.title.text()}: {level.description.text()}" for name, level in offered.items()}
            agent = _pick("opponent", about, Prompt, registry.default_level(board))
        seats: dict[Seat, str] = {"first": "you begin", "second": "the machine begins", "both": "two people"}
        if alone:
            seats = {"first": "you play", "none": "watch the machine"}
        seat = _pick("seat", seats, Prompt)
    except EOFError:
        output.print()
        return
    play(board, agent=agent, seat=seat)


def _pick(what: str, choices: dict[Name, str], prompt: Any, default: Name | None = None) -> Name:
    from rich.text import Text

    output = console()
    names = list(choices)
    for number, name in enumerate(names, 1):
        output.print(Text.assemble((f"  {number} ", "bold"), f"{name:<12} ", (choices[name], "dim")))
    answer = prompt.ask(
        what,
        choices=[*map(str, range(1, len(names) + 1)), *names],
        show_choices=False,
        default="1" if default is None else str(names.index(default) + 1),
        console=output,
    )
    output.print()
    return names[int(answer) - 1] if answer.isdecimal() else next(name for name in names if name == answer)


command = board_verb(play, without_game=menu)

"""`ludex check`: whether a game or an agent keeps the contract, part by part."""

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from ludex.cli import exits, parameters
from ludex.cli.output import emit, note
from ludex.core import registry
from ludex.core.errors import BadPuzzle, LudexError, MissingDependency, UnknownGame, Unsupported

if TYPE_CHECKING:
    from ludex.core.compiled import CompiledRules
    from ludex.core.game import AnyGame

PROVEN: Final = 3
"""Puzzles of a theme that are proven again."""
ENDS: Final = 20
"""Plays of a board of the kit, which are fast, of which only the ends are checked."""
LONG: Final = 40_000
"""Actions times plies from which the plays of a board are long: fewer of its positions and turns are checked."""

WATCHER: Final = """
import sys
if not sys.stdin.read():
    print("the process died: a kernel may leave an array; run it with NUMBA_BOUNDSCHECK=1", file=sys.stderr)
"""
"""What the process runs that sees this one die."""

Status = Literal["passed", "failed", "not checked", "not offered"]
SHOWN: Final[dict[Status, str]] = {
    "passed": "ok",
    "failed": "FAILED",
    "not checked": "NOT CHECKED",
    "not offered": "not offered",
}
"""A status in the line that is printed while the checks run."""


def check(
    name: Annotated[str, typer.Argument(metavar="NAME", help="a game, an agent, or the folder of a package with one")],
    *,
    as_json: parameters.Json = False,
) -> None:
    """Check a game, or an agent of a package: spec, rules, compiled rules, scene, agents, batch and environments.

    A folder is checked where it is, without an installation. What needs a package that is not installed is reported
    as not checked, with the extra that brings it. The exit code is 1 if anything is wrong.
    """
    rows = []
    with _watched():
        for part, subject, run in _parts(name):
            rows.append(_examine(part, subject, run))
            if not as_json:
                note(f"{SHOWN[rows[-1]['status']]:<11} {part} {subject}, {rows[-1]['seconds']:.1f} s")
            if part in ("spec", "kernels") and not rows[-1]["ok"]:
                # Whatever needs them would fail with the same error.
                break
    ok = all(row["ok"] for row in rows)
    emit({"name": name, "ok": ok, "checks": rows}, as_json, lambda: _render(name, rows))
    if not ok:
        raise typer.Exit(exits.FAILURE)


@contextmanager
def _watched() -> Iterator[None]:
    """Have another process say what to do if this one dies, as it may where a kernel writes outside an array."""
    watcher = subprocess.Popen([sys.executable, "-S", "-c", WATCHER], stdin=subprocess.PIPE)
    try:
        yield
    finally:
        watcher.communicate(b"done")


Part = tuple[str, str, Callable[[], object]]


def _parts(name: str) -> Iterator[Part]:
    folder = Path(name)
    if name not in registry.names() and (folder / "pyproject.toml").is_file():
        from ludex.core.source_package import register

        games, agents = register(folder)
    elif name in registry.names():
        games, agents = [name], []
    elif name in registry.agents_of_packages():
        games, agents = [], [name]
    else:
        known = ", ".join([*registry.names(), *registry.agents_of_packages()])
        raise UnknownGame(f"unknown game or agent: {name!r}, and no folder with a pyproject.toml; known: {known}")
    for game in games:
        yield from _game(game)
    for agent in agents:
        yield from _agent(agent)


def _game(name: str) -> Iterator[Part]:
    from ludex.core.compiled import compiled_rules
    from ludex.core.conformance import (
        check_agent,
        check_batch,
        check_compiled,
        check_editor,
        check_game,
        check_scene,
        check_spec,
        check_teaching,
        check_text,
    )
    from ludex.kit.game import GridGame

    spec = registry.spec(name)
    yield "spec", name, partial(check_spec, spec)
    default = compiled_rules(registry.make(name))
    if default is not None:
        yield "kernels", name, partial(_compile, default)
    yield "teaching", name, partial(check_teaching, spec)
    vary = registry.resolve(spec.vary_secret) if spec.vary_secret else None
    evaluation = registry.resolve(spec.evaluation) if spec.evaluation else None
    for preset in spec.presets:
        board = registry.make(name, preset)
        ends = ENDS if isinstance(board, GridGame) else 0
        yield "game", preset, partial(check_game, board, plays=_plays(board), positions=50, ends=ends, vary_secret=vary)
        if spec.screen.scene is not None:
            yield "scene", preset, partial(check_scene, spec, board, plays=1)
        if spec.screen.editor is not None:
            yield "editor", preset, partial(check_editor, spec, board, every=_stride(board))
        yield "text", preset, partial(check_text, board, plays=1, every=_stride(board), vary_secret=vary)
        rules = compiled_rules(board)
        if rules is not None:
            yield "compiled rules", preset, partial(check_compiled, rules, board, evaluation=evaluation)
    board = registry.make(name)
    yield "review", board.info.preset, partial(_review, board)
    for agent in spec.agents:
        if registry.supports(board, agent):
            make = partial(registry.make_agent, board, agent)
            yield "agent", agent, partial(check_agent, board, make, **_effort(board))
    if spec.learning.batch is not None:
        batch = registry.resolve(spec.learning.batch)
        yield "batch", board.info.preset, lambda: check_batch(batch(board, 4), board)
    if spec.puzzles.data is not None:
        yield "puzzles", name, partial(_puzzles, name)
    yield "environment", "gymnasium", partial(_gymnasium, name)
    if board.info.players == 2:
        yield "environment", "pettingzoo", partial(_pettingzoo, name)


def _agent(name: str) -> Iterator[Part]:
    """The agent of an entry point on the default boards of its games; of all games, on the two smallest."""
    from ludex.core.conformance import check_agent

    spec = registry.agents_of_packages()[name]
    boards = [registry.make(game_id) for game_id in (registry.names() if spec.games == "*" else spec.games)]
    boards.sort(key=lambda board: board.info.num_actions * board.info.max_plies)
    for board in boards[:2] if spec.games == "*" else boards:
        if registry.supports(board, name):
            make = partial(registry.make_agent, board, name)
            yield "agent", f"{name} on {board.info.id}", partial(check_agent, board, make, **_effort(board))


def _plays(board: "AnyGame") -> int:
    return max(1, min(8, 2048 // (board.info.num_actions * board.info.max_plies)))


def _stride(board: "AnyGame") -> int:
    """Of how many positions of a play one text is checked."""
    return max(1, board.info.max_plies // 50)


def _effort(board: "AnyGame") -> dict[str, Any]:
    """Bounds for whatever an agent counts; none in time, so that decisions repeat."""
    from ludex.core.limit import Limit

    long = board.info.num_actions * board.info.max_plies > LONG
    limit = Limit(depth=2, nodes=2000, simulations=32)
    return {"plays": 1, "limit": limit, "again": 10, "every": 9 if long and board.info.players == 2 else 1}


def _review(board: "AnyGame") -> None:
    """Assess the first, a middle and the last move of a random match as a review does."""
    from contextlib import closing

    from ludex.coach.analyst import Analyst
    from ludex.core.game import legal_actions
    from ludex.core.match import Match
    from ludex.core.seeding import OPENING

    match = Match(board, seed=1)
    while not match.over:
        match.play(match.rng(OPENING).choice(legal_actions(match.legal())))
    with closing(Analyst(board)) as analyst:
        for ply in sorted({0, match.ply // 2, match.ply - 1}):
            analyst.assess(match, ply)


def _compile(rules: "CompiledRules") -> None:
    """Compile the rules, which names the function and line of a kernel that does not compile."""
    from ludex.kernels.calls import addresses

    addresses(rules, owning=rules.ownership is not None)
    addresses(rules, observing=False)


def _puzzles(name: str) -> None:
    """Prove the first puzzles of each theme again."""
    from ludex.coach.puzzles.collection import of_theme, shipped_puzzles
    from ludex.coach.puzzles.making import check

    shipped = [*shipped_puzzles(name).values()]
    for theme in registry.spec(name).puzzles.themes:
        for puzzle in of_theme(shipped, theme)[:PROVEN]:
            try:
                check(puzzle)
            except LudexError as error:
                raise BadPuzzle(f"puzzle {puzzle.id} of theme {theme!r}: {error.message}") from error


def _gymnasium(name: str) -> None:
    import warnings

    from gymnasium.utils.env_checker import check_env

    import ludex.envs

    with warnings.catch_warnings(), ludex.envs.gym(name) as env:
        # Advice for pictures and unbounded numbers.
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)


def _pettingzoo(name: str) -> None:
    import warnings

    import ludex.envs

    env = ludex.envs.pettingzoo(name)
    with warnings.catch_warnings(), redirect_stdout(StringIO()):
        warnings.simplefilter("ignore")
        from pettingzoo.test import api_test

        api_test(env, num_cycles=30)


def _examine(part: str, subject: str, run: Callable[[], object]) -> dict[str, Any]:
    from ludex.core.conformance.report import describe_error

    begin = time.perf_counter()
    status: Status = "passed"
    detail = ""
    try:
        # What a game prints is not data of this command.
        with redirect_stdout(sys.stderr):
            run()
    except Unsupported as error:
        status, detail = "not offered", error.message
    except MissingDependency as error:
        status, detail = "not checked", error.message
    except LudexError as error:
        status, detail = "failed", str(error)
    except Exception as error:
        # A third-party game may raise anything, and so do the checkers of other libraries.
        status, detail = "failed", describe_error(error)
    return {
        "part": part,
        "subject": subject,
        "ok": status != "failed",
        "status": status,
        "detail": detail,
        "seconds": round(time.perf_counter() - begin, 3),
    }


def _render(name: str, rows: list[dict[str, Any]]) -> str:
    """The checks that did not pass, a line each, and how many there are of each status."""
    lines = [f"{row['status']}: {row['part']} {row['subject']}: {row['detail']}" for row in rows if row["detail"]]
    counted = Counter(row["status"] for row in rows)
    others = "".join(
        f", {counted[verdict]} {verdict}" for verdict in ("failed", "not checked", "not offered") if counted[verdict]
    )
    lines.append(f"{name}: {counted['passed']} of {len(rows)} checks passed{others}")
    return "\n".join(lines)

"""Trained agents kept as levels: from a run, or from a file that a friend has sent.

A file is ONNX, safetensors or a ranking in JSON, by its content and not its name. It is bounded in size, checked as a
whole, and has played some moves in a process with little memory and time before it is kept: it may have another shape,
or be made to fill the memory, and only that process ends then. Run as a module, this file is that process.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from ludex.core.agent import AnyAgent
from ludex.core.documents import parse_json, read_bytes, read_tensors
from ludex.core.errors import BadNet, BadOption, BadRun, LudexError
from ludex.core.game import AnyGame
from ludex.core.kept_agents import LARGEST_FILE, KeptAgent, clean_title, find_kept, keep
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.options import KEPT, RUN, join_reference
from ludex.core.registry import board_options, make, make_agent, spec
from ludex.core.spec import AgentFormat, TrainedAgentSpec
from ludex.core.system import limit_memory
from ludex.learn.run_agents import RunAgent, RunAgents, file_of, find_agent, reference_of
from ludex.learn.runs import Run
from ludex.learn.trainings import trainings
from ludex.search.onnx_check import check_onnx

FOREIGN: Final = {b"PK": "a zip archive, such as PyTorch's .pt", b"\x80": "a pickle", b"\x1f\x8b": "a gzip archive"}
"""By what they begin with, files that may hold code or hide their size."""
LARGEST_HEADER: Final = 1 << 20
SECONDS: Final = 300
"""Kernels may have to be compiled first."""
MEMORY_BYTES: Final = 2 << 30
"""Of a trial; kernels and onnxruntime need a fraction of it. A worker of a server has more, and other agents in it."""
PLIES: Final = 6
MOVE_MS: Final = 200
REFUSED: Final = 3


def keep_from_run(name: str, title: str) -> KeptAgent:
    """Keep an agent of a run, `NAME@STEP` or the last one of `NAME`, under a title."""
    title = clean_title(title)
    run, agents, agent = find_agent(name)
    data, origin = _content(run, agents, agent), reference_of(run, agent)
    return keep(title=title, game=run.game, board=agents.board, trained=agents.trained, data=data, origin=origin)


def import_file(game: str, preset: str | None, title: str, data: bytes, source: str) -> KeptAgent:
    """Check the file of a trained agent and keep it under a title. Raises `BadNet` that names what is wrong."""
    title = clean_title(title)
    board = board_options(game, preset)[1]
    trained = _accept(game, board, data, source)
    return keep(title=title, game=game, board=board, trained=trained, data=data, origin=source)


def export_agent(reference: str) -> tuple[str, bytes]:
    """The name and the bytes of the file of `run:NAME@STEP` or `kept:NAME`. Raises `UnknownAgent`."""
    if reference.startswith(KEPT):
        kept_agent = find_kept(reference.removeprefix(KEPT))
        return file_name(kept_agent.game, kept_agent.board, kept_agent.name, kept_agent.format), read_bytes(
            kept_agent.path, BadNet, LARGEST_FILE
        )
    if not reference.startswith(RUN):
        raise BadOption(f"expected run:NAME@STEP or kept:NAME, found {reference!r}")
    run, agents, agent = find_agent(reference.removeprefix(RUN))
    return file_name(run.game, agents.board, f"step{agent.step}", agents.format), _content(run, agents, agent)


def _content(run: Run, agents: RunAgents, agent: RunAgent) -> bytes:
    """The bytes of a run's agent. Raises `BadRun` if the file is too large, or not what the run has written."""
    what = reference_of(run, agent)
    if agent.bytes > LARGEST_FILE:
        raise BadRun(f"{what}: expected at most {LARGEST_FILE:,} bytes, found {agent.bytes:,}")
    data = read_bytes(file_of(run, agents, agent.step), BadRun, LARGEST_FILE)
    if hashlib.sha256(data).hexdigest() != agent.sha256:
        raise BadRun(f"{what}: the file has changed since the run wrote it")
    return data


def file_name(game: str, board: str, name: str, kind: AgentFormat) -> str:
    """What an exported file is called.

    >>> file_name("quoridor", "5x5:walls=3", "run-7", "onnx")
    'quoridor-5x5_walls=3-run-7.onnx'
    """
    return f"{game}-{board.replace(':', '_')}-{name}.{kind}"


def format_of(data: bytes, source: str) -> AgentFormat:
    """The format of a file, by its content. Raises `BadNet` for any other than those that hold no code."""
    if not data:
        raise BadNet(f"{source}: the file is empty")
    if len(data) > LARGEST_FILE:
        raise BadNet(f"{source}: expected at most {LARGEST_FILE:,} bytes, found {len(data):,}")
    for begin, what in FOREIGN.items():
        if data.startswith(begin):
            raise BadNet(f"{source}: {what}; only ONNX, safetensors and rankings in JSON are read")
    if data.lstrip()[:1] == b"{":
        return "json"
    if data[8:9] == b"{" and int.from_bytes(data[:8], "little") <= LARGEST_HEADER:
        return "safetensors"
    if data[:1] == b"\x08":
        return "onnx"
    raise BadNet(f"{source}: neither ONNX, safetensors nor a ranking in JSON")


def file_agent(game: str, preset: str, path: Path) -> str:
    """The agent that plays a file, as it is named wherever an agent is. Raises `BadNet`."""
    trained = _accept(game, preset, read_bytes(path, BadNet, LARGEST_FILE), str(path))
    return join_reference(trained.agent, {trained.option: str(path)})


def _accept(game: str, board: str, data: bytes, source: str) -> TrainedAgentSpec:
    """What plays the file on the board, among what the game's trainings make. Raises `BadNet`."""
    kind = format_of(data, source)
    known = [trained.trained for trained in trainings(spec(game)) if trained.trained is not None]
    fitting = [trained for trained in known if trained.format == kind]
    if not fitting:
        takes = ", ".join(sorted({trained.format for trained in known}))
        raise BadNet(f"{source}: {game} plays no agents in {kind}; it takes {takes or 'none'}")
    _check(kind, data, source)
    refused = []
    for trained in fitting:
        try:
            for tried in dict.fromkeys([board, largest_board(game)] if trained.any_board else [board]):
                try_file(game, tried, trained, data, source)
        except LudexError as error:
            refused.append(error.message)
        else:
            return trained
    raise BadNet("; ".join(refused))


def _check(kind: AgentFormat, data: bytes, source: str) -> None:
    """Check the form of a file, whatever agent it is of."""
    if kind == "onnx":
        check_onnx(data, source)
    elif kind == "safetensors":
        read_tensors(data, source, BadNet)
    else:
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            raise BadNet(f"{source}: not a text in UTF-8") from error
        parse_json(text, source, BadNet)


def try_file(game: str, board: str, trained: TrainedAgentSpec, data: bytes, source: str) -> None:
    """Play a file's agent on a board. Raises `BadNet` with what is wrong with it."""
    with tempfile.TemporaryDirectory(prefix="ludex-") as folder:
        path = Path(folder) / f"agent.{trained.format}"
        path.write_bytes(data)
        command = [sys.executable, "-m", "ludex.learn.exchange", game, board, trained.agent, trained.option, str(path)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired as error:
            raise BadNet(f"{source}: it did not play {PLIES} moves within {SECONDS} s") from error
    if done.returncode == REFUSED:
        raise BadNet(json.loads(done.stdout).replace(str(path), source))
    if done.returncode:
        raise BadNet(f"{source}: playing {PLIES} moves on {board} ended the process: it may need too much memory")


def largest_board(game: str) -> str:
    """The board of the most actions among a game's presets, each option as large as it may be.

    >>> largest_board("minesweeper")
    'expert_16x30_99:cols=64:rows=64'
    """
    best = max((make(game, preset) for preset in spec(game).presets), key=lambda board: board.info.num_actions)
    for name, field in spec(game).options.model_fields.items():
        for bound in (part.le for part in field.metadata if hasattr(part, "le")):
            try:
                larger = make(game, best.info.preset, **{name: bound})
            except LudexError:
                # An option that does not fit the others, such as more mines than cells.
                continue
            best = max(best, larger, key=lambda board: board.info.num_actions)
    return best.info.preset


def play_moves(game: AnyGame, agent: AnyAgent) -> None:
    """The first moves of a match in which the agent has every seat."""
    match = Match(game, seed=0)
    while match.ply < PLIES and not match.over:
        match.play(decide(match, agent, Limit(time_ms=MOVE_MS)).action)


def main(game: str, board: str, agent: str, option: str, path: str) -> None:
    """Run a trial in this process."""
    limit_memory(MEMORY_BYTES)
    try:
        candidate = make(game, board)
        play_moves(candidate, make_agent(candidate, agent, None, **{option: path}))
    except LudexError as error:
        print(json.dumps(error.message))
        sys.exit(REFUSED)


if __name__ == "__main__":
    main(*sys.argv[1:])

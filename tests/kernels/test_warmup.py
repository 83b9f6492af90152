"""Once a player's kernels are loaded, playing compiles nothing: a worker that compiles in its time is killed."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from ludex.kernels.warmup import Warmup, load_group, load_kernels, sources_digest

PLAYED = """
import sys

import numpy as np

import ludex
from ludex.core import registry
from ludex.kernels.warmup import load_group
from ludex.core.limit import Limit
from ludex.core.match import Match, time_decision
from ludex.core.registry import default_analyst, make_agent, resolve, spec


def compiled():
    modules = [module for name, module in [*sys.modules.items()] if name.startswith("ludex.")]
    kernels = {id(found): found for module in modules for found in vars(module).values() if hasattr(found, "py_func")}
    return {(found.py_func.__qualname__, str(types)) for found in kernels.values() for types in found.signatures}


def show(described, match):
    board, state = match.game, match.state
    board.load(board.dump(state))
    if described.screen.board_model is not None:
        resolve(described.screen.board_model)(board)
    if described.screen.scene is not None:
        player = 0 if match.over else match.to_move
        legal = np.zeros(board.info.num_actions, bool) if match.over else match.legal()
        resolve(described.screen.scene)(board, board.view(state, player), legal)
    if described.screen.history is not None:
        resolve(described.screen.history)(match, match.ply)


def play(described, board, name, seeds, plies):
    agent = make_agent(board, name)
    for seed in range(seeds):
        match = Match(board, seed)
        while not match.over and match.ply < plies:
            decision, _ = time_decision(match, agent, Limit(time_ms=10))
            match.carry_out(decision)
        show(described, match)


for group in ("player", "agents"):
    for game in registry.names():
        load_group(game, group)
    loaded = compiled()
    assert loaded
    for game in registry.names():
        described = spec(game)
        for preset in described.presets:
            default = preset == described.default_preset
            board = ludex.make(game, preset)
            playing = {name: agent for name, agent in described.agents.items() if agent.plays(preset)}
            agents = {name for name, agent in playing.items() if agent.kernels == group}
            for name in sorted(agents if default else {default_analyst(board)} & agents):
                play(described, board, name, 5 if default else 1, 60 if default else 4)
    print(group, sorted({name for name, _ in compiled() - loaded}))
"""


@pytest.mark.full
def test_loaded_kernels_are_all_that_players_need() -> None:
    command = [sys.executable, "-c", PLAYED]
    ran = subprocess.run(command, check=False, capture_output=True, text=True, timeout=1800)
    assert (ran.stdout, ran.stderr) == ("player []\nagents []\n", "")


def test_each_kernel_is_reported_in_order_and_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    warmup = Warmup(
        player={name: partial(ran.append, name) for name in ("rules", "levels")},
        agents={"search": partial(ran.append, "search")},
        on_demand={"training": partial(ran.append, "training")},
    )
    monkeypatch.setattr("ludex.kernels.warmup.LOADED", {})
    monkeypatch.setattr("ludex.games.tictactoe.tools.warmup.warmup", lambda: warmup)
    for _ in range(2):
        reported: list[str] = []
        assert load_group("tictactoe", "player", reported.append) == tuple(reported) == ("rules", "levels")
    assert ran == ["rules", "levels"]
    assert load_kernels("tictactoe") == ("rules", "levels", "search")
    assert load_kernels("tictactoe", through="on_demand") == ("rules", "levels", "search", "training")
    assert ran == ["rules", "levels", "search", "training"]


def test_an_edit_of_a_package_outdates_what_was_prepared_of_its_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "pile").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    digests = set()
    for rules in ("ONE = 1", "ONE = 2"):
        (tmp_path / "pile" / "__init__.py").write_text(rules)
        digests |= {sources_digest.__wrapped__("pile"), sources_digest.__wrapped__("pile")}
    assert len(digests) == 2

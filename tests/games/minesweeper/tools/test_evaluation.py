"""Evaluations: the same games in lanes and in matches, whatever the tasks and workers, and honest figures."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ludex.arena.statistics import wilson95
from ludex.core.decision import Candidate, Decision
from ludex.core.errors import Unsupported
from ludex.core.executor import InProcess, LocalProcesses
from ludex.core.game import Json, Mask
from ludex.core.limit import Limit
from ludex.core.registry import make
from ludex.core.seeding import Rng
from ludex.games.minesweeper.agents.solving import LaneAgent, LaneTurn, RandomAgent
from ludex.games.minesweeper.env.buffers import COMPONENTS, REST
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.lanes import game_seed
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.position import View
from ludex.games.minesweeper.tools import evaluation
from ludex.games.minesweeper.tools.evaluation import (
    Played,
    chunks,
    evaluate,
    evaluate_agent,
    play_games,
    play_lanes,
    play_match,
)
from tests.arena.executors import Backwards

TIMES = ("agent_seconds", "cpu_seconds")
TIMED = ("ms_per_game", "ms_per_move")
EASY = EnvConfig(H=5, W=5, mine_count=2, use_flag_shaping=True)


def board(**options: Any) -> Minesweeper:
    game = make("minesweeper", **options)
    assert isinstance(game, Minesweeper)
    return game


def seeds(count: int) -> list[int]:
    return [game_seed(7, number) for number in range(count)]


def same(here: Played, there: Played) -> None:
    for name in Played.__slots__:
        if name not in TIMES:
            assert np.array_equal(getattr(here, name), getattr(there, name), equal_nan=True), name


class Reader:
    """Knows nothing of lanes: reveals the first hidden cell, says how safe that is, and gives up at a three."""

    name = "reader"

    def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        action = int(legal.argmax())
        safety = 0.5 if view.plies % 2 else 1.0
        return Decision(
            action,
            candidates=(Candidate(action, terms={"safety": safety}),),
            resigns=bool((view.numbers >= 3).any()),
        )


class Columns:
    """`Reader` for many boards."""

    name = "columns"

    def choose(self, turn: LaneTurn) -> None:
        for lane in np.flatnonzero(turn.live):
            numbers = turn.numbers[lane].ravel()
            turn.actions[lane] = REST if (numbers >= 3).any() else int((numbers == -1).argmax())
            turn.safety[lane] = np.nan


@pytest.mark.slow
@pytest.mark.parametrize("flags", [False, True])
@pytest.mark.parametrize("start", ["zero", "safe", "none"])
@pytest.mark.parametrize("random_first_click", [False, True])
def test_random_plays_the_same_games_in_lanes_and_in_matches(flags: bool, start: str, random_first_click: bool) -> None:
    game = board(rows=4, cols=5, mines=2, start=start, random_first_click=random_first_click)
    cfg = EnvConfig.of_board(game.options, use_flag_shaping=True)
    agent = RandomAgent(flags)
    assert isinstance(agent, LaneAgent)
    in_lanes = play_lanes(agent, cfg, seeds(60))
    in_matches = Played.concatenate([play_match(game, agent, cfg, seed, Limit()) for seed in seeds(60)])
    same(in_lanes, in_matches)
    assert in_lanes.won.any()
    assert in_lanes.lost.any()


def test_other_agents_play_through_the_contract_and_may_give_up() -> None:
    game = board(rows=6, cols=6, mines=6, start="safe")
    cfg = EnvConfig.of_board(game.options)
    through = play_games(game, Reader(), cfg, seeds(80), Limit())
    beside = play_lanes(Columns(), cfg, seeds(80))
    for name in ("won", "lost", "stopped", "steps", "progress", "decisions", "rewards"):
        assert np.array_equal(getattr(through, name), getattr(beside, name)), name
    assert through.stopped.any()
    assert np.array_equal(through.won | through.lost | through.stopped, np.ones(80, np.bool_))
    assert np.array_equal(through.guesses, through.steps // 2)
    assert np.array_equal(through.luck, 0.5**through.guesses)
    assert np.isnan(beside.luck).all()


def test_a_limit_is_kept_by_playing_matches() -> None:
    game, limits = board(rows=3, cols=3, mines=1, start="safe"), []

    class LimitSpy(RandomAgent):
        def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
            limits.append(limit.nodes)
            return super().decide(view, legal, rng=rng, limit=limit)

    play_games(game, LimitSpy(), EnvConfig.of_board(game.options), seeds(2), Limit(nodes=9))
    assert set(limits) == {9}


def test_the_figures_are_what_the_games_were() -> None:
    result = evaluate("random", EASY, episodes=300, seed=7)
    game = board(**EASY.board().model_dump())
    played = play_lanes(RandomAgent(), EASY, seeds(300))
    assert result["win_rate"] == played.won.mean()
    assert (result["ci95_low"], result["ci95_high"]) == wilson95(float(played.won.mean()), 300)
    assert result["avg_progress"] == played.progress.mean()
    assert result["steps_to_win"] == played.steps[played.won].mean()
    assert result["steps_to_loss"] == played.steps[played.lost].mean()
    assert result["steps_to_outcome"] == played.steps.mean()
    assert (result["invalid_share"], result["stopped"]) == (0.0, 0.0)
    assert math.isnan(result["guesses"])
    assert math.isnan(result["luck"])
    assert result["reward_win"] == result["win_rate"] * EASY.win_reward
    assert result["reward_loss"] == pytest.approx((1 - result["win_rate"]) * EASY.loss_reward)
    assert result["reward_progress"] == pytest.approx(result["avg_progress"] * game.safe * EASY.progress_reward)
    assert result["reward_step"] == pytest.approx(-EASY.step_penalty * (result["steps_to_outcome"] - 1))
    assert result["ms_per_game"] > 0
    assert result["ms_per_move"] > 0


class Confused:
    """Flags a mine it cannot know, reveals the same cell again and again, then the rest."""

    name = "confused"

    def choose(self, turn: LaneTurn) -> None:
        for lane in np.flatnonzero(turn.live):
            numbers = turn.numbers[lane].ravel()
            turn.actions[lane] = 0 if numbers[0] == -1 else int((numbers >= 0).argmax())
            turn.safety[lane] = 1.0


def test_invalid_steps_are_counted_and_bounded() -> None:
    cfg = EnvConfig(H=4, W=4, mine_count=5, max_steps=12, guarantee_safe_neighborhood=False)
    played = play_lanes(Confused(), cfg, seeds(30))
    stuck = ~(played.won | played.lost)
    assert stuck.all()
    assert (played.steps == 12).all()
    assert (played.invalid == 11).all()
    assert played.rewards[:, COMPONENTS.index("invalid")] == pytest.approx(-11 * cfg.invalid_penalty)
    assert (played.luck == 1.0).all()


def test_flags_are_paid_as_the_environment_pays_them() -> None:
    class Flagger:
        """Opens the corner, flags every other cell once, then gives up."""

        name = "flagger"

        def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
            if view.plies == 0:
                return Decision(0)
            free = np.flatnonzero(legal[:25] & ~view.flags.ravel())
            return Decision(25 + int(free[0])) if len(free) else Decision(int(legal.argmax()), resigns=True)

    cfg = EASY.model_copy(update={"guarantee_safe_neighborhood": False, "max_steps": 1000})
    result = evaluate(Flagger(), cfg, episodes=20, seed=3)
    assert result["stopped"] + result["win_rate"] == 1.0
    assert result["reward_flag"] < 0
    assert result["invalid_share"] == 0


def test_a_band_of_mines_and_no_episodes_are_refused() -> None:
    with pytest.raises(Unsupported, match="an agent knows how many mines there are"):
        evaluate("random", EnvConfig(density_band=(0.1, 0.2)))
    with pytest.raises(ValueError, match="episodes must be at least 1, found 0"):
        evaluate("random", EASY, episodes=0)


def test_what_the_environment_shows_and_masks_changes_nothing() -> None:
    config = EASY.model_copy(update={"frontier_mask": True, "reveal_only": True, "progress_channel": True})
    here, there = (untimed(evaluate("random", cfg, episodes=50)) for cfg in (EASY, config))
    assert repr(here) == repr(there)


def untimed(result: Any) -> dict[str, Any]:
    return {name: value for name, value in result.items() if name not in TIMED}


def measured(games: int, executor: Any, advance: Callable[[int], None] = lambda games: None) -> dict[str, Json]:
    return evaluate_agent(
        board(rows=5, cols=5, mines=3),
        "random",
        games=games,
        seed=5,
        limit=Limit(),
        services=None,
        executor=executor,
        advance=advance,
    )


@pytest.mark.slow
def test_neither_workers_nor_order_nor_chunks_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    progress: list[int] = []
    here = untimed(measured(150, InProcess(), progress.append))
    assert sum(progress) == here["games"] == 150
    assert untimed(measured(150, LocalProcesses(2))) == here
    assert untimed(measured(150, Backwards(4))) == here
    monkeypatch.setattr(evaluation, "TASKS", 2)
    monkeypatch.setattr(evaluation, "MOST_GAMES", 60)
    assert list(chunks(150)) == [(0, 60), (60, 60), (120, 30)]
    assert untimed(measured(150, InProcess())) == here


def test_an_interrupted_evaluation_reports_what_is_finished() -> None:
    part = measured(200, Backwards(1, after=10))
    assert (part["games"], part["interrupted"]) == (30, True)
    assert part["guesses"] is None
    assert part["luck"] is None
    assert measured(200, Backwards(1, after=0)) == {"games": 0, "interrupted": True}


def test_seeds_of_games_differ() -> None:
    assert len({game_seed(1, number) for number in range(200)} | {game_seed(2, number) for number in range(200)}) == 400

"""Every face of a game for other libraries keeps the promises of that library, and those that all faces share.

A face is an environment that Gymnasium knows by a name: one per registered game, and those of the games' documents. The
adapters for PettingZoo and OpenSpiel are checked by these libraries.
"""

import subprocess
import sys
import warnings
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from _pytest.mark import ParameterSet
from gymnasium.utils.env_checker import check_env

import ludex.envs
import ludex.envs.gymnasium
from ludex.core.errors import LudexError, Unsupported
from ludex.core.registry import make, names, spec
from ludex.games.skirmish.env.gym import SkirmishGym

checked = [
    pytest.mark.slow,
    # Advice for pictures and unbounded numbers, from which PettingZoo exempts its own board games by name.
    pytest.mark.filterwarnings("ignore:.*A Box observation space m..imum value is"),
    pytest.mark.filterwarnings("ignore:It seems that your observation"),
    pytest.mark.filterwarnings("ignore:The minimal resolution for an image"),
    pytest.mark.filterwarnings("ignore:Treating image space as channels-last"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]


def checks(test: Any) -> Any:
    """Mark a test that runs the checker of another library."""
    for mark in checked:
        test = mark(test)
    return test


def size(game: str, preset: str) -> int:
    """Actions times plies of a board."""
    info = make(game, preset).info
    return info.num_actions * info.max_plies


def presets_by_size(game: str) -> list[str]:
    return sorted(spec(game).presets, key=partial(size, game))


def boards() -> list[ParameterSet]:
    """Every preset; all but the smallest of a game are full tests."""
    return [
        pytest.param(game, preset, marks=[pytest.mark.full] if number else [])
        for game in names()
        for number, preset in enumerate(presets_by_size(game))
    ]


@dataclass(frozen=True)
class Face:
    """A registered environment on a small board."""

    name: str
    settings: dict[str, Any] = field(default_factory=dict)

    def single(self, **settings: Any) -> Any:
        """What `gymnasium.make` makes, without the wrappers."""
        return gymnasium.make(self.name, disable_env_checker=True, **{**self.settings, **settings}).unwrapped

    def vector(self, lanes: int) -> Any:
        return gymnasium.make_vec(self.name, lanes, vectorization_mode="vector_entry_point", **self.settings)


MINESWEEPER, SKIRMISH = "ludex/Minesweeper-v0", "ludex/Skirmish-v0"
EXPERT = {"H": 16, "W": 30, "mine_count": 99}
FACES = [
    *(Face(f"ludex/{game}-v0", {"preset": presets_by_size(game)[0]}) for game in names()),
    Face(MINESWEEPER),
    Face(SKIRMISH, {"preset": "small", "seat": 1, "opponent": "random"}),
]
every_face = pytest.mark.parametrize("face", FACES, ids=lambda face: face.name)


class LegalSkirmish(SkirmishGym):
    """Takes any action for the legal one nearest to it, since checkers draw without a mask."""

    def step(self, action: Any) -> Any:
        legal = np.flatnonzero(self.action_masks())
        return super().step(legal[np.abs(legal - int(action)).argmin()])


def play_on(env: Any, rng: np.random.Generator, plies: int) -> list[Any]:
    """What is seen after random legal actions, up to the end of an episode."""
    steps = []
    for _ in range(plies):
        obs, reward, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(env.action_masks())))
        steps.append((obs, float(reward), terminated, truncated, info))
        if terminated or truncated:
            break
    return steps


def bytes_of(obs: Any) -> bytes:
    return b"".join(array.tobytes() for array in (obs.values() if isinstance(obs, dict) else [obs]))


@every_face
def test_observations_fit_their_space_and_info_has_the_mask(face: Face) -> None:
    env = face.single()
    obs, info = env.reset(seed=1)
    assert env.observation_space.contains(obs)
    assert info["action_mask"].any()
    for obs, _, terminated, truncated, info in play_on(env, np.random.default_rng(1), 30):
        assert env.observation_space.contains(obs)
        assert info["action_mask"].shape == (env.action_space.n,)
        assert terminated or truncated or info["action_mask"].any()
    assert (info["action_mask"] == env.action_masks()).all()


@every_face
def test_a_seed_repeats_every_episode(face: Face) -> None:
    def run(seed: int) -> list[bytes]:
        env, rng = face.single(), np.random.default_rng(0)
        episodes = []
        for number in range(3):
            episodes.append(bytes_of(env.reset(seed=seed if number == 0 else None)[0]))
            episodes += [bytes_of(obs) for obs, *_ in play_on(env, rng, 12)]
        return episodes

    assert run(3) == run(3)


@every_face
def test_what_was_returned_stays_as_it_was(face: Face) -> None:
    env = face.single()
    first, info = env.reset(seed=0)
    before = bytes_of(first), info["action_mask"].tobytes()
    play_on(env, np.random.default_rng(0), 4)
    assert (bytes_of(first), info["action_mask"].tobytes()) == before


@every_face
def test_a_step_after_the_end_is_refused_until_the_next_reset(face: Face) -> None:
    env, rng = face.single(), np.random.default_rng(2)
    env.reset(seed=2)
    *_, (_, _, terminated, truncated, _) = play_on(env, rng, 20_000)
    assert terminated or truncated
    with pytest.raises(LudexError, match="reset"):
        env.step(np.int64(0))
    env.reset()
    assert play_on(env, rng, 1)


@every_face
def test_a_vector_returns_arrays_of_its_own_that_fit(face: Face) -> None:
    env = face.vector(3)
    obs, info = env.reset(seed=8)
    assert env.observation_space.contains(obs)
    before, masks = bytes_of(obs), info["action_mask"] if "action_mask" in info else env.action_masks()
    after, reward, terminated, truncated, _ = env.step(masks.argmax(axis=1))
    assert env.observation_space.contains(after)
    assert len(reward) == len(terminated) == len(truncated) == 3
    assert bytes_of(obs) == before
    env.close()


@pytest.mark.parametrize("seed", [np.int64(7), 7.0, "7"])
@pytest.mark.parametrize("name", ["ludex/Minesweeper-v0", "ludex/Skirmish-v0", "ludex/tictactoe-v0"])
def test_what_is_no_seed_is_refused(name: str, seed: Any) -> None:
    env = gymnasium.make_vec(name, num_envs=2, vectorization_mode="vector_entry_point")
    with pytest.raises(gymnasium.error.Error, match="Seed must be a python integer"):
        env.reset(seed=seed)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"reveal_only": True},
        {"obs_dtype": "uint8"},
        {**EXPERT, "mine_share_channel": True, "mine_count_channel": True},
        {"obs_dtype": "float16"},
        {"render_mode": "ansi"},
        {**EXPERT, "frontier_channel": True, "remaining_mines_channel": True},
    ],
    ids=str,
)
def test_gymnasium_finds_nothing_wrong_with_the_environment_of_a_document(settings: dict[str, Any]) -> None:
    """A warning is an error in these tests."""
    check_env(Face(MINESWEEPER).single(**settings))


def test_gymnasium_finds_nothing_wrong_where_illegal_actions_raise() -> None:
    check_env(LegalSkirmish("small", seat=1, opponent="random"), skip_render_check=True)


@checks
@pytest.mark.parametrize("seats", [{}, {"illegal": "lose"}])
@pytest.mark.parametrize(("game", "preset"), boards())
def test_gymnasium_and_sb3(game: str, preset: str, seats: dict[str, Any]) -> None:
    from stable_baselines3.common.env_checker import check_env as check_for_sb3

    for opponent in (None, "random") if make(game).info.players == 2 else (None,):
        with ludex.envs.gym(game, preset, opponent=opponent, render_mode="ansi", **seats) as env:
            check_env(env, skip_render_check=True)
            check_for_sb3(env)
            text = env.render()
            assert isinstance(text, str)
            assert text.strip()


@checks
@pytest.mark.parametrize(("game", "preset"), boards())
def test_pettingzoo(game: str, preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        # It imports environments of its own by their old names.
        warnings.simplefilter("ignore", DeprecationWarning)
        from pettingzoo.test import api_test, parallel_api_test, seed_test
        from pettingzoo.utils.conversions import turn_based_aec_to_parallel
    api_test(ludex.envs.pettingzoo(game, preset), num_cycles=30)
    seed_test(lambda: ludex.envs.pettingzoo(game, preset), num_cycles=30)
    # It chooses actions without the mask.
    parallel_api_test(turn_based_aec_to_parallel(ludex.envs.pettingzoo(game, preset, illegal="penalty")), num_cycles=30)
    assert "Passed Parallel API test" in capsys.readouterr().out


@checks
@pytest.mark.parametrize(("game", "preset"), boards())
def test_open_spiel(game: str, preset: str) -> None:
    import pyspiel

    info = make(game, preset).info
    if info.chance != "none" or info.information != "perfect" or info.aborts:
        with pytest.raises(Unsupported, match=f"^{game} (has chance|has hidden information|may end without a score)"):
            ludex.envs.open_spiel(game, preset)
        return
    pyspiel.random_sim_test(ludex.envs.open_spiel(game, preset), num_sims=2, serialize=False, verbose=False)


def test_every_face_is_registered_once() -> None:
    assert {face.name for face in FACES} <= set(gymnasium.registry)
    before = gymnasium.registry[MINESWEEPER]
    ludex.envs.gymnasium.register()
    assert gymnasium.registry[MINESWEEPER] is before


@pytest.mark.slow
def test_importing_registers_without_loading_kernels() -> None:
    program = (
        "import gymnasium, sys, ludex.envs.gymnasium\n"
        "loaded = ['numba' in sys.modules, 'ludex.games.minesweeper.env.gym' in sys.modules]\n"
        f"print({MINESWEEPER!r} in gymnasium.registry, *loaded)"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["True", "False", "False"]

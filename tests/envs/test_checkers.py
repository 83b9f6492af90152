"""The checkers of Gymnasium, sb3, PettingZoo and OpenSpiel on every registered game. No game is named here."""

import warnings
from functools import partial

import pytest
from _pytest.mark import ParameterSet
from gymnasium.utils.env_checker import check_env

import ludex.envs
from ludex.core.errors import Unsupported
from ludex.core.registry import make, names, spec
from ludex.envs.episode import Illegal

pytestmark = [
    pytest.mark.slow,
    # Advice for pictures and unbounded numbers, from which PettingZoo exempts its own board games by name.
    pytest.mark.filterwarnings("ignore:.*A Box observation space m..imum value is"),
    pytest.mark.filterwarnings("ignore:It seems that your observation"),
    pytest.mark.filterwarnings("ignore:The minimal resolution for an image"),
    pytest.mark.filterwarnings("ignore:Treating image space as channels-last"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]


def size(game: str, preset: str) -> int:
    """Actions times plies of a board."""
    info = make(game, preset).info
    return info.num_actions * info.max_plies


def boards() -> list[ParameterSet]:
    """Every preset; all but the smallest of a game are full tests."""
    found = []
    for game in names():
        presets = sorted(spec(game).presets, key=partial(size, game))
        found += [pytest.param(game, one, marks=[pytest.mark.full] if one != presets[0] else []) for one in presets]
    return found


@pytest.mark.parametrize("illegal", ["lose", "penalty"])
@pytest.mark.parametrize(("game", "preset"), boards())
def test_gymnasium_and_sb3(game: str, preset: str, illegal: Illegal) -> None:
    from stable_baselines3.common.env_checker import check_env as check_for_sb3

    for opponent in (None, "random") if make(game).info.players == 2 else (None,):
        with ludex.envs.gym(game, preset, opponent=opponent, illegal=illegal, render_mode="ansi") as env:
            check_env(env, skip_render_check=True)
            check_for_sb3(env)
            text = env.render()
            assert isinstance(text, str)
            assert text.strip()


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


@pytest.mark.parametrize(("game", "preset"), boards())
def test_open_spiel(game: str, preset: str) -> None:
    import pyspiel

    info = make(game, preset).info
    if info.chance != "none" or info.information != "perfect" or info.aborts:
        with pytest.raises(Unsupported, match=f"^{game} (has chance|has hidden information|may end without a score)"):
            ludex.envs.open_spiel(game, preset)
        return
    pyspiel.random_sim_test(ludex.envs.open_spiel(game, preset), num_sims=2, serialize=False, verbose=False)

"""Any game for Gymnasium: one learner against an opponent or in every seat in turn, and many games at once."""

from functools import partial
from typing import Any, Literal, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from numpy.typing import NDArray

from ludex.core.agent import AnyAgent, Closes, FollowsMoves
from ludex.core.batch import BatchEnv, Info
from ludex.core.errors import BadOption, IllegalChoice
from ludex.core.game import AnyGame, Observation, Player
from ludex.core.limit import Limit
from ludex.core.registry import make, make_agent, resolve, spec
from ludex.core.rendering import plain_picture
from ludex.envs.episode import Episode, Illegal, Observed, as_floats, observation_space
from ludex.envs.lanes import LanesStep, LanesVectorEnv

Seat: TypeAlias = Player | Literal["random"]
"""The learner's seat; "random": drawn again for every episode."""


class GameEnv(gymnasium.Env[Observed, np.int64]):
    """A Gymnasium environment for one learner: against an opponent, or in every seat in turn without one.

    Rewards are the score at the end and 0 before. With an opponent the learner sits in `player`, 0 if none is named.
    Without one it plays every seat in turn: each observation is that of the player to move, and a reward belongs to the
    one who moved. `info`: `action_mask`, the `player` to move; at the end `scores` and `reason`.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        game: str,
        preset: str | None = None,
        *,
        opponent: str | AnyAgent | None = None,
        player: Seat | None = None,
        seed: int | None = None,
        illegal: Illegal = "penalty",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise BadOption(f"render_mode must be ansi or None, found {render_mode!r}")
        self.render_mode = render_mode
        self.game = make(game, preset, **options)
        self._episode = Episode(self.game, illegal, seed)
        self._opponent: AnyAgent | None = self._opponent_of(opponent, player)
        self._seat: Seat = 0 if player is None else player
        self.player: Player = 0
        """The learner's seat in this episode, or, without an opponent, that of the player to move."""
        self.observation_space: gymnasium.Space[Any] = observation_space(self.game)
        self.action_space = spaces.Discrete(self.game.info.num_actions)
        self._texts: list[str] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin the next episode; seeding restarts the count."""
        super().reset(seed=seed)
        self._episode.begin(seed, self.np_random)
        self._texts = []
        if self._opponent is not None:
            random = self._seat == "random"
            self.player = self._episode.agent_rng(2).below(2) if random else int(self._seat)
        self._go_on()
        return self._episode.observe(self.player), self._info()

    def step(self, action: np.int64) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        episode = self._episode
        mover = self.player
        before = episode.state
        penalty = episode.step(int(action))
        if penalty is None and episode.ply and episode.state is not before:
            self._record_move(before, int(action))
        if penalty is None:
            self._go_on()
        if not episode.over:
            reward = 0.0 if penalty is None else penalty
            return episode.observe(self.player), reward, False, False, self._info()
        assert episode.scores is not None
        reward = episode.scores[mover] if penalty is None else penalty
        end = {"scores": list(episode.scores), "reason": episode.reason}
        return episode.observe(mover), reward, episode.terminated, episode.truncated, {**self._info(), **end}

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[actions], under the name that sb3-contrib expects."""
        return self._episode.mask()

    def render(self) -> str | None:  # type: ignore[override, unused-ignore] # Gymnasium 1.2 gives frames no type
        """The board as text; None without a mode."""
        if self.render_mode is None:
            return None
        return plain_picture(self.game, self._episode.state, self.player)

    def close(self) -> None:
        """Close an opponent that this environment made."""
        if self._opponent is not None and isinstance(self._opponent, Closes):
            self._opponent.close()

    def _opponent_of(self, opponent: str | AnyAgent | None, player: Seat | None) -> AnyAgent | None:
        players = self.game.info.players
        if opponent is None:
            if player is not None:
                raise BadOption(f"player={player!r} needs an opponent=: without one the learner plays every seat")
            return None
        if players == 1:
            raise BadOption(f"{self.game.info.id} has one player: it takes no opponent")
        if player not in (None, "random", *range(players)):
            raise BadOption(f"player must be 0, 1 or 'random', found {player!r}")
        return make_agent(self.game, opponent) if isinstance(opponent, str) else opponent

    def _go_on(self) -> None:
        """Let the opponent move until the learner is to move."""
        episode = self._episode
        while not episode.over:
            mover = episode.mover
            if self._opponent is None:
                self.player = mover
                return
            if mover == self.player:
                return
            if isinstance(self._opponent, FollowsMoves):
                self._opponent.follow(self._texts)
            legal, before = episode.mask(), episode.state
            view = self.game.view(before, mover)
            decision = self._opponent.decide(view, legal, rng=episode.agent_rng(mover), limit=Limit())
            if not 0 <= decision.action < len(legal) or not legal[decision.action]:
                raise IllegalChoice(f"opponent {self._opponent.name!r} chose illegal action {decision.action}")
            episode.play(decision.action)
            self._record_move(before, decision.action)

    def _record_move(self, before: Any, action: int) -> None:
        """Keep a move's text for an opponent that follows them."""
        if self._opponent is not None and isinstance(self._opponent, FollowsMoves):
            self._texts.append(self.game.action_text(before, action))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "player": self.player}


class BatchVectorEnv(LanesVectorEnv[Observed]):
    """A game's own batch: every lane plays every seat in turn, and every reset begins episode 0.

    `info`: `action_mask`, `player`, `episode`; where a lane ended `final_obs` with its mask `_final_obs`.
    """

    def __init__(self, game: AnyGame, batch: BatchEnv, seed: int | None) -> None:
        self.batch = batch
        single = observation_space(game)
        super().__init__(batch.num_lanes, single, batch.num_actions)
        self._shapes = {name: space.shape or () for name, space in single.spaces.items()}
        self._seed = seed
        self._obs: Observation = {}
        self._details: Info = {"mask": np.zeros((self.num_envs, batch.num_actions), np.bool_)}

    def begin(self, seed: int | list[int] | None) -> None:
        if isinstance(seed, list):
            raise ValueError(f"one seed serves all lanes, found a list of {len(seed)}")
        next_seed = self._seed if seed is None else seed
        # The seed of the constructor is that of the first reset only.
        self._seed = None
        key = int(self.np_random.integers(1 << 62)) if next_seed is None else next_seed
        self._obs, self._details = self.batch.reset(key)

    def advance(self, actions: NDArray[np.int64]) -> LanesStep:
        self._obs, reward, terminated, truncated, self._details = self.batch.step(actions)
        return reward, terminated, truncated

    def observe(self) -> Observed:
        return self._floats(self._obs)

    def observe_final(self) -> Observed:
        return self._floats(self._details["final_obs"])

    def action_masks(self) -> NDArray[np.bool_]:
        mask: NDArray[np.bool_] = self._details["mask"].copy()
        return mask

    def info(self) -> dict[str, Any]:
        details = self._details
        return {**super().info(), "player": details["player"].copy(), "episode": details["episode"].copy()}

    def _floats(self, obs: Observation) -> Observed:
        return {name: array.reshape(self.num_envs, *self._shapes[name]) for name, array in as_floats(obs).items()}


def make_vector(
    game: str,
    num_envs: int = 1,
    preset: str | None = None,
    *,
    opponent: str | AnyAgent | None = None,
    player: Seat | None = None,
    seed: int | None = None,
    illegal: Illegal = "raise",
    **options: Any,
) -> VectorEnv[Any, Any, Any]:
    """Many games as a Gymnasium vector environment that resets a lane in the step that ends it.

    Without an opponent and with `illegal="raise"` a game's own batch plays all lanes, else one environment per lane
    with seeds seed, seed + 1, ...
    """
    batch = spec(game).learning.batch
    if batch is not None and opponent is player is None and illegal == "raise":
        board = make(game, preset, **options)
        lanes: BatchEnv = resolve(batch)(board, num_envs)
        # A shaped reward is another than the score that the other environments give.
        if not lanes.shaped:
            return BatchVectorEnv(board, lanes, seed)
    seats: dict[str, Any] = {"opponent": opponent, "player": player, "illegal": illegal}

    def make_env(lane: int) -> GameEnv:
        return GameEnv(game, preset, seed=None if seed is None else seed + lane, **seats, **options)

    return SyncVectorEnv([partial(make_env, lane) for lane in range(num_envs)], autoreset_mode=AutoresetMode.SAME_STEP)


def vector_entry_point(num_envs: int, game: str, **keywords: Any) -> VectorEnv[Any, Any, Any]:
    """What `gymnasium.make_vec` calls."""
    return make_vector(game, num_envs, **keywords)

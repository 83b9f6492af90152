"""Self-play training of a ranking: how a game changes it, and the lines it can lose, by which it is judged."""

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, Field, model_validator

from ludex.core.errors import BadRun, Unsupported
from ludex.core.options import validate
from ludex.core.ranking import Entry, MemoryRankings, RankingStore
from ludex.core.registry import make
from ludex.core.seeding import Rng, agent_stream, generator
from ludex.games.tictactoe.agents.policy import RankingPolicy
from ludex.games.tictactoe.agents.ranking_files import TicTacToeRankings
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.board import MnkBoard, legal_moves
from ludex.games.tictactoe.rules.position import Position
from ludex.learn.config import BOARD, Config
from ludex.learn.runs import Row, Run
from ludex.learn.trainer import Stage, StagePlan, Trainer

MAX_AUDITABLE_CELLS = 12
"""Beyond it the opponent's replies are too many to enumerate between two checkpoints."""


class Lines(NamedTuple):
    """Complete games of the policy in one seat against every play of the other."""

    losing: int
    total: int


def require_auditable(board: MnkBoard) -> None:
    """Raise `Unsupported` for a board whose lines cannot be counted."""
    if board.cells > MAX_AUDITABLE_CELLS:
        raise Unsupported(f"losing lines are counted on boards of up to {MAX_AUDITABLE_CELLS} cells, not {board.cells}")


def losing_lines(policy: RankingPolicy, seat: int) -> Lines:
    """How many lines there are, and in how many the policy loses; seat 0 is X."""
    require_auditable(policy.board)
    return _count(policy, seat, Position(), {})


def _count(policy: RankingPolicy, seat: int, position: Position, known: dict[Position, Lines]) -> Lines:
    # Lines that meet in a position go on alike, so each position is counted once.
    if position not in known:
        moves = legal_moves(policy.board, position)
        if moves and position.turn == seat:
            moves = [policy.move(position)]
        counts = [_count(policy, seat, policy.board.after(position, move), known) for move in moves]
        lost = int(position.won and position.turn == seat)
        known[position] = Lines(*map(sum, zip(*counts, strict=True))) if counts else Lines(lost, 1)
    return known[position]


History = list[tuple[Position, int]]
"""The positions of a game with the move played in each, in order."""


class Learning:
    """Writes to a ranking. Reads and writes go through the canonical image of the position and the move."""

    def __init__(self, policy: RankingPolicy, *, alpha: float, bound: float) -> None:
        self.policy = policy
        self.store: RankingStore = policy.store
        self.alpha = alpha
        self.bound = bound

    def update_q(self, position: Position, move: int, reward: float) -> float:
        """Q <- clamp(Q + alpha * reward, -bound, bound); returns the new Q."""
        key, moves, _ = self.policy.symmetry.canonical(position)
        q = (self.store.get(key, moves[move]) or 0.0) + self.alpha * reward
        q = max(-self.bound, min(self.bound, q))
        self.store.set(key, moves[move], q)
        return q

    def set_q(self, position: Position, move: int, q: float) -> None:
        """Q <- q."""
        key, moves, _ = self.policy.symmetry.canonical(position)
        self.store.set(key, moves[move], q)


class AdditiveRule:
    """The original document's v1.01: every move of the game is rewarded with how the game ended for its mover."""

    def __init__(self, learning: Learning, *, win: float, loss: float, draw: float) -> None:
        self.learning = learning
        self.win = win
        self.loss = loss
        self.draw = draw

    def learn(self, history: History) -> None:
        position, move = history[-1]
        final = self.learning.policy.board.after(position, move)
        for ply, (position, move) in enumerate(history):
            if final.won:
                reward = self.loss if position.turn == final.turn else self.win
            else:
                reward = self.draw_reward(ply // 2 + 1)
            self.learning.update_q(position, move, reward)

    def draw_reward(self, ordinal: int) -> float:
        """A draw is worth less the later the move: `ordinal` counts the player's own moves from 1."""
        half = self.learning.policy.board.cells / 2
        return self.draw * (half - ordinal) / half


class NegamaxRule:
    """Q of a move becomes the value of the position it leads to, read through the tactical rules."""

    def __init__(self, learning: Learning) -> None:
        self.learning = learning
        self.policy = learning.policy

    def learn(self, history: History) -> None:
        # From the end back, so that a result reaches the first move within one game.
        for position, move in reversed(history):
            self.learning.set_q(position, move, -self.value(self.policy.board.after(position, move)))

    def value(self, position: Position) -> float:
        """The worth of a position for its side to move, as far as tactics and the ranking know."""
        if position.won:
            return -1.0
        if position.taken == self.policy.board.full:
            return 0.0
        wins, threats = self.policy.tactics(position)
        if wins:
            return 1.0
        if len(threats) > 1:
            return -1.0
        q = self.policy.q_values(position)
        return q[threats[0]] if threats else max(q.values())


SEATS = "XO"


class AdditiveConfig(Config):
    """The original document's v1.01."""

    kind: Literal["additive"]
    alpha: float = Field(gt=0, description="learning rate")
    bound: float = Field(gt=0, description="Q stays within -bound..bound")
    win: float = Field(description="reward of a win")
    loss: float = Field(description="reward of a loss")
    draw: float = Field(description="reward of a draw before its discount by the move's ordinal")


class NegamaxConfig(Config):
    """The backup that trains the shipped ranking."""

    kind: Literal["negamax"]


class TrainingConfig(Config):
    """Everything a run depends on."""

    preset: str = Field(description="the board to learn", json_schema_extra=BOARD)
    games: int = Field(gt=0, description="self-play games")
    seed: int = Field(ge=0, lt=1 << 64, description="names every random number of the run")
    epsilon: float = Field(ge=0, le=1, description="share of moves played at random, before any tactical rule")
    random_ties: bool = Field(description="choose among equal Q at random while training")
    checkpoint_every: int = Field(gt=0, description="games between two audits")
    rule: Annotated[AdditiveConfig | NegamaxConfig, Field(discriminator="kind")]

    @model_validator(mode="after")
    def _auditable(self) -> "TrainingConfig":
        """Refuse a board too large to audit before a run is begun for it."""
        require_auditable(self.game().board)
        return self

    def game(self) -> TicTacToe:
        """The game to learn."""
        game = make("tictactoe", self.preset)
        assert isinstance(game, TicTacToe)
        return game


class SelfPlay:
    """Plays the policy against itself and learns from every game."""

    def __init__(self, game: TicTacToe, config: TrainingConfig, entries: list[Entry]) -> None:
        self.game = game
        self.config = config
        self.store = MemoryRankings(entries)
        self.policy = RankingPolicy(game.board, self.store)
        self._rule = _rule(config, self.policy)

    def play(self, number: int) -> Position:
        """Play and learn game `number`; returns its last position."""
        position = Position()
        history: History = []
        while legal := legal_moves(self.game.board, position):
            rng = generator(self.config.seed, len(history) + 1, agent_stream(position.turn), episode=number)
            move = self._move(position, legal, rng)
            history.append((position, move))
            position = self.game.board.after(position, move)
        self._rule.learn(history)
        return position

    def _move(self, position: Position, legal: list[int], rng: Rng) -> int:
        if rng.uniform() < self.config.epsilon:
            return rng.choice(legal)
        forced = self.policy.forced(position)
        if forced is not None:
            return forced
        best = self.policy.best(position)
        return rng.choice(best) if self.config.random_ties else best[0]

    def audit(self) -> dict[str, int]:
        """Losing lines by seat."""
        return {mark: losing_lines(self.policy, seat).losing for seat, mark in enumerate(SEATS)}


def _rule(config: TrainingConfig, policy: RankingPolicy) -> AdditiveRule | NegamaxRule:
    match config.rule:
        case AdditiveConfig() as rule:
            learning = Learning(policy, alpha=rule.alpha, bound=rule.bound)
            return AdditiveRule(learning, win=rule.win, loss=rule.loss, draw=rule.draw)
        case NegamaxConfig():
            return NegamaxRule(Learning(policy, alpha=1.0, bound=1.0))


class Progress(BaseModel):
    """The progress of a run: the contents of a checkpoint."""

    games: int = 0
    current: list[Entry] = []
    best: list[Entry] = []
    """The promoted snapshot."""
    best_lines: dict[str, int] = {}
    promoted_at: int = 0

    def offer(self, lines: dict[str, int]) -> bool:
        """Promote the current ranking unless it can lose more lines than the best one."""
        promoted = not self.best_lines or sum(lines.values()) <= sum(self.best_lines.values())
        if promoted:
            self.best, self.best_lines, self.promoted_at = self.current, lines, self.games
        return promoted


class RankingStage(Stage[dict[str, int]]):
    """Blocks of self-play, each followed by an audit, that keep the ranking with the fewest losing lines."""

    name = "self_play"
    counter = "audit"

    def __init__(self, config: TrainingConfig, created_utc: str) -> None:
        """`created_utc` is the time of the run, which its agents carry."""
        super().__init__(steps=-(-config.games // config.checkpoint_every), checkpoint_every=1)
        self._config, self._created_utc = config, created_utc
        self._game = config.game()
        self.board = self._game.info.preset
        self.saved = Progress()
        self._self_play = SelfPlay(self._game, config, [])

    @property
    def labels(self) -> Row:
        return {"games": self.saved.games}

    def progress(self, steps: int) -> int:
        """The games of so many blocks; the last block may be short."""
        return min(steps * self._config.checkpoint_every, self._config.games)

    def collect(self) -> dict[str, int]:
        """Play and learn the games of a block; returns how often each side won."""
        results = {"X": 0, "O": 0, "draw": 0}
        for number in range(self.saved.games, self.progress(self.step + 1)):
            results[_result(self._self_play.play(number))] += 1
        return results

    def update(self, batch: dict[str, int]) -> Row:
        """Audit the ranking, and promote it if it can lose no more lines than the best one."""
        saved = self.saved
        saved.games, saved.current = self.progress(self.step + 1), list(self._self_play.store.entries())
        lines = self._self_play.audit()
        promoted = saved.offer(lines)
        return {
            "losing_lines": sum(lines.values()),
            "losing_lines_X": lines["X"],
            "losing_lines_O": lines["O"],
            "keys": len(saved.current),
            "wins_X": batch["X"],
            "wins_O": batch["O"],
            "draws": batch["draw"],
            "promoted": promoted,
        }

    def agent(self) -> bytes:
        ranking = TicTacToeRankings(self._game).export(self.saved.current, self._created_utc)
        return json.dumps(ranking, separators=(",", ":")).encode()

    def state(self) -> Row:
        return self.saved.model_dump(mode="json")

    def restore(self, state: Row, tensors: dict[str, Any], source: str) -> None:
        super().restore(state, tensors, source)
        self.saved = validate(Progress, state, f"{source}: the checkpoint is damaged", BadRun)
        self._self_play = SelfPlay(self._game, self._config, self.saved.current)


def train(config: TrainingConfig, run: Run, advance: Callable[[int], None]) -> Row:
    """Train, audit at every checkpoint, and keep the snapshot with the fewest losing lines, the latest of equals."""
    stage = RankingStage(config, run.created_utc)
    Trainer(run, advance).train([StagePlan(stage.name, stage.steps, lambda: stage)])
    game, saved = config.game(), stage.saved
    ranking = TicTacToeRankings(game).export(saved.best, datetime.now(UTC).isoformat(timespec="seconds"))
    run.write("ranking.json", json.dumps(ranking, indent=1) + "\n")
    return {
        "run": run.name,
        "game": game.info.id,
        "preset": game.info.preset,
        "config": run.config_name,
        "seed": config.seed,
        "games": saved.games,
        "losing_lines": dict(saved.best_lines),
        "promoted_at": saved.promoted_at,
        "keys": len(saved.best),
        "ranking": str(run.folder / "ranking.json"),
        "ranking_sha256": _digest(saved.best),
    }


def _result(final: Position) -> str:
    return SEATS[1 - final.turn] if final.won else "draw"


def _digest(entries: list[Entry]) -> str:
    lines = "\n".join(f"{state} {move} {q.hex()}" for state, move, q in entries)
    return hashlib.sha256(lines.encode()).hexdigest()

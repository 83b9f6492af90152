"""Self-play training of a ranking: seeded to the last bit, resumable, judged by the lines it can lose."""

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, ValidationError, model_validator

from ludex.core.errors import BadRun
from ludex.core.options import complaint
from ludex.core.ranking import Entry, MemoryRankings
from ludex.core.registry import make
from ludex.core.seeding import Rng, agent_stream, generator
from ludex.games.tictactoe.agents.policy import RankingPolicy
from ludex.games.tictactoe.agents.ranking_files import TicTacToeRankings
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.learning.audit import losing_lines, require_auditable
from ludex.games.tictactoe.learning.updates import AdditiveRule, History, Learning, NegamaxRule, Rule
from ludex.games.tictactoe.rules.position import Position
from ludex.games.tictactoe.rules.state_key import legal_moves
from ludex.learn.config import BOARD, Config
from ludex.learn.run_agents import is_due, keep_agent
from ludex.learn.runs import Row, Run

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


def _rule(config: TrainingConfig, policy: RankingPolicy) -> Rule:
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


def train(config: TrainingConfig, run: Run, advance: Callable[[int], None]) -> Row:
    """Train, audit at every checkpoint, and keep the snapshot with the fewest losing lines, the latest of equals."""
    game = config.game()
    progress = _resumed(run)
    self_play = SelfPlay(game, config, progress.current)
    advance(progress.games)
    if progress.games == 0:
        _keep(config, run, game, progress)
    while progress.games < config.games:
        block = min(config.checkpoint_every, config.games - progress.games)
        results = {"X": 0, "O": 0, "draw": 0}
        for number in range(progress.games, progress.games + block):
            results[_result(self_play.play(number))] += 1
        progress.games += block
        progress.current = list(self_play.store.entries())
        lines = self_play.audit()
        promoted = progress.offer(lines)
        run.log(
            {
                "games": progress.games,
                "losing_lines": sum(lines.values()),
                "losing_lines_X": lines["X"],
                "losing_lines_O": lines["O"],
                "keys": len(progress.current),
                "wins_X": results["X"],
                "wins_O": results["O"],
                "draws": results["draw"],
                "promoted": promoted,
            }
        )
        _keep(config, run, game, progress)
        run.checkpoint(progress.model_dump(mode="json"))
        advance(block)
        run.pause_if_requested()
    ranking = TicTacToeRankings(game).export(progress.best, datetime.now(UTC).isoformat(timespec="seconds"))
    run.write("ranking.json", json.dumps(ranking, indent=1) + "\n")
    return {
        "run": run.name,
        "game": game.info.id,
        "preset": game.info.preset,
        "config": run.config_name,
        "seed": config.seed,
        "games": progress.games,
        "losing_lines": dict(progress.best_lines),
        "promoted_at": progress.promoted_at,
        "keys": len(progress.best),
        "ranking": str(run.folder / "ranking.json"),
        "ranking_sha256": _digest(progress.best),
    }


def _keep(config: TrainingConfig, run: Run, game: TicTacToe, progress: Progress) -> None:
    """Keep the ranking as it is now as an opponent, where the spread of checkpoints or the end calls for it."""
    index = -(-progress.games // config.checkpoint_every)
    if is_due(index) or progress.games == config.games or run.pause_requested:
        ranking = TicTacToeRankings(game).export(progress.current, run.created_utc)
        data = json.dumps(ranking, separators=(",", ":")).encode()
        keep_agent(run, index, progress.games, data, board=game.info.preset)


def _resumed(run: Run) -> Progress:
    try:
        return Progress.model_validate(run.resume() or {})
    except ValidationError as error:
        raise BadRun(f"{run.name}: the checkpoint is damaged: {complaint(error, Progress)}") from error


def _result(final: Position) -> str:
    return SEATS[1 - final.turn] if final.won else "draw"


def _digest(entries: list[Entry]) -> str:
    lines = "\n".join(f"{state} {move} {q.hex()}" for state, move, q in entries)
    return hashlib.sha256(lines.encode()).hexdigest()

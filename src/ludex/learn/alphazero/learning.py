"""The losses of the network, one step of learning, the average of weights that plays, and its evaluation."""

import math
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from ludex.arena.sprt import Evidence, Sprt
from ludex.arena.statistics import elo, interval95
from ludex.core.compiled import Symmetries, Vector
from ludex.core.game import AnyGame, legal_actions
from ludex.core.seeding import generator
from ludex.learn.alphazero.config import EvaluationConfig, LearningConfig, require_value
from ludex.learn.alphazero.network import AlphaZeroNet, result_shares, value_shares
from ludex.learn.alphazero.replay import Batch
from ludex.learn.alphazero.selfplay import SCORES, UNKNOWN, Scale
from ludex.learn.distributed import ALONE, Group
from ludex.learn.runs import Row
from ludex.search.batched import BatchedSearch, Evaluate, SearchOptions, Submits, positions_of

LOWEST_RATE = 0.02
"""The last learning rate, as a share of the highest."""


class Augmentation:
    """Positions under the symmetries of their game, each position under one that is drawn for it."""

    def __init__(self, symmetries: Symmetries, device: torch.device, owned_cells: Vector | None = None) -> None:
        """`owned_cells` are the images of the cells of ownership, if it is learned."""
        # As gathers: entry i of an image is entry `source[i]` of the original.
        self._actions = torch.from_numpy(symmetries.actions).long().argsort(1).to(device)
        self._cells = torch.from_numpy(symmetries.cells).long().argsort(1).to(device)
        self._owned = None if owned_cells is None else torch.from_numpy(owned_cells).long().argsort(1).to(device)

    def __call__(self, batch: Batch, generator: torch.Generator) -> Batch:
        drawn = torch.randint(len(self._actions), (len(batch.scores),), generator=generator).to(self._actions.device)
        cells = batch.observations.flatten(1).gather(1, self._cells[drawn])
        policies = batch.policies.gather(1, self._actions[drawn])
        images = batch._replace(observations=cells.view_as(batch.observations), policies=policies)
        if self._owned is None:
            return images
        owned = batch.ownership.flatten(1).gather(1, self._owned[drawn])
        return images._replace(ownership=owned.view_as(batch.ownership))


def losses(net: nn.Module, batch: Batch, config: LearningConfig) -> dict[str, Tensor]:
    """The loss of each head, and their weighted sum under `loss`."""
    prediction = net(batch.observations)
    log_policy = functional.log_softmax(prediction.policy.float(), 1)
    total = batch.policies.sum(1, keepdim=True).clamp(min=1e-6)
    policy = -(batch.policies / total * log_policy).sum(1).mean()
    share, log_results = config.search_share, functional.log_softmax(prediction.results.float(), 1)
    # A search says what score it expects, not how often it is drawn: a value near 0 need not be a draw.
    searched = value_shares(batch.searched.clamp(-1, 1), log_results.detach()[:, 1].exp())
    target = (1 - share) * result_shares(batch.scores) + share * searched
    value = -(target * log_results).sum(1).mean()
    parts = {"policy_loss": policy, "value_loss": value}
    loss = policy + config.value_weight * value
    if prediction.moves_left is not None:
        left = functional.smooth_l1_loss(prediction.moves_left.float(), torch.log1p(batch.moves_left))
        parts["moves_left_loss"] = left
        loss = loss + config.moves_left_weight * left
    if prediction.ownership is not None:
        parts["ownership_loss"] = owned = ownership_loss(prediction.ownership.float(), batch.ownership)
        loss = loss + config.ownership_weight * owned
    return {"loss": loss, **parts}


PHASES = ("opening", "middle", "end")
"""Thirds of a game of mean length, by the plies that are left."""


@torch.no_grad()
def brier_scores(net: nn.Module, observations: Tensor, scores: Tensor, moves_left: Tensor, length: float) -> Row:
    """How far a network's shares of won, drawn and lost are from results that it has not learned from, by phase.

    The mean squared distance: 0 is exact, 0.67 says a third of each, and 2 is certain and wrong. A phase without
    positions is missing.
    """
    net.eval()
    shares = net(observations).results.float().softmax(1)
    distances = (shares - result_shares(scores)).square().sum(1)
    thirds = (3 * moves_left / max(1.0, length)).long().clamp(max=len(PHASES) - 1)
    phases = {name: distances[thirds == len(PHASES) - 1 - place] for place, name in enumerate(PHASES)}
    return {f"brier_{name}": float(part.mean()) for name, part in phases.items() if len(part)}


def ownership_loss(prediction: Tensor, target: Tensor) -> Tensor:
    """The mean squared error over the cells `[B, K, H, W]` of games that were played to their end; 0 without any."""
    known = target != UNKNOWN
    return torch.where(known, prediction - target, 0.0).square().sum() / known.sum().clamp(min=1)


def learn(
    net: AlphaZeroNet,
    optimizer: torch.optim.Optimizer,
    batch: Batch,
    config: LearningConfig,
    *,
    half: bool = False,
    group: Group = ALONE,
) -> dict[str, Tensor]:
    """One step; returns the losses."""
    net.train()
    if batch.observations.is_cuda:
        # As the weights are: tensor cores want the channels last.
        batch = batch._replace(observations=batch.observations.contiguous(memory_format=torch.channels_last))
    with torch.autocast("cuda", torch.bfloat16, enabled=half):
        parts = losses(net, batch, config)
    optimizer.zero_grad(set_to_none=True)
    parts["loss"].backward()  # type: ignore[no-untyped-call]
    group.average_gradients(net)
    nn.utils.clip_grad_norm_(net.parameters(), config.max_grad_norm)
    optimizer.step()
    return {name: value.detach() for name, value in parts.items()}


def learning_rate(config: LearningConfig, step: int, done: float) -> float:
    """The rate of a step when this share of the run is over: a warm-up, then half a cosine."""
    warm = 1.0 if config.warmup_steps == 0 else min(1.0, (step + 1) / config.warmup_steps)
    falling = LOWEST_RATE + (1 - LOWEST_RATE) * (1 + math.cos(math.pi * done)) / 2
    return config.learning_rate * warm * falling


@torch.no_grad()
def move_average(average: AlphaZeroNet, net: AlphaZeroNet, decay: float, step: int) -> None:
    """Move averaged weights towards a network's, faster in the first steps."""
    share = min(decay, (1 + step) / (10 + step)) if decay else 0.0
    pairs = [*zip(average.state_dict().values(), net.state_dict().values(), strict=True)]
    counts = [(old, new) for old, new in pairs if not old.is_floating_point()]
    for old, new in counts:
        old.copy_(new)
    weights = [(old, new) for old, new in pairs if old.is_floating_point()]
    torch._foreach_lerp_([old for old, _ in weights], [new for _, new in weights], 1 - share)


OPENINGS_STREAM = 82


def know_nothing(
    observations: NDArray[np.float32], masks: NDArray[np.uint8]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A network that knows nothing: every move is alike, every position even."""
    return np.zeros(masks.shape, np.float32), np.zeros(len(masks), np.float32)


def play_pairs(
    game: AnyGame,
    first: Evaluate | Submits,
    second: Evaluate | Submits,
    config: EvaluationConfig,
    *,
    threads: int,
    seed: int,
    scale: Scale = SCORES,
    is_late: Callable[[], bool] = lambda: False,
) -> list[float]:
    """The points in 0..1 of the first network over each pair: one opening, swapped seats.

    Of one player, each network plays a game of the pair, and the higher score has the point. A game that ends without a
    score counts as drawn. None at all if it gets late before every game has ended: games that end early are not like
    the others.
    """
    games = require_value(config.games)
    options = SearchOptions(simulations=config.simulations, rule="puct", noise_share=0.0, threads=threads)
    # Each network has a tree of its own; both follow the same moves.
    searches = [BatchedSearch(positions_of(game, games), games, options, seed) for _ in range(2)]
    for search in searches:
        search.rescale(*scale)
    seats = np.arange(games) % 2
    """The first network's player in each game."""
    scores = np.full(games, np.nan)
    """Of the first player."""
    for ply in range(game.info.max_plies):
        if is_late():
            return []
        players = searches[0].players.copy()
        if ply < config.opening_plies:
            actions = _by_chance(game, searches[0], seed, ply)
        else:
            choices = [search.run(network).actions for search, network in zip(searches, (first, second), strict=True)]
            actions = np.where(players == seats, *choices)
        for search in searches:
            advanced = search.advance(actions)
        ended = advanced.finished & np.isnan(scores)
        scores[ended] = advanced.outcomes[ended]
        if not np.isnan(scores).any():
            break
    own, others = scores.reshape(-1, 2).T
    gains = np.sign(own - others) if game.info.players == 1 else (own - others) / 2
    pairs: list[float] = ((gains + 1) / 2).tolist()
    return pairs


def _by_chance(game: AnyGame, search: BatchedSearch, seed: int, ply: int) -> NDArray[np.int64]:
    """Random legal moves, the same in both games of a pair."""
    actions = np.zeros(search.games, np.int64)
    for row in range(search.games):
        choices = legal_actions(game.legal(search.position(row)))
        actions[row] = generator(seed, ply, OPENINGS_STREAM, lane=row // 2).choice(choices)
    return actions


def judge_pairs(pairs: list[float], config: EvaluationConfig, opponent: str) -> Row:
    """The row of metrics of a match: the score with its interval, Elo points, and the sequential test's verdict."""
    evidence = Evidence(Sprt(config.elo0, config.elo1))
    for score in pairs:
        if evidence.verdict != "undecided":
            break
        evidence = evidence.after(score)
    score = float(np.mean(pairs))
    low, high = interval95(pairs)
    # A score of all points has no rating: half a point less is the nearest that has one.
    spare = 0.25 / len(pairs)
    return {
        "opponent": opponent,
        "win_rate": score,
        "win_rate_low": low,
        "win_rate_high": high,
        "elo": elo(min(1 - spare, max(spare, score))),
        "verdict": evidence.verdict,
    }

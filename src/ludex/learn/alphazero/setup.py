"""A configuration made ready to be trained: one process's part of it, its threads, and the sizes of its network."""

import numpy as np
import torch

from ludex.core.system import usable_cores
from ludex.learn.alphazero.config import AlphaZeroConfig, require_value
from ludex.learn.alphazero.network import AlphaZeroNet, Evaluator, NetSizes
from ludex.learn.device import fastest_threads
from ludex.learn.distributed import Group
from ludex.search.batched import Positions


def share_config(config: AlphaZeroConfig, group: Group) -> AlphaZeroConfig:
    """One process's part of games, batch, window and workers. Raises `BadConfig` for what cannot be shared evenly."""
    if group.size == 1:
        return config
    games = group.share(require_value(config.self_play.games), "self_play.games")
    batch = group.share(require_value(config.learning.batch), "learning.batch")
    window = require_value(config.learning.window) // group.size
    changes = {
        "self_play": config.self_play.model_copy(update={"games": games}),
        "learning": config.learning.model_copy(update={"batch": batch, "window": window}),
        "workers": group.share(require_value(config.workers), "workers"),
    }
    return config.model_copy(update=changes)


def with_threads(config: AlphaZeroConfig, net: AlphaZeroNet, device: torch.device) -> AlphaZeroConfig:
    """The configuration with a number of threads: on a CPU the fastest one for its network now, for torch as well."""
    threads = config.search.threads
    if threads is None:
        batch = require_value(config.self_play.games)
        evaluator = Evaluator(net, device, config.precision, batch)
        observations = np.zeros((batch, net.sizes.planes, net.sizes.rows, net.sizes.cols), np.float32)
        masks = np.ones((batch, net.sizes.actions), np.uint8)

        def evaluate(count: int) -> None:
            torch.set_num_threads(count)
            evaluator(observations, masks)

        threads = fastest_threads(evaluate, max(1, usable_cores() - require_value(config.workers)))
    if device.type == "cpu":
        torch.set_num_threads(threads)
    return config.model_copy(update={"search": config.search.model_copy(update={"threads": threads})})


def net_sizes(config: AlphaZeroConfig, positions: Positions) -> NetSizes:
    """The shapes of a configuration's network for a game's positions."""
    planes, rows, cols = positions.observation_shape
    net = config.net
    return NetSizes(
        planes=planes,
        rows=rows,
        cols=cols,
        actions=positions.action_size,
        channels=require_value(net.channels),
        blocks=require_value(net.blocks),
        pooled_every=require_value(net.pooled_every),
        moves_left=config.learning.moves_left_weight > 0,
        ownership=0 if positions.ownership is None else positions.ownership.planes,
    )

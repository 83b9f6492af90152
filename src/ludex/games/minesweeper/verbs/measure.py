"""`ludex minesweeper measure`: a trained network's strength on its own device, thousands of boards at once."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ludex.core.verb import Telling
from ludex.games.minesweeper.verbs.parameters import Seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def measure(
    board: Any,
    net: Annotated[Path, typer.Argument(help="net.pt or imitated.pt of a training run")],
    *,
    games: Annotated[int, typer.Option(min=1, help="fresh boards")] = 10_000,
    by: Annotated[Literal["policy", "safety"], typer.Option(help="play the policy, or the safest cell")] = "policy",
    symmetry: Annotated[bool, typer.Option(help="average over the symmetries of the board")] = False,
    before: Annotated[Path | None, typer.Option(help="another network, to tell the gain over it")] = None,
    beside: Annotated[
        list[str] | None, typer.Option(help="an agent to play the same boards, to tell the gain over it; repeatable")
    ] = None,
    lanes: Annotated[int, typer.Option(min=1, help="boards side by side")] = 2048,
    device: Annotated[Literal["auto", "cpu", "cuda"], typer.Option(help="where the network plays")] = "auto",
    seed: Seed = 977,
) -> Telling:
    """Let a network play fresh boards; --before, another one, and --beside, agents, play the same ones.

    A gain over either is told board by board, with its interval. The boards are those that `eval` of the same seed
    plays; the network plays in bfloat16 on CUDA.
    """
    from importlib.util import find_spec

    from ludex.core.errors import MissingDependency

    if find_spec("torch") is None:
        raise MissingDependency("torch is not installed: pip install 'ludex[train]'")

    from ludex.games.minesweeper.eval import config_of, games_won
    from ludex.games.minesweeper.learning.measuring import Measured
    from ludex.games.minesweeper.learning.measuring import measure as measured
    from ludex.games.minesweeper.learning.nets import load_net
    from ludex.games.minesweeper.models import SymmetricPolicy
    from ludex.learn.device import chosen_device

    where, cfg = chosen_device(device), config_of(board)

    def played(path: Path) -> Measured:
        player = load_net(path, where).eval()
        asked = SymmetricPolicy(player) if symmetry else player
        return measured(lambda planes: asked(planes, return_mine=True), cfg, games, seed, where, by=by, lanes=lanes)

    found = played(net)
    document: dict[str, Any] = {
        "game": board.info.id,
        "preset": board.info.preset,
        "start": cfg.start,
        "net": str(net),
        "games": games,
        "seed": seed,
        "by": by,
        "symmetry": symmetry,
        "device": str(where),
        **found.figures(),
    }
    if before is not None:
        document |= {"before": str(before), **_gain(found.wins.cpu().numpy(), played(before).wins.cpu().numpy())}
    if beside:
        won = {agent: games_won(board, agent, games, seed) for agent in beside}
        document["beside"] = [
            {"agent": agent, "win_rate": float(wins.mean()), **_gain(found.wins.cpu().numpy(), wins)}
            for agent, wins in won.items()
        ]

    def told() -> str:
        low, high = found.ci95
        lines = [f"won {found.win_rate:.2%} ({low:.2%} - {high:.2%}) of {games:,} games"]
        over = [] if before is None else [(str(before), document)]
        for other, gain in over + [(one["agent"], one) for one in document.get("beside", [])]:
            low, high = gain["gain_ci95"]
            lines.append(f"{100 * gain['gain']:+.2f} points ({100 * low:+.2f} to {100 * high:+.2f}) over {other}")
        return "\n".join(lines)

    return Telling(document, told)


def _gain(wins: "NDArray[np.bool_]", others: "NDArray[np.bool_]") -> dict[str, Any]:
    """How much oftener a player won than another, board by board, with its interval."""
    from ludex.core.statistics import gain95

    gain, low, high = gain95((wins.astype(float) - others).tolist())
    return {"gain": gain, "gain_ci95": [low, high]}

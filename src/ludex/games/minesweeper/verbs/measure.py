"""`ludex minesweeper measure`: a trained network's strength on its own device, thousands of boards at once."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ludex.core.verb import Telling
from ludex.games.minesweeper.verbs.parameters import Seed


def measure(
    board: Any,
    net: Annotated[Path, typer.Argument(help="net.pt or imitated.pt of a training run")],
    *,
    games: Annotated[int, typer.Option(min=1, help="fresh boards")] = 10_000,
    by: Annotated[Literal["policy", "safety"], typer.Option(help="play the policy, or the safest cell")] = "policy",
    symmetry: Annotated[bool, typer.Option(help="average over the symmetries of the board")] = False,
    before: Annotated[Path | None, typer.Option(help="another network, to tell the gain over it")] = None,
    lanes: Annotated[int, typer.Option(min=1, help="boards side by side")] = 2048,
    device: Annotated[Literal["auto", "cpu", "cuda"], typer.Option(help="where the network plays")] = "auto",
    seed: Seed = 977,
) -> Telling:
    """Let a network play fresh boards; with --before, another one plays the same boards and the gain has an interval.

    The boards are the device environment's, in bfloat16 on CUDA; `eval --agent net` plays the game's own through ONNX.
    """
    from importlib.util import find_spec

    from ludex.core.errors import MissingDependency

    if find_spec("torch") is None:
        raise MissingDependency("torch is not installed: pip install 'ludex[train]'")

    from ludex.core.statistics import Z95
    from ludex.games.minesweeper.eval import config_of
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
        "win_rate": found.win_rate,
        "ci95": list(found.ci95),
        "avg_progress": found.progress,
        "steps_to_outcome": found.steps,
    }
    if before is not None:
        gains = found.wins.double() - played(before).wins.double()
        gain, reach = float(gains.mean()), Z95 * float(gains.std(unbiased=False)) / games**0.5
        document |= {"before": str(before), "gain": gain, "gain_ci95": [gain - reach, gain + reach]}

    def told() -> str:
        low, high = found.ci95
        line = f"won {found.win_rate:.2%} ({low:.2%} - {high:.2%}) of {games:,} games"
        if before is None:
            return line
        low, high = document["gain_ci95"]
        return f"{line}, {100 * document['gain']:+.2f} points ({100 * low:+.2f} to {100 * high:+.2f}) over {before}"

    return Telling(document, told)

"""Transcripts: a match as a text a person can read line by line, in the golden files that pin a game's behaviour.

`python tests/golden/write.py GAME SEED [PRESET]` writes one of a random match.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from ludex.core.game import AnyGame, legal_actions
from ludex.core.match import Match
from ludex.core.registry import make
from ludex.core.seeding import OPENING


def transcript(match: Match[Any, Any]) -> str:
    """Every position of a match with all that the contract says of it."""
    game, info = match.game, match.game.info
    lines = [
        f"game {info.id} version {info.version} preset {info.preset} seed {match.seed}",
        f"players {info.players} actions {info.num_actions} max_plies {info.max_plies} chance {info.chance} "
        f"information {info.information} zero_sum {info.zero_sum} phases {','.join(info.phases)} "
        f"aborts {','.join(info.aborts) or '-'}",
    ]
    for ply, state in enumerate(match.positions):
        lines += ["", *_describe(game, ply, state)]
        if ply < match.ply:
            move = match.moves[ply]
            lines.append(f"  plays {move.text} ({move.action})")
    return "\n".join(lines) + "\n"


def _describe(game: AnyGame, ply: int, state: Any) -> list[str]:
    lines = [f"ply {ply}", f"  position {json.dumps(game.dump(state), sort_keys=True)}", f"  phase {game.phase(state)}"]
    outcome = game.outcome(state)
    if outcome is None:
        lines.append(f"  to move {game.to_move(state)}")
    else:
        lines.append(f"  outcome {' '.join(f'{score:g}' for score in outcome.scores)} by {outcome.reason}")
    actions = legal_actions(game.legal(state))
    lines.append(f"  legal {' '.join(f'{game.action_text(state, action)}={action}' for action in actions) or '-'}")
    for player in range(game.info.players):
        for name, array in sorted(game.observe(game.view(state, player)).items()):
            digest = hashlib.sha256(array.tobytes()).hexdigest()[:12]
            lines.append(f"  sees {player} {name} {array.dtype}{list(array.shape)} sum {float(array.sum()):g} {digest}")
    return lines


def write(game: str, seed: int, preset: str | None = None) -> Path:
    match = Match(make(game, preset), seed)
    while not match.over:
        match.play(match.rng(OPENING).choice(legal_actions(match.legal())))
    folder = Path(__file__).parent / game
    folder.mkdir(exist_ok=True)
    path = folder / f"{match.game.info.preset}_seed{seed}.txt"
    path.write_text(transcript(match), encoding="utf-8")
    return path


if __name__ == "__main__":
    print(write(sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None))

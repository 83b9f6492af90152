"""Write a golden transcript of a random match: `python tests/golden/write.py GAME SEED [PRESET]`."""

import sys
from pathlib import Path

from ludex.core.game import legal_actions
from ludex.core.match import Match
from ludex.core.registry import make
from ludex.core.seeding import OPENING
from ludex.core.transcript import transcript


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

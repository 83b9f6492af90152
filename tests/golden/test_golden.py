"""Golden transcripts: every game has some, and replaying them gives every line again."""

from pathlib import Path

import pytest

from ludex.core import registry
from ludex.core.match import Match
from tests.golden.write import transcript

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*/*.txt"))


def replayed(text: str) -> str:
    """The transcript of the match that a transcript tells of."""
    head = text.split("\n", 1)[0].split()
    match = Match(registry.make(head[1], head[5]), seed=int(head[7]))
    for line in text.splitlines():
        if line.startswith("  plays "):
            match.play_text(line.split()[1])
    return transcript(match)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_replaying_a_golden_transcript_gives_every_line_again(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert replayed(text) == text


@pytest.mark.parametrize("game", registry.names())
def test_every_game_has_golden_transcripts_that_reach_an_end(game: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in FILES if path.parent.name == game]
    assert any("  outcome " in text for text in texts), f"add one: python tests/golden/write.py {game} SEED"

"""Shipped puzzles proven twice more: by their slices' provers, and by the slow oracles of `tests/reference`.

    python -m benchmarks.puzzle_proofs --count 200 --workers 2

An oracle shares no code with the package. Positions that are too large for it are counted apart: Minesweeper with very
many cells beside numbers.
"""

import sys
import time
from typing import Any

from benchmarks.documents import measurement_parser, write
from ludex.coach.puzzles.collection import games_with_puzzles, of_theme, shipped_puzzles
from ludex.coach.puzzles.making import check_all
from ludex.core import registry
from ludex.core.executor import executor_for
from tests.reference import puzzle_answers


def main() -> int:
    """Check every theme and write `puzzles.json`; 1 if anything differs."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--count", type=int, default=200, help="puzzles per theme")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only", default="", help="games, comma-separated; all if not given")
    args = parser.parse_args()
    executor = executor_for(args.workers)
    rows: list[dict[str, Any]] = []
    for game in [name for name in args.only.split(",") if name] or games_with_puzzles():
        for theme in registry.spec(game).puzzles.themes:
            puzzles = of_theme([*shipped_puzzles(game).values()], theme)[: args.count]
            begin = time.perf_counter()
            wrong = [puzzle_id for puzzle_id, problem in check_all(puzzles, executor) if problem is not None]
            answers = [same for _, same in executor.run(puzzle_answers.same_answers, puzzles)]
            rows.append(
                {
                    "game": game,
                    "theme": theme,
                    "puzzles": len(puzzles),
                    "proven": len(puzzles) - len(wrong),
                    "same_by_oracle": answers.count(True),
                    "other_by_oracle": answers.count(False),
                    "too_large_for_oracle": answers.count(None),
                    "seconds": round(time.perf_counter() - begin, 1),
                }
            )
            print(rows[-1], flush=True)
    write(args.into, "puzzles", {"count": args.count, "themes": rows})
    return int(any(row["proven"] < row["puzzles"] or row["other_by_oracle"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())

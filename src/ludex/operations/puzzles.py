"""Making puzzles of a theme into a file; `ludex puzzles make` and jobs, which go on from finished tasks."""

from contextlib import nullcontext
from pathlib import Path
from typing import Final, Literal, Self

from ludex.coach.puzzles.collection import file_name
from ludex.coach.puzzles.making import Journal, make_puzzles, open_journal, theme_of
from ludex.operations.operation import Context, Limits, Operation, Result, option
from ludex.operations.permissions import Permissions
from ludex.operations.requests import Seed, WithWorkers


class PuzzlesRequest(WithWorkers):
    """Make puzzles of a theme; the file is kept in the job's folder."""

    kind: Literal["puzzles"]
    theme: str = option(..., min_length=1, max_length=64)
    count: int = option(200, ge=1, le=10**5)
    seed: Seed = 0

    @property
    def title(self) -> str:
        return self.theme

    def checked(self, limits: Limits | None, *, remote: Permissions | None) -> Self:
        theme_of(self.game, self.theme)
        return super().checked(limits, remote=remote)


class PuzzlesResult(Result):
    """The file that was written."""

    file: str
    game: str
    theme: str
    seed: str
    puzzles: int
    bytes: int


def run(request: PuzzlesRequest, context: Context) -> PuzzlesResult:
    """Make the puzzles, write the file and describe it."""
    journal_file = (
        nullcontext(Journal())
        if context.journal is None
        else open_journal(context.journal, request.game, request.theme, request.seed)
    )
    with journal_file as journal, context.progress(f"{request.game} {request.theme}", request.count) as advance:
        collection = make_puzzles(
            request.game,
            request.theme,
            wanted=request.count,
            seed=request.seed,
            executor=context.executor,
            journal=journal,
            advance=advance,
        )
    path = (context.folder or Path()) / file_name(request.theme)
    collection.write(path)
    return PuzzlesResult(
        file=str(path),
        game=request.game,
        theme=request.theme,
        seed=str(request.seed),
        puzzles=len(collection.puzzles),
        bytes=path.stat().st_size,
    )


PUZZLES: Final = Operation(id="puzzles", request=PuzzlesRequest, run=run)

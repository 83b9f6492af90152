"""The evaluation of a language model: legality, regret, scores against levels, tokens and time; `ludex eval-llm`.

Any agent can be measured in the same way. What a model answered is in two journals of a folder, `games` and
`questions`, of which the report is made: a finished one is reported again without the model.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, Literal, Self

from pydantic import BaseModel

from ludex.arena.duel import pairs_of
from ludex.arena.match_runner import play_isolated, play_pairs
from ludex.arena.pairs import Pair, PairKey, PairTask, pair_score
from ludex.arena.performance_rating import Encounter, performance
from ludex.arena.statistics import gain95, interval95, wilson95
from ludex.coach.accuracy import BLUNDER, Kept, accuracy
from ludex.coach.questions import QuestionTask, answer_questions, draw_questions
from ludex.core.errors import BadOption
from ludex.core.game import AnyGame
from ludex.core.journal import header_with, hold_journal
from ludex.core.options import LLM, join_reference, split_reference
from ludex.core.registry import levels, spec
from ludex.operations.operation import Context, Interrupted, Operation, Result, option
from ludex.operations.requests import Agent, Games, Seed, journal_at

FORMAT: Final = "ludex-questions"
VERSION: Final = 1
BATCH: Final = 5
"""Questions of a task."""
LEAST: Final = 200
"""A figure of regret rests on at least so many positions."""


class ModelEvaluationRequest(Games):
    """Measure a language model, or any agent: legality, regret, scores against levels, tokens and time."""

    kind: Literal["eval-llm"]
    agent: Agent = option(..., completion="agent")
    opponents: list[Agent] = option([], max_length=16, flag="opponent", repeated=True, completion="agent")
    games: int = option(20, ge=0, le=10**5)
    positions: int = option(LEAST, ge=0, le=10**5)
    relabelled: bool = option(False)
    most_tokens: int = option(10_000_000, ge=1, le=10**12, order=45)
    most_minutes: float = option(600.0, gt=0, le=10**5, order=46)
    movetime: int | None = option(None, ge=1, le=10**9, order=40)
    """No time is suggested: a model has its own `seconds`."""
    seed: Seed = 0

    @property
    def players(self) -> list[str]:
        return [self.agent, *self.opponents]

    @property
    def subjects(self) -> list[str]:
        return [self.agent]

    def on(self, board: AnyGame) -> Self:
        known = self.opponents or ([*levels(board)] if board.info.players == 2 else [])
        return super().on(board).model_copy(update={"opponents": known})

    def check_games(self, board: AnyGame) -> None:
        if board.info.players == 1:
            if self.opponents:
                raise BadOption(f"{self.game} is a game for one: it takes no --opponent")
            self.check_no_opening()
        elif self.games:
            pairs_of(self.games)
        if not self.games and not self.positions:
            raise BadOption("games and positions are both 0: nothing is measured")
        for names in self.variants.values():
            if names != self.agent and not self.agent.startswith(LLM):
                raise BadOption(f"relabelled: only agents {LLM} read other names, found {self.agent!r}")

    @property
    def variants(self) -> dict[str, str]:
        """The agent in the game's own names, and in others where that is wanted."""
        if not self.relabelled:
            return {"own": self.agent}
        name, values = split_reference(self.agent)
        return {"own": self.agent, "relabelled": join_reference(name, {**values, "names": self.seed})}


class Share(BaseModel):
    """A mean with its 95 % interval, and what it rests on."""

    mean: float
    ci95: tuple[float, float]
    count: int


class AgainstLevel(BaseModel):
    """Games against one opponent; in a game for one, games alone."""

    opponent: str | None
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    ci95: tuple[float, float]
    forfeits: int
    """Games that the agent lost by a fault."""


class VariantResult(BaseModel):
    """What was measured in one kind of names."""

    names: str
    agent: str
    legal: Share | None
    """Decisions that ended with a legal move."""
    legal_at_once: Share | None
    """Decisions whose first answer was one."""
    refusals: dict[str, int]
    """Answers that were none, by kind."""
    faults: dict[str, int]
    """Decisions without a move, by the fault's code."""
    regret: Share | None
    """Win probability that a move gave away, by the game's analyst."""
    accuracy: float | None
    blunders: dict[str, int]
    """Moves that gave away a fifth or more, by theme."""
    scores: list[AgainstLevel]
    elo: float | None
    elo_ci95: tuple[float | None, float | None] | None
    tokens_per_move: tuple[float, float] | None
    """Of prompts and of answers."""
    seconds_per_move: float | None


class ModelEvaluationResult(Result):
    """The report."""

    game: str
    preset: str
    seed: int
    analyst: str
    variants: list[VariantResult]
    interrupted: bool
    bounded: bool
    """Whether tokens or time of the whole ran out: what was finished is reported."""


class _Budget:
    """Tokens and time of the whole evaluation."""

    def __init__(self, request: ModelEvaluationRequest) -> None:
        self._tokens, self._deadline = request.most_tokens, time.monotonic() + 60 * request.most_minutes

    def charge(self, transcripts: Sequence[Any]) -> None:
        """Count what was asked."""
        self._tokens -= sum(sum(answer["tokens"]) for entry in transcripts for answer in entry["answers"])

    @property
    def spent(self) -> bool:
        return self._tokens <= 0 or time.monotonic() >= self._deadline


class _Variant:
    """What is known of one kind of names."""

    def __init__(self, names: str, agent: str) -> None:
        self.names, self.agent = names, agent
        self.pairs: dict[PairKey, Pair] = {}
        self.answers: dict[int, dict[str, Any]] = {}


def run(request: ModelEvaluationRequest, context: Context) -> ModelEvaluationResult:
    """Ask and play what the journals lack, and report."""
    board, budget, interrupted = request.board(), _Budget(request), False
    variants = [_Variant(names, agent) for names, agent in request.variants.items()]
    total = len(variants) * (request.positions + request.games * max(1, len(request.opponents)))
    with context.progress(request.title, total) as advance:
        try:
            for variant in variants:
                _ask(request, board, variant, budget, context, advance)
                _play(request, board, variant, budget, context, advance)
        except KeyboardInterrupt:
            interrupted = True
    if not any(variant.answers or variant.pairs for variant in variants):
        raise Interrupted("interrupted or out of budget before the first answer: nothing to report")
    from ludex.coach.analyst import analyst_of

    return ModelEvaluationResult(
        game=board.info.id,
        preset=board.info.preset,
        seed=request.seed,
        analyst=analyst_of(board),
        variants=[_report(request, board, variant) for variant in variants],
        interrupted=interrupted,
        bounded=budget.spent,
    )


def _file(context: Context, variant: _Variant, kind: str) -> Path | None:
    return None if context.folder is None else context.folder / f"{variant.names}-{kind}.jsonl"


def _ask(
    request: ModelEvaluationRequest, board: AnyGame, variant: _Variant, budget: _Budget, context: Context, advance: Any
) -> None:
    """The questions that the journal lacks."""
    if not request.positions:
        return
    header = header_with(
        FORMAT,
        VERSION,
        {
            **{"game": board.info.id, "version": board.info.version, "preset": board.info.preset},
            **{"agent": variant.agent, "seed": str(request.seed), "positions": request.positions},
            "limit": [request.movetime, request.depth, request.nodes],
        },
    )

    def read(entry: dict[str, Any]) -> None:
        variant.answers[int(entry["question"])] = entry

    with ExitStack() as stack:
        path, journal = _file(context, variant, "questions"), None
        if path is not None:
            journal = stack.enter_context(hold_journal(path, header, read, work="asking these questions"))
        advance(len(variant.answers))
        questions = draw_questions(board, request.positions, request.seed)
        missing = [number for number in range(len(questions)) if number not in variant.answers]
        tasks = (
            QuestionTask(
                game=board.info.id,
                preset=board.info.preset,
                agent=variant.agent,
                services=context.services,
                limit=request.limit,
                numbers=tuple(missing[begin : begin + BATCH]),
                questions=tuple(questions[number] for number in missing[begin : begin + BATCH]),
            )
            for begin in range(0, len(missing), BATCH)
        )
        for entries in _results(context.executor.run(answer_questions, tasks), budget):
            if journal is not None:
                journal.append(entries)
            variant.answers |= {entry["question"]: entry for entry in entries}
            for entry in entries:
                budget.charge(entry.get("transcript", []))
            advance(len(entries))


def _results(batches: Any, budget: _Budget) -> Iterator[Any]:
    """What tasks give, until the budget is spent."""
    try:
        while not budget.spent and (batch := next(batches, None)) is not None:
            yield batch[1]
    finally:
        batches.close()


def _play(
    request: ModelEvaluationRequest, board: AnyGame, variant: _Variant, budget: _Budget, context: Context, advance: Any
) -> None:
    """The games that the journal lacks, a pair at a time."""
    if not request.games:
        return
    terms = request.terms(board, [variant.agent, *request.opponents], request.seed, context, forfeits=True)
    alone = board.info.players == 1
    meetings = [(0,)] if alone else [(0, number + 1) for number in range(len(request.opponents))]
    count = request.games if alone else pairs_of(request.games)
    keys = [PairKey(seats, index) for seats in meetings for index in range(count)]
    with journal_at(_file(context, variant, "games"), terms) as journal:
        recorded = {} if journal is None else journal.pairs
        variant.pairs |= {key: recorded[key] for key in keys if key in recorded}
        advance(sum(map(len, variant.pairs.values())))
        missing = [key for key in keys if key not in recorded]
        tasks = (PairTask(terms, key.seats, (key.index,)) for key in missing)
        for fresh in _results(context.executor.run(play_pairs, tasks, play_isolated), budget):
            if journal is not None:
                journal.append(fresh)
            variant.pairs |= fresh
            for game in (game for pair in fresh.values() for game in pair):
                budget.charge(_transcript(game.transcripts))
                advance(1)


def _transcript(transcripts: Sequence[Sequence[Any]]) -> Sequence[Any]:
    """That of the agent, which is the first of every meeting."""
    return transcripts[0] if transcripts else ()


def _report(request: ModelEvaluationRequest, board: AnyGame, variant: _Variant) -> VariantResult:
    answers = [variant.answers[number] for number in sorted(variant.answers)]
    games = [(key, game) for key, pair in sorted(variant.pairs.items()) for game in pair]
    entries: list[Any] = [entry for answer in answers for entry in answer.get("transcript", [])]
    entries += [entry for _, game in games for entry in _transcript(game.transcripts)]
    replies = [answer for entry in entries for answer in entry["answers"]]
    faults = Counter(answer["fault"][0] for answer in answers if answer["fault"])
    faults.update(game.fault.code for key, game in games if game.fault is not None and _is_ours(key, game))
    # An agent that keeps no transcript, such as one of ours, is judged by its decisions alone.
    legal = [entry["move"] is not None for entry in entries] or [answer["move"] is not None for answer in answers]
    verdicts = [answer["judged"] for answer in answers if answer["judged"] is not None]
    losses = [move["loss"] for move in verdicts]
    scores = _scores(request, board, variant)
    rating = _rating(board, scores)
    return VariantResult(
        names=variant.names,
        agent=variant.agent,
        legal=_share(legal),
        legal_at_once=_share([entry["answers"][0]["refused"] is None for entry in entries] or legal),
        refusals=dict(Counter(answer["refused"][0] for answer in replies if answer["refused"]).most_common()),
        faults=dict(faults.most_common()),
        regret=_mean(losses),
        accuracy=accuracy(Kept(move["expected"], move["loss"]) for move in verdicts if not move["forced"]),
        blunders=dict(Counter(str(move["theme"] or "-") for move in verdicts if move["loss"] >= BLUNDER).most_common()),
        scores=scores,
        elo=None if rating is None else rating.elo,
        elo_ci95=None if rating is None else (rating.low, rating.high),
        tokens_per_move=_tokens(replies, len(entries)),
        seconds_per_move=sum(answer["ms"] for answer in replies) / 1000 / len(entries) if entries else None,
    )


def _is_ours(key: PairKey, game: Any) -> bool:
    return len(key.seats) == 1 or game.loser == 0


def _tokens(said: Sequence[Mapping[str, Any]], decisions: int) -> tuple[float, float] | None:
    prompt, answer = (sum(entry["tokens"][part] for entry in said) for part in (0, 1))
    return (prompt / decisions, answer / decisions) if decisions else None


def _scores(request: ModelEvaluationRequest, board: AnyGame, variant: _Variant) -> list[AgainstLevel]:
    rows = []
    opponents: list[str | None] = [*request.opponents] if board.info.players == 2 else [None]
    for number, opponent in enumerate(opponents):
        seats = (0,) if opponent is None else (0, number + 1)
        pairs = [pair for key, pair in sorted(variant.pairs.items()) if key.seats == seats]
        if not pairs:
            continue
        games = [game for pair in pairs for game in pair]
        wins, draws = sum(game.points > 0.5 for game in games), sum(game.points == 0.5 for game in games)
        rows.append(
            AgainstLevel(
                opponent=opponent,
                games=len(games),
                wins=wins,
                draws=draws,
                losses=len(games) - wins - draws,
                score=sum(game.points for game in games) / len(games),
                ci95=interval95([pair_score(pair) for pair in pairs]),
                forfeits=sum(game.fault is not None and _is_ours(PairKey(seats, 0), game) for game in games),
            )
        )
    return rows


def _rating(board: AnyGame, scores: Sequence[AgainstLevel]) -> Any:
    """The rating by games against rated levels, on the board of the ladder; None where there is none."""
    game = spec(board.info.id)
    if board.info.players == 1 or board.info.preset != next(iter(game.offered_presets)):
        return None
    encounters = [
        Encounter(rating, row.games, row.score * row.games)
        for row in scores
        if row.opponent is not None
        and row.opponent in game.levels
        and (rating := game.levels[row.opponent].rating) is not None
    ]
    return performance(encounters) if encounters else None


def _share(values: Sequence[bool]) -> Share | None:
    if not values:
        return None
    mean = sum(values) / len(values)
    return Share(mean=mean, ci95=wilson95(mean, len(values)), count=len(values))


def _mean(values: Sequence[float]) -> Share | None:
    if len(values) < 2:
        return None
    mean, low, high = gain95(values)
    return Share(mean=mean, ci95=(max(0.0, low), min(1.0, high)), count=len(values))


MODEL_EVALUATION: Final = Operation(id="eval-llm", request=ModelEvaluationRequest, run=run, isolated=False)

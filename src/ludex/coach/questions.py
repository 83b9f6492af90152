"""Positions as questions to an agent: drawn from games, answered one by one, and judged by the game's analyst."""

from dataclasses import dataclass
from typing import Any, Final

from ludex.arena.match_runner import TimedAgent
from ludex.coach.accuracy import MISTAKE
from ludex.coach.analyst import Analyst, kernels_of_analyst
from ludex.coach.review import compose, judged_move, reasons_hook
from ludex.core.documents import digest
from ludex.core.errors import AgentFault
from ludex.core.game import AnyGame, Json
from ludex.core.limit import Limit
from ludex.core.match import Match, play, time_decision
from ludex.core.registry import default_agent, default_level, make, make_agent, resolve
from ludex.core.seeding import generator
from ludex.core.spec import Ref
from ludex.kernels.warmup import load_kernels

QUESTIONS: Final = 67
"""The stream that draws games and plies."""
TRIES: Final = 20
"""A board with few positions gives fewer questions than were wanted: so many games per question are tried."""
OPENINGS: Final = 4
"""Games begin with up to so many random plies, less one."""


@dataclass(frozen=True, slots=True)
class Question:
    """A position with more than one legal move: the game's seed, and the moves that lead to it."""

    seed: int
    actions: tuple[int, ...]

    def match(self, game: AnyGame) -> Match[Any, Any]:
        """The match in that position."""
        match: Match[Any, Any] = Match(game, self.seed)
        for action in self.actions:
            match.play(action)
        return match


@dataclass(frozen=True, slots=True)
class QuestionTask:
    """Some questions to an agent."""

    game: str
    preset: str
    agent: str
    services: Ref | None
    limit: Limit
    numbers: tuple[int, ...]
    """Of the questions, in their list."""
    questions: tuple[Question, ...]


def draw_questions(game: AnyGame, count: int, seed: int) -> list[Question]:
    """Different positions from games of the level that people meet first, which errs often enough to get anywhere."""
    player = make_agent(game, default_level(game) or default_agent(game))
    questions: list[Question] = []
    known: set[str] = set()
    for number in range(TRIES * count):
        if len(questions) == count:
            break
        rng = generator(seed, number, QUESTIONS)
        plies = rng.below(OPENINGS) if game.info.players == 2 else 0
        match = play(game, [player] * game.info.players, seed=rng.seed(), opening_plies=plies, limit=Limit(nodes=500))
        choices = [ply for ply in range(match.ply) if int(game.legal(match.positions[ply]).sum()) > 1]
        if not choices:
            continue
        ply = rng.choice(choices)
        name = digest(game.dump(match.positions[ply]))
        if name not in known:
            known.add(name)
            questions.append(Question(match.seed, match.actions[:ply]))
    return questions


def answer_questions(task: QuestionTask) -> list[dict[str, Json]]:
    """The answers of an agent, each judged: what a journal keeps."""
    game = make(task.game, task.preset)
    services = None if task.services is None else resolve(task.services)()
    load_kernels(task.game, through=kernels_of_analyst(game))
    agent, analyst = TimedAgent(game, task.agent, services, forgiving=True), Analyst(game, services, with_luck=False)
    try:
        return [
            {"question": number, **_answer(question.match(game), agent, analyst, task.limit.renew())}
            for number, question in zip(task.numbers, task.questions, strict=True)
        ]
    finally:
        agent.close()
        analyst.close()


def _answer(match: Match[Any, Any], agent: TimedAgent, analyst: Analyst, limit: Limit) -> dict[str, Json]:
    agent.micros, agent.transcript = [], []
    entry: dict[str, Json] = {"move": None, "fault": None, "judged": None}
    try:
        agent.begin()
        decision, spent_ms = time_decision(match, agent, limit)
        entry["ms"] = round(spent_ms, 3)
        entry["move"] = match.game.action_text(match.state, decision.action)
        entry["judged"] = judge_answer(match, decision.action, analyst)
    except AgentFault as fault:
        entry["fault"] = [fault.code, fault.message]
    agent.collect()
    if agent.transcript:
        entry["transcript"] = [*agent.transcript]
    if entry["fault"] is not None:
        agent.discard()
    return entry


def judge_answer(match: Match[Any, Any], action: int, analyst: Analyst) -> Json:
    """What a review says of a move: its loss, class, better move and theme; None for a move that only marks."""
    if analyst.is_mark(action):
        return None
    ply, after = match.ply, match.branch()
    after.play(action)
    assessments = {ply: analyst.assess(after, ply)}
    if after.over is False:
        assessments[ply + 1] = analyst.assess(after, ply + 1)
    move = next(move for move in compose(after, assessments).moves if move.ply == ply)
    explain = reasons_hook(match.game)
    theme = None
    if move.loss >= MISTAKE and explain is not None:
        messages = explain(judged_move(after, assessments, move))
        theme = messages[0].id if messages else None
    return {
        "loss": move.loss,
        "expected": move.expected,
        "class": move.move_class,
        "forced": move.forced,
        "best": move.best,
        "theme": theme,
    }

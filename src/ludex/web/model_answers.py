"""What a language model answered in an evaluation, from its journals: mistakes with the better moves, and games.

A game has the id `JOB.NAMES~NUMBER`, under which every address of a match serves it, reviews included.
"""

import re
from pathlib import Path
from typing import Any, Final

from ludex.arena.journal import Reader
from ludex.arena.pairs import PlayedGame, record_of
from ludex.arena.terms import Terms
from ludex.coach.accuracy import MISTAKE
from ludex.core.errors import BadJob
from ludex.core.journal import JournalReader, read_header
from ludex.core.record import Record
from ludex.lab.job import Job, UnknownJob
from ludex.lab.jobs import open_job
from ludex.operations.model_evaluation import ModelEvaluationRequest
from ludex.web.errors import BadRequest
from ludex.web.schemas.base import Document

MOST_SHOWN: Final = 50
EVALUATED: Final = re.compile(r"(.+)\.(own|relabelled)")
"""What stands before the number of a game: the job, and the kind of names."""


class ModelMistake(Document):
    """A question that was answered badly, or not at all."""

    question: int
    prompt: str | None
    """The position as the model read it; None for an agent that reads no words."""
    said: list[str]
    """Its answers, the last one at the end."""
    refused: str | None
    """Why the last one was no move: the kind of its refusal, or the code of a fault."""
    move: str | None
    better: str | None
    loss: float | None
    """What the move gave away of the win probability; None without a move."""


class ModelGame(Document):
    """A game of an evaluation."""

    match: str
    """The id under which every address of a match knows it."""
    agents: list[str]
    """By seat."""
    scores: list[float]
    plies: int
    fault: str | None
    """Its code, if the game was forfeited."""


class ModelAnswers(Document):
    """The worst answers, those without a move first, and the games."""

    mistakes: list[ModelMistake]
    mistakes_in_all: int
    games: list[ModelGame]


def answers_of(job_id: str, names: str) -> ModelAnswers:
    """The answers of an evaluation in one kind of names. Raises `UnknownJob`, `BadRequest` and `BadJournal`."""
    job, players = _evaluation(job_id)
    mistakes = [
        mistake for entry in _questions(job.folder / f"{names}-questions.jsonl") if (mistake := _mistake(entry))
    ]
    mistakes.sort(key=lambda mistake: (mistake.move is not None, -(mistake.loss or 0.0), mistake.question))
    games = [
        ModelGame(
            match=f"{job_id}.{names}~{number}",
            agents=[*record.agents],
            scores=[*game.outcome.scores],
            plies=len(game.actions),
            fault=None if game.fault is None else game.fault.code,
        )
        for number, (record, game) in enumerate(_games(job, names, players)[:MOST_SHOWN], 1)
    ]
    return ModelAnswers(mistakes=mistakes[:MOST_SHOWN], mistakes_in_all=len(mistakes), games=games)


def game_of_evaluation(name: str, number: int) -> tuple[Job, Record, str | None] | None:
    """A game of the evaluation that a name is of, with its fault; None if there is none. Raises `DataError`."""
    parts = EVALUATED.fullmatch(name)
    try:
        job, players = (None, 0) if parts is None else _evaluation(parts[1])
    except (BadJob, BadRequest, UnknownJob):
        return None
    if parts is None or job is None or number > len(games := _games(job, parts[2], players)):
        return None
    record, game = games[number - 1]
    return job, record, None if game.fault is None else game.fault.message


def _evaluation(job_id: str) -> tuple[Job, int]:
    """The job, and how many play its game."""
    job = open_job(job_id)
    request = job.request
    if not isinstance(request, ModelEvaluationRequest):
        raise BadRequest(f"{job_id} evaluates no model: it is a {request.kind}")
    return job, request.board().info.players


def _questions(path: Path) -> list[dict[str, Any]]:
    header, entries = read_header(path), list[dict[str, Any]]()
    if header is not None:
        JournalReader(path, header, entries.append).read_on()
    return entries


def _mistake(entry: dict[str, Any]) -> ModelMistake | None:
    verdict = entry["judged"]
    if entry["fault"] is None and (verdict is None or verdict["loss"] < MISTAKE):
        return None
    transcript = entry.get("transcript", [])
    answers = [answer for part in transcript for answer in part["answers"]]
    return ModelMistake(
        question=entry["question"] + 1,
        prompt=transcript[0]["prompt"][-1]["content"] if transcript else None,
        said=[answer["answer"] or "" for answer in answers],
        refused=None if entry["fault"] is None else answers[-1]["refused"][0] if answers else entry["fault"][0],
        move=entry["move"],
        better=None if verdict is None else verdict["best"],
        loss=None if verdict is None else verdict["loss"],
    )


def _games(job: Job, names: str, players: int) -> list[tuple[Record, PlayedGame]]:
    """In the order in which pairs were finished, so that a game keeps its number."""
    path = job.folder / f"{names}-games.jsonl"
    header = read_header(path)
    if header is None:
        return []
    terms, reader = Terms.from_header(header, players), Reader(path, header)
    reader.read_on()
    return [(record_of(terms, key.seats, game), game) for key, pair in reader.pairs.items() for game in pair]

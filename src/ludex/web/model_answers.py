"""What a language model answered in an evaluation, from its journals: mistakes with the better moves, and games."""

from pathlib import Path
from typing import Any, Final

from ludex.arena.journal import Reader
from ludex.arena.pairs import record_of
from ludex.arena.terms import Terms
from ludex.coach.accuracy import MISTAKE
from ludex.core.journal import JournalReader, read_header
from ludex.web.boards import replayed
from ludex.web.schemas.base import Document

MOST_SHOWN: Final = 50


class ModelMistake(Document):
    """A question that was answered badly, or not at all."""

    question: int
    prompt: str | None
    """The position as the model read it; None for an agent that reads no words."""
    said: list[str]
    """Its answers, the last one at the end."""
    refused: str | None
    """Why the last one was no move."""
    move: str | None
    better: str | None
    loss: float | None
    """What the move gave away of the win probability; None without a move."""


class ModelGame(Document):
    """A game of an evaluation."""

    agents: list[str]
    """By seat."""
    scores: list[float]
    moves: list[str]
    fault: str | None


class ModelAnswers(Document):
    """The worst answers, those without a move first, and the games."""

    mistakes: list[ModelMistake]
    mistakes_in_all: int
    games: list[ModelGame]


def answers_in(folder: Path, names: str, players: int) -> ModelAnswers:
    """The answers of an evaluation in a folder, in one kind of names. Raises `BadJournal`."""
    mistakes = [mistake for entry in _questions(folder / f"{names}-questions.jsonl") if (mistake := _mistake(entry))]
    mistakes.sort(key=lambda mistake: (mistake.move is not None, -(mistake.loss or 0.0), mistake.question))
    games = _games(folder / f"{names}-games.jsonl", players)
    return ModelAnswers(mistakes=mistakes[:MOST_SHOWN], mistakes_in_all=len(mistakes), games=games)


def _questions(path: Path) -> list[dict[str, Any]]:
    header, entries = read_header(path), list[dict[str, Any]]()
    if header is not None:
        JournalReader(path, header, entries.append).read_on()
    return entries


def _mistake(entry: dict[str, Any]) -> ModelMistake | None:
    judged = entry["judged"]
    if entry["fault"] is None and (judged is None or judged["loss"] < MISTAKE):
        return None
    asked = entry.get("transcript", [])
    answers = [answer for part in asked for answer in part["answers"]]
    return ModelMistake(
        question=entry["question"] + 1,
        prompt=asked[0]["prompt"][-1]["content"] if asked else None,
        said=[answer["answer"] or "" for answer in answers],
        refused=None if entry["fault"] is None else entry["fault"][1],
        move=entry["move"],
        better=None if judged is None else judged["best"],
        loss=None if judged is None else judged["loss"],
    )


def _games(path: Path, players: int) -> list[ModelGame]:
    header = read_header(path)
    if header is None:
        return []
    terms, reader = Terms.from_header(header, players), Reader(path, header)
    reader.read_on()
    played = [(key, game) for key, pair in reader.pairs.items() for game in pair][:MOST_SHOWN]
    games = []
    for key, game in played:
        record = record_of(terms, key.seats, game)
        games.append(
            ModelGame(
                agents=[*record.agents],
                scores=[*game.outcome.scores],
                moves=[move.text for move in replayed(record).moves],
                fault=None if game.fault is None else game.fault.message,
            )
        )
    return games

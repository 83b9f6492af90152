"""A match as a value that can be kept: what the database stores, what a match file holds, and a line of text.

A line is what people write, mail and paste: `quoridor 9x9: e2 e8 e3h`.
"""

import json
import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from ludex.core.documents import digest, parse_json, read_json, read_text
from ludex.core.errors import BadPosition, BadRecord, LudexError, Unsupported
from ludex.core.game import Action, AnyGame, Json, Outcome, Player
from ludex.core.match import AGREEMENT, FORFEIT, RESIGNATION, TIME_FORFEIT, Match
from ludex.core.messages import COMMON, Language, Message
from ludex.core.registry import entry_of, make
from ludex.core.seeding import MAX_SEED, SEED_BITS

FORMAT = "ludex-match"
FORMAT_VERSION = 1
"""Raised too when generators are derived from seeds in another way: the moves alone would then lead elsewhere."""
MOST_SEED_DIGITS = len(str(MAX_SEED))
PERSON = "you"
"""The name of a person's seat."""


@dataclass(frozen=True, slots=True)
class Record:
    """Everything needed to play a match again."""

    game: str
    version: int
    preset: str
    seed: int
    actions: tuple[Action, ...]
    agents: tuple[str, ...]
    """Who sat where, one name per player."""
    outcome: Outcome | None
    """None while the match is live or after an abort."""
    aborted: str | None = None
    position: Json = None
    """What `Game.dump` wrote of the position that the match begins with; None: the first one of the seed."""

    @classmethod
    def of(cls, match: Match[Any, Any], agents: tuple[str, ...]) -> Self:
        info = match.game.info
        return cls(
            game=info.id,
            version=info.version,
            preset=info.preset,
            seed=match.seed,
            actions=match.actions,
            agents=agents,
            outcome=match.outcome,
            aborted=match.aborted,
            position=match.position,
        )


Replaying = Generator[None, None, Match[Any, Any]]
"""A replay that stops after each ply, so that its caller can divide a long one or give it up; it returns the match."""


def replay(game: AnyGame, record: Record) -> Match[Any, Any]:
    """Play a record again and hold it to what it says; the first difference is an error."""
    return finish_replay(replaying(game, record))


def finish_replay(steps: Replaying) -> Match[Any, Any]:
    """The match of a replay from where it stands to its end."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            match: Match[Any, Any] = end.value
            return match


def replaying(game: AnyGame, record: Record) -> Replaying:
    """`replay`, ply by ply."""
    info = game.info
    same_board = (record.game, record.preset) == (info.id, info.preset)
    if not same_board or record.version not in (info.version, *info.replays):
        raise BadRecord(
            f"the record is of {record.game} version {record.version} preset {record.preset!r}, "
            f"expected {info.id} version {info.version} preset {info.preset!r}"
        )
    check_seed(record.seed)
    if len(record.agents) != info.players:
        raise BadRecord(f"{info.id} has {info.players} players, the record names {len(record.agents)}")
    try:
        match = Match(game, record.seed, position=record.position)
    except BadPosition as error:
        raise BadRecord(f"the position that the match begins with: {error.message}") from error
    for ply, action in enumerate(record.actions):
        try:
            match.play(action)
        except LudexError as error:
            raise BadRecord(f"ply {ply}: {error.message}") from error
        yield
    return _conclude(match, record)


def check_seed(seed: int) -> None:
    """Raises `BadRecord` for a number that no seed can be."""
    if not 0 <= seed <= MAX_SEED:
        raise BadRecord(f"seed must be in 0..2**{SEED_BITS}-1, found {seed}")


def _conclude(match: Match[Any, Any], record: Record) -> Match[Any, Any]:
    outcome = record.outcome
    if outcome is not None and outcome.reason in (RESIGNATION, FORFEIT) and not match.over:
        losers = [player for player, score in enumerate(outcome.scores) if score < 0]
        if len(losers) != 1 or len(outcome.scores) != match.game.info.players:
            raise BadRecord(f"a {outcome.reason} has one loser, found scores {list(outcome.scores)}")
        concede = match.resign if outcome.reason == RESIGNATION else match.forfeit
        concede(losers[0])
    if outcome is not None and outcome.reason == TIME_FORFEIT and not match.over:
        match.lose_on_time()
    if outcome is not None and outcome.reason == AGREEMENT and not match.over and match.game.info.players > 1:
        match.agree_draw()
    if match.outcome != outcome:
        raise BadRecord(f"the moves lead to {_outcome_text(match.outcome)}, the record says {_outcome_text(outcome)}")
    if match.aborted != record.aborted:
        raise BadRecord(f"the moves end with abort {match.aborted!r}, the record says {record.aborted!r}")
    return match


def _outcome_text(outcome: Outcome | None) -> str:
    return "no result" if outcome is None else f"{list(outcome.scores)} by {outcome.reason!r}"


def match_file(match: Match[Any, Any], agents: tuple[str, ...]) -> str:
    """A match as the text of a file a person can read, sealed with a digest."""
    record = Record.of(match, agents)
    body: dict[str, Json] = {
        "format": FORMAT,
        "formatVersion": FORMAT_VERSION,
        "game": record.game,
        "version": record.version,
        "preset": record.preset,
        "seed": str(record.seed),
        "position": record.position,
        "agents": list(agents),
        "moves": [[move.player, move.text] for move in match.moves],
        "outcome": None
        if record.outcome is None
        else {"scores": list(record.outcome.scores), "reason": record.outcome.reason},
        "aborted": record.aborted,
    }
    body["digest"] = digest(body)
    return json.dumps(body, indent=1) + "\n"


@dataclass(frozen=True, slots=True)
class MatchFile:
    """A match file as read: its moves are still texts, and nothing has been played yet."""

    record: Record
    """Without actions."""
    moves: tuple[tuple[Player, str], ...]

    @classmethod
    def read(cls, path: Path) -> Self:
        """Parse and check the seal. Raises `BadRecord` naming the file and what is wrong."""
        return cls.parse(read_json(path, BadRecord), str(path))

    @classmethod
    def parse(cls, body: Any, source: str) -> Self:
        """Check the document's shape and seal."""
        if not isinstance(body, dict) or body.get("format") != FORMAT:
            raise BadRecord(f"{source}: not a match file: expected an object with format {FORMAT!r}")
        if body.get("formatVersion") != FORMAT_VERSION:
            raise BadRecord(f"{source}: formatVersion {body.get('formatVersion')!r}, expected {FORMAT_VERSION}")
        expected = {"format", "formatVersion", "game", "version", "preset", "seed", "agents", "moves", "outcome"}
        expected |= {"position", "aborted", "digest"}
        if set(body) != expected:
            missing, unknown = sorted(expected - set(body)), sorted(set(body) - expected)
            raise BadRecord(f"{source}: missing keys {missing}, unknown keys {unknown}")
        if body["digest"] != digest({key: value for key, value in body.items() if key != "digest"}):
            raise BadRecord(f"{source}: the digest does not fit the content: the file was changed after it was written")
        try:
            return cls(_record(body), tuple((_int(player), _str(text)) for player, text in body["moves"]))
        except (TypeError, ValueError, KeyError) as error:
            raise BadRecord(f"{source}: ill-typed value: {error}") from error

    def replay(self, game: AnyGame) -> Match[Any, Any]:
        """Play the moves, each by the player the file names."""
        return finish_replay(self.replaying(game))

    def replaying(self, game: AnyGame) -> Replaying:
        """`replay`, ply by ply."""
        match, most = replay(game, replace(self.record, outcome=None, aborted=None)), game.info.max_plies
        if len(self.moves) > most:
            raise BadRecord(f"the file has {len(self.moves)} moves, a match on this board has at most {most}")
        for ply, (player, text) in enumerate(self.moves):
            try:
                match.play_text(text, player=player)
            except LudexError as error:
                raise BadRecord(f"ply {ply}, {text!r}: {error.message}") from error
            yield
        return _conclude(match, self.record)


def _record(body: dict[str, Any]) -> Record:
    result = body["outcome"]
    outcome = (
        None if result is None else Outcome(tuple(float(score) for score in result["scores"]), _str(result["reason"]))
    )
    return Record(
        game=_str(body["game"]),
        version=_int(body["version"]),
        preset=_str(body["preset"]),
        seed=_decimal(body["seed"]),
        actions=(),
        agents=tuple(_str(agent) for agent in body["agents"]),
        outcome=outcome,
        aborted=None if body["aborted"] is None else _str(body["aborted"]),
        position=body["position"],
    )


def _str(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a text, found {value!r}")
    return value


def _decimal(value: Any) -> int:
    text = _str(value)
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_SEED_DIGITS):
        raise TypeError(f"expected a seed as a text of at most {MOST_SEED_DIGITS} decimal digits, found {value!r}")
    return int(text)


def _int(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"expected a whole number, found {value!r}")
    return value


_LINE = re.compile(
    r"\s*(?P<game>\w+)\s+(?P<preset>[^\s]+?)"
    r"(\s+seed\s+(?P<seed>\d{1,39}))?"
    r"\s*:(?P<moves>(\s.*)?)\s*",
    re.S,
)


def line_of(match: Match[Any, Any]) -> str:
    """A match's line; the seed stands in it where the game has dice. A match from another position has none.

    >>> import ludex
    >>> match = Match(ludex.make("tictactoe"), seed=1)
    >>> play_line(match, "b2 a1")
    >>> line_of(match)
    'tictactoe 3x3x3: b2 a1'
    """
    if match.position is not None:
        raise Unsupported("the match begins with a given position, which a line of moves cannot say: use a match file")
    info = match.game.info
    seed = "" if info.chance == "none" else f" seed {match.seed}"
    return " ".join([f"{info.id} {info.preset}{seed}:", *(move.text for move in match.moves)])


def is_line(text: str) -> bool:
    """Whether a text is a line rather than the name of a file.

    >>> is_line("quoridor 9x9: e2"), is_line("games/one.json")
    (True, False)
    """
    return _LINE.fullmatch(text) is not None


def match_of(line: str, open_board: Callable[[str, str], AnyGame] = make) -> Match[Any, Any]:
    """Play a line. Raises `BadRecord` for what is no line, and what the game says of a move it refuses.

    >>> match_of("quoridor 9x9: e2 e8").ply
    2
    """
    parts = _LINE.fullmatch(line)
    if parts is None:
        raise BadRecord(f"expected GAME PRESET [seed N]: MOVE MOVE ..., found {line[:60]!r}")
    seed = int(parts["seed"] or 0)
    check_seed(seed)
    match: Match[Any, Any] = Match(open_board(parts["game"], parts["preset"]), seed)
    play_line(match, parts["moves"])
    return match


def match_in(path: Path) -> tuple[Match[Any, Any], tuple[str, ...]]:
    """The match of a file, a match file or a line of moves, played again, and its agents. Raises `BadRecord`."""
    text = read_text(path, BadRecord)
    if is_line(text):
        return with_seats(match_of(text))
    file = MatchFile.parse(parse_json(text, str(path), BadRecord), str(path))
    return file.replay(make(file.record.game, file.record.preset)), file.record.agents


def with_seats(match: Match[Any, Any]) -> tuple[Match[Any, Any], tuple[str, ...]]:
    """A match whose players are unknown, with names for them."""
    return match, tuple(seat_name(match.game.info.id, seat).text() for seat in range(match.game.info.players))


def seat_name(game: str, player: Player) -> Message:
    """What a player is called: the entry `player_1` or `player_2` of the game's catalogues, else by the number.

    >>> seat_name("tictactoe", 1).text()
    'O'
    """
    return entry_of(game, f"player_{player + 1}") or Message(f"{COMMON}.player", {"number": player + 1})


def player_names(game: str, agents: Sequence[str], language: Language = "en") -> tuple[str, ...]:
    """What the players of a match are called: each as its agent, of several equal ones with its seat."""

    def name_of(seat: int, agent: str) -> str:
        if agents.count(agent) == 1:
            return agent
        side = seat_name(game, seat).text(language)
        return side if agent == PERSON else f"{agent} ({side})"

    return tuple(name_of(seat, agent) for seat, agent in enumerate(agents))


def play_line(match: Match[Any, Any], moves: str) -> None:
    """Play moves separated by spaces. A refused one is named with its ply, and the match is left as it was."""
    first = match.ply
    for text in moves.split():
        try:
            match.play_text(text)
        except LudexError as error:
            ply = match.ply
            while match.ply > first:
                match.undo()
            raise type(error)(f"move {ply + 1}, {text!r}: {error.message}") from error

"""What agents of every engine protocol share: the process follows a match by its moves, and answers with one."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from ludex.arena.engine_process import EngineProcess
from ludex.core.decision import Decision
from ludex.core.errors import BadOption, IllegalChoice, LudexError, MoveError, Unsupported
from ludex.core.game import AnyGame, Json, Mask, legal_actions, sample_state
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.core.messages import Message
from ludex.core.seeding import Rng

MOST_TEXTS: Final = 12
"""How many legal moves the complaint about an illegal one names."""
RESIGNATION: Final = "resign"
"""The answer of an engine that gives up."""


class EngineAgent(ABC):
    """Starts the command at once and keeps it until `close`. `options` are set before the first game."""

    protocol: ClassVar[str]
    complaint: ClassVar[str]
    """How the lines begin by which an engine complains."""

    def __init__(self, game: AnyGame, command: str, options: Mapping[str, str] | None = None) -> None:
        require_open_game(game)
        self.name = f"{self.protocol}:{command}"
        self._game = game
        self._match: Match[Any, Any] | None = None
        """Our copy of the match; None before the first."""
        self._engine = EngineProcess(self.name, command, self.complaint)
        try:
            self._greet(options or {})
        except LudexError:
            self.close()
            raise

    def follow(self, moves: Sequence[str]) -> None:
        """Bring the engine and our copy to the match; moves that do not continue the last ones begin a new game."""
        match = self._match
        if match is None or not _extends(moves, [move.text for move in match.moves]):
            match = self._match = Match(self._game, seed=0)
            self._begin_game()
        try:
            for move in moves[match.ply :]:
                match.play_text(move)
        except MoveError as error:
            raise self._elsewhere() from error
        self._set_position(match)

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        assert self._match is not None, "decide was called before follow"
        state = sample_state(self._game, view, Rng(rng.state))
        if self._game.dump(state) != self._game.dump(self._match.state):
            raise self._elsewhere()
        stats: dict[str, Json] = {}
        text = self._ask_move(self._match, limit, stats)
        if text == RESIGNATION:
            return Decision(legal_actions(legal)[0], resigns=True)
        try:
            action = self._game.parse_action(self._match.state, text)
        except MoveError as error:
            raise IllegalChoice(f"{self.name}: {error.message}") from error
        if not legal[action]:
            texts = [self._game.action_text(self._match.state, other) for other in legal_actions(legal)]
            more = ", ..." if len(texts) > MOST_TEXTS else ""
            raise IllegalChoice(
                f"{self.name}: answered {text!r}, which is illegal; legal are {', '.join(texts[:MOST_TEXTS])}{more}"
            )
        return Decision(
            action=action, stats=stats, explanation=(Message("ludex.by_engine", {"move": text, "engine": self.name}),)
        )

    def close(self) -> None:
        """End the engine."""
        self._engine.close()

    @abstractmethod
    def _greet(self, options: Mapping[str, str]) -> None:
        """Learn what the engine knows, and set the options."""

    @abstractmethod
    def _begin_game(self) -> None:
        """Announce a new game."""

    @abstractmethod
    def _set_position(self, match: Match[Any, Any]) -> None:
        """Bring the engine to the position of a match that continues the last one, or is new."""

    @abstractmethod
    def _ask_move(self, match: Match[Any, Any], limit: Limit, stats: dict[str, Json]) -> str:
        """The engine's move within a limit, and its numbers about the search."""

    def _elsewhere(self) -> Unsupported:
        """The refusal of a match that begins with a given position, of which the moves say nothing."""
        return Unsupported(f"{self.name} follows a match from its first position, and this one begins with another")

    def _unknown(self, option: str, known: list[str]) -> BadOption:
        return BadOption(
            f"{self.name}: unknown option {option!r}; the engine's options: {', '.join(sorted(known)) or 'none'}"
        )


def require_open_game(game: AnyGame) -> None:
    """Raise `Unsupported` for a game that the protocols of engines have no words for."""
    info = game.info
    if info.players != 2 or info.chance != "none" or info.information != "perfect":
        raise Unsupported(f"UGI and GTP need two players, no dice and no secrets, unlike {info.id}")


def _extends(moves: Sequence[str], known: Sequence[str]) -> bool:
    """Whether moves go on from the known ones; the same again are a new game, as after a loss on time."""
    return len(moves) > len(known) and list(moves[: len(known)]) == known

"""Positions of Quoridor as people edit them: pawns, walls with their owners' stocks, and whose turn it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ludex.core.editing import Setting, Tool, setting_choice, setting_number
from ludex.core.errors import BadPosition
from ludex.core.game import AnyGame, Mask, Player
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.games.quoridor.game import Quoridor, set_up
from ludex.games.quoridor.rules.board import action_name, square_name
from ludex.games.quoridor.rules.position import Position, wall_actions

KEYS: Final = ("pawns", "left", "turn", "walls")
"""What the lines of a text begin with."""
PLAYERS: Final = ("1", "2")


@dataclass(frozen=True, slots=True)
class QuoridorDraft:
    """A position while it is edited; every change is checked by the rules."""

    game: Quoridor
    view: Position

    @property
    def text(self) -> str:
        parts = parts_of(self.game, self.view)
        lines = {**parts, "left": map(str, parts["left"]), "turn": PLAYERS[parts["turn"]]}
        return "\n".join(f"{key} {' '.join(lines[key])}".rstrip() for key in KEYS)

    @property
    def places(self) -> Mask:
        return np.ones(self.game.info.num_actions, np.bool_)

    @property
    def to_move(self) -> Player:
        return self.view.turn

    @property
    def tools(self) -> Sequence[Tool]:
        return [Tool(name=player, title=Message(f"quoridor.edit_tool_{player}"), key=player) for player in PLAYERS]

    @property
    def settings(self) -> Sequence[Setting]:
        stocks = [
            Setting(
                name=f"left_{player}",
                title=Message(f"quoridor.edit_left_{player}"),
                value=str(left),
                bounds=(0, self.game.walls),
            )
            for player, left in zip(PLAYERS, self.view.left, strict=True)
        ]
        choices = {player: Message(f"quoridor.player_{player}") for player in PLAYERS}
        turn = str(self.view.turn + 1)
        return [Setting(name="turn", title=Message("quoridor.edit_turn"), value=turn, choices=choices), *stocks]

    def put(self, tool: str, place: str) -> "QuoridorDraft":
        """A player's pawn on a square, or a wall of theirs; a wall that stands is taken away, and is theirs again."""
        if tool not in PLAYERS:
            raise BadPosition.of(Message("quoridor.position_tool", {"tool": tool[:20]}))
        parts, player = parts_of(self.game, self.view), PLAYERS.index(tool)
        if place[-1:] not in ("h", "v"):
            parts["pawns"][player] = place
        elif place in parts["walls"]:
            parts["walls"].remove(place)
            # Whose it was is not known: a full stock takes no more.
            owner = player if parts["left"][player] < self.game.walls else 1 - player
            parts["left"][owner] += 1
        elif parts["left"][player] == 0:
            raise BadPosition.of(Message("quoridor.position_none_left", {"wall": place}))
        else:
            parts["walls"].append(place)
            parts["left"][player] -= 1
        return _draft(self.game, parts)

    def set(self, setting: str, value: str) -> "QuoridorDraft":
        """Whose turn it is, or a player's stock; what one player has more, the other has less."""
        known = {each.name: each for each in self.settings}
        if setting not in known:
            raise BadPosition.of(Message("quoridor.position_tool", {"tool": setting[:20]}))
        parts = parts_of(self.game, self.view)
        if setting == "turn":
            parts["turn"] = PLAYERS.index(setting_choice(known[setting], value))
        else:
            player = int(setting == "left_2")
            parts["left"][player] = setting_number(known[setting], value)
            parts["left"][1 - player] = 2 * self.game.walls - len(parts["walls"]) - parts["left"][player]
        return _draft(self.game, parts)

    def position(self, rng: Rng) -> Position:
        return self.view


def parts_of(game: Quoridor, state: Position) -> dict[str, Any]:
    """Pawns, walls, stocks and turn by their names, in lists that may be changed."""
    return {
        "pawns": [square_name(pawn, game.size) for pawn in state.pawns],
        "walls": [action_name(action, game.size) for action in wall_actions(state, game.size)],
        "left": [*state.left],
        "turn": state.turn,
    }


def _draft(game: Quoridor, parts: Mapping[str, Any]) -> QuoridorDraft:
    """The draft of pawns, walls, stocks and turn, after as few plies as the walls take. Raises `BadPosition`."""
    left, names = (parts["left"][0], parts["left"][1]), parts["walls"]
    if any(not 0 <= stock <= game.walls for stock in left):
        counts = {"stand": len(names), "left": sum(left), "count": 2 * game.walls}
        raise BadPosition.of(Message("quoridor.position_walls", counts))
    first, second = (game.walls - stock for stock in left)
    ply = max(0, 2 * first - 1, 2 * second)
    ply += (ply - int(parts["turn"])) % 2
    return QuoridorDraft(game, set_up(parts["pawns"], names, left, ply, game.size, game.walls))


class QuoridorEditor:
    """Reads the lines that `QuoridorDraft.text` writes."""

    files: Final[Mapping[str, Any]] = {}

    def read(self, game: AnyGame, text: str) -> QuoridorDraft:
        """Four lines: `pawns e2 e8`, `left 9 10`, `turn 2`, `walls e3h`; without `left`, the walls are shared out."""
        assert isinstance(game, Quoridor)
        lines = {words[0].lower(): words[1:] for line in text.splitlines() if (words := line.replace(":", " ").split())}
        strange = next((key for key in lines if key not in KEYS), None)
        if strange is not None or len(lines.get("pawns", ())) != 2:
            raise BadPosition.of(Message("quoridor.position_text", {"line": text.splitlines()[0][:40]}))
        walls, turn = lines.get("walls", []), lines.get("turn", ["1"])
        rest = max(0, 2 * game.walls - len(walls))
        left = lines.get("left", [str(rest - rest // 2), str(rest // 2)])
        if turn not in (["1"], ["2"]) or len(left) != 2 or not all(stock.isdecimal() for stock in left):
            raise BadPosition.of(Message("quoridor.position_numbers"))
        stocks = [int(stock[:4]) for stock in left]
        return _draft(game, {"pawns": lines["pawns"], "walls": walls, "left": stocks, "turn": PLAYERS.index(turn[0])})

    def of(self, game: AnyGame, view: Position) -> QuoridorDraft:
        """Without the plies that led to it, which a text does not tell."""
        assert isinstance(game, Quoridor)
        return _draft(game, parts_of(game, view))


EDITOR: Final = QuoridorEditor()

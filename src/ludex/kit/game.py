"""`GridGame`: the contract of a game whose rules are kernels over one vector of numbers, and its positions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

import numpy as np

from ludex.core.compiled import RUNNING, Vector, call_rule
from ludex.core.errors import BadPosition, IllegalAction, MalformedAction
from ludex.core.game import Action, GameInfo, Json, Observation, Outcome, Player, legal_actions
from ludex.core.game import Mask as LegalMask
from ludex.core.scene import Look, SeatColour
from ludex.core.seeding import Rng
from ludex.kit.geometry import TURNS, Grid, signed
from ludex.kit.notation import Choice, Notation, placing

if TYPE_CHECKING:
    from ludex.kit.rules import Kernels

WORD: Final = 64


class Position:
    """A position as numbers, in the order of the game's `Layout`; it never changes."""

    __slots__ = ("_numbers",)

    def __init__(self, numbers: Vector) -> None:
        self._numbers = numbers

    def __getitem__(self, index: int) -> int:
        return int(self._numbers[index])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and bool(np.array_equal(self._numbers, other._numbers))

    def __hash__(self) -> int:
        return hash(self._numbers.tobytes())

    def __repr__(self) -> str:
        return f"Position({self._numbers.tolist()})"

    def vector(self) -> Vector:
        """The numbers as an array of the caller's own."""
        return self._numbers.copy()


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number of a position, in `least`..`most`."""

    most: int
    least: int = 0


@dataclass(frozen=True, slots=True)
class Bits:
    """A set of sites as a bit board of so many 64-bit words; None: as few as the sites need."""

    words: int | None = None
    apart: bool = True
    """Whether no other such set has a site of it, as the stones of two players."""


@dataclass(frozen=True, slots=True)
class Values:
    """A whole number per site, in `least`..`most`."""

    most: int
    least: int = 0


Field = Number | Bits | Values


class Layout:
    """What the numbers of a position mean: by name, in order, behind the turn."""

    start: dict[str, int]
    """The index of each field's first number: a `Number` takes one, `Bits` one per word, `Values` one per site."""
    size: int
    """How many numbers a position has."""

    def __init__(self, sites: int, fields: Mapping[str, Field]) -> None:
        self.sites = sites
        self.fields: dict[str, Field] = {"turn": Number(1), **fields}
        self.start = {}
        self.size = 0
        for name, field in self.fields.items():
            self.start[name] = self.size
            self.size += self._length(field)

    def image(self, position: Position, sites: Sequence[int]) -> Position:
        """The position with what lies on site s on `sites[s]`; numbers stay as they are."""
        numbers = position.vector()
        for name, field in self.fields.items():
            start = self.start[name]
            if isinstance(field, Values):
                numbers[start + np.array(sites)] = position.vector()[start : start + self.sites]
            elif isinstance(field, Bits):
                turned = sum(1 << sites[site] for site in self.members(position, name))
                numbers[start : start + self._length(field)] = self._words(turned, field)
        return Position(numbers)

    def members(self, position: Position, name: str) -> list[int]:
        """The sites of a bit board."""
        start = self.start[name]
        return [site for site in range(self.sites) if position[start + site // WORD] >> site % WORD & 1]

    def dump(self, position: Position, names: tuple[str, ...]) -> Json:
        """Numbers as they are, bit boards as names of sites."""
        document: dict[str, Json] = {}
        for name, field in self.fields.items():
            if isinstance(field, Number):
                document[name] = position[self.start[name]]
            elif isinstance(field, Values):
                document[name] = [position[self.start[name] + site] for site in range(self.sites)]
            else:
                document[name] = [names[site] for site in self.members(position, name)]
        return document

    def load(self, data: Json, names: tuple[str, ...]) -> Position:
        """The position that `dump` wrote. Raises `BadPosition` for numbers outside their ranges and unknown sites."""
        if not isinstance(data, dict) or data.keys() != self.fields.keys():
            raise BadPosition(f"expected an object with {', '.join(self.fields)}, found {data!r}")
        numbers: list[int] = []
        apart = 0
        for name, field in self.fields.items():
            value = data[name]
            if isinstance(field, Number):
                numbers.append(_number(value, name, field))
                continue
            if not isinstance(value, list):
                raise BadPosition(f"{name!r} must be a list, found {value!r}")
            if isinstance(field, Values):
                if len(value) != self.sites:
                    raise BadPosition(f"{name!r} must have {self.sites} numbers, found {len(value)}")
                numbers += [_number(entry, name, field) for entry in value]
            else:
                members = self._read_set(value, name, names)
                if field.apart and members & apart:
                    raise BadPosition(f"{name!r} must name no site of another set, found {value!r}")
                apart |= members if field.apart else 0
                numbers += self._words(members, field)
        return Position(np.array(numbers, np.int64))

    def pieces(self) -> tuple[int, int] | None:
        """The index of the first field that says what lies on the sites, with its words, or 0 for numbers."""
        boards = [name for name, field in self.fields.items() if isinstance(field, Values | Bits)]
        if boards and isinstance(self.fields[boards[0]], Values):
            return self.start[boards[0]], 0
        return (self.start[boards[0]], self._length(self.fields[boards[0]])) if len(boards) > 1 else None

    def _length(self, field: Field) -> int:
        """How many numbers a field takes."""
        if isinstance(field, Bits):
            return field.words or -(-self.sites // WORD)
        return 1 if isinstance(field, Number) else self.sites

    def _words(self, members: int, field: Bits) -> list[int]:
        return [signed(members >> WORD * word) for word in range(self._length(field))]

    def _read_set(self, value: list[Any], name: str, names: tuple[str, ...]) -> int:
        known = {site_name: site for site, site_name in enumerate(names)}
        members = 0
        for entry in value:
            if not isinstance(entry, str) or entry not in known or members >> known[entry] & 1:
                raise BadPosition(f"{name!r} must name sites such as {names[0]}, each once, found {entry!r}")
            members |= 1 << known[entry]
        return members


def _number(value: Any, name: str, field: Number | Values) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not field.least <= value <= field.most:
        raise BadPosition(f"{name!r} must be a whole number in {field.least}..{field.most}, found {value!r}")
    return value


class GridGame:
    """A game by its grid, its notation and a module of rules (`ludex.kit.rules`); a subclass says which.

    Both players see everything; a game with secrets overrides `view` and `observe`.
    """

    grid: Grid
    notation: Notation
    layout: Layout
    kernels: "Kernels"
    board: Vector
    """The numbers of the board that every kernel gets."""
    id: ClassVar[str]
    """The registry's name."""
    version: ClassVar[int] = 1
    players: ClassVar[Literal[1, 2]] = 2
    reasons: ClassVar[tuple[str, ...]] = ("won", "draw")
    """`Outcome.reason` of a won and of a drawn game, and others that `reason` returns."""
    phases: ClassVar[tuple[str, ...]] = ("play",)
    """`GameInfo.phases`; a game of several, such as placing and moving, overrides `phase` too."""
    kinds: ClassVar[int] = 1
    """Kinds of pieces that `piece` returns; each has a plane for either player, the mover's first."""
    features: ClassVar[int] = 0
    """Planes that the kernel `feature` writes behind them."""
    colours: ClassVar[tuple[SeatColour, SeatColour]] = ("blue", "orange")
    """Of the players, on the board and beside it."""
    look: ClassVar[Look | None] = None
    """What the board is made of; None: a rack where stones drop, wood where it has lines of its own, else tiles."""
    opposite: ClassVar[bool] = False
    """Whether the players sit at opposite sides: the second one sees the board turned."""
    marks: ClassVar[tuple[str, str]] = ("xXyYz", "oOwWv")
    """A letter per kind of piece of either player, on a board that is text."""
    symmetries: ClassVar[tuple[str, ...] | None] = None
    """The names of those of `Grid.symmetries` under which the game is the same, such as `("Identity",)` if its moves
    are words; None: all that its notation has."""

    def __init__(
        self,
        preset: str,
        *,
        grid: Grid,
        rules: str | None = None,
        notation: Iterable[Choice] | None = None,
        fields: Mapping[str, Field] | None = None,
        max_plies: int | None = None,
        constants: Iterable[Any] = (),
        information: Literal["perfect", "hidden"] = "perfect",
    ) -> None:
        """`constants` are numbers and arrays of numbers, with which the `board` of the rules begins.

        `rules` names their module, `rules` beside the game's own if it is None. The other defaults are those of a game
        that puts a piece on a free cell at every ply: `placing(grid)`, the one field `sites`, a value per site from
        -`kinds` to `kinds`, and as many plies as there are sites.
        """
        unknown = [name for name in self.symmetries or () if name not in TURNS[grid.shape]]
        if unknown:
            known = ", ".join(TURNS[grid.shape])
            raise TypeError(f"{self.id}: unknown symmetries {', '.join(unknown)}; known: {known}")
        self.grid = grid
        self.notation = Notation(tuple(placing(grid) if notation is None else notation))
        self.layout = Layout(grid.sites, fields or {"sites": Values(self.kinds, least=-self.kinds)})
        # Numba takes long to import: games are listed without it.
        from ludex.kit.rules import kernels_of, piece_of_field

        self.kernels = kernels_of(import_module(rules or f"{type(self).__module__.rpartition('.')[0]}.rules"))
        field = self.layout.pieces()
        if field is None and self.kernels.piece is piece_of_field:
            raise TypeError(f"{self.id}: neither its rules have `piece`, nor its fields Values or two Bits")
        rows, cols = grid.planes
        places = [row * cols + col for row, col in grid.plane_places]
        numbers = [*constants, places, *(field or (0, 0)), self.kinds, self.features, rows * cols, grid.sites]
        self.board = np.concatenate([np.ravel(np.array(number, np.int64)) for number in numbers])
        self.info = GameInfo(
            id=self.id,
            version=self.version,
            preset=preset,
            players=self.players,
            num_actions=len(self.notation),
            max_plies=grid.sites if max_plies is None else max_plies,
            chance="sampled" if self.kernels.draws else "none",
            information=information,
            zero_sum=self.players == 2,
            phases=self.phases,
        )

    def reason(self, state: Position, score: float) -> str:
        """Why a finished game ended with this score of player 0."""
        return self.reasons[score == 0]

    def fault(self, state: Position) -> str | None:
        """What keeps a loaded position, whose numbers are within their ranges, from being one of the game."""
        return None

    def initial(self, rng: Rng) -> Position:
        numbers = np.zeros(self.layout.size, np.int64)
        call_rule(self.kernels.reset, self.kernels.draws, rng, self.board, numbers)
        return Position(numbers)

    def to_move(self, state: Position) -> Player:
        return state[0]

    def phase(self, state: Position) -> str:
        return self.phases[0]

    def legal(self, state: Position) -> LegalMask:
        mask = np.zeros(self.info.num_actions, np.uint8)
        self.kernels.legal(self.board, state.vector(), mask)
        return mask.view(np.bool_)

    def apply(self, state: Position, action: Action, rng: Rng) -> Position:
        if not 0 <= action < self.info.num_actions:
            raise IllegalAction(f"action {action} does not exist: expected 0..{self.info.num_actions - 1}")
        if not self.legal(state)[action]:
            over = "the game is over" if self.outcome(state) else "the rules forbid it here"
            raise IllegalAction(f"{self.notation.choices[action].text} cannot be played: {over}")
        numbers = state.vector()
        call_rule(self.kernels.apply, self.kernels.draws, rng, self.board, numbers, int(action))
        return Position(numbers)

    def outcome(self, state: Position) -> Outcome | None:
        score = self.kernels.outcome(self.board, state.vector())
        return None if score == RUNNING else Outcome((score, 0.0 - score)[: self.players], self.reason(state, score))

    def pieces(self, state: Position) -> Iterator[int]:
        """What the kernel `piece` says of every site."""
        numbers = state.vector()
        return (int(self.kernels.piece(self.board, numbers, site)) for site in range(self.grid.sites))

    def position(self, numbers: Vector) -> Position:
        """A position of these numbers."""
        return Position(numbers.copy())

    def view(self, state: Position, player: Player) -> Position:
        return state

    def observe(self, view: Position) -> Observation:
        """`board` float32[planes, rows, cols]: per kind of piece the mover's and the other's, then the features."""
        shape = (2 * self.kinds + self.features, *self.grid.planes)
        out = np.zeros(int(np.prod(shape)), np.float32)
        self.kernels.observe(self.board, view.vector(), out)
        return {"board": out.reshape(shape)}

    def action_text(self, state: Position, action: Action) -> str:
        return self.notation.choices[action].text

    def parse_action(self, state: Position, text: str) -> Action:
        try:
            return self.notation.parse(text)
        except MalformedAction:
            legal = legal_actions(self.legal(state)) if self.outcome(state) is None else []
            if not legal:
                raise
            example = self.notation.choices[legal[0]].text
            raise MalformedAction(f"{text!r} names no move: expected one such as {example}") from None

    def dump(self, state: Position) -> Json:
        return self.layout.dump(state, self.grid.names)

    def load(self, data: Json) -> Position:
        position = self.layout.load(data, self.grid.names)
        fault = self.fault(position)
        if fault is None and self.outcome(position) is None and not self.legal(position).any():
            fault = "the player to move has no move"
        if fault is not None:
            raise BadPosition(fault)
        return position


def expected_score(game: Any, state: Position, player: Player) -> float:
    """The `GameSpec.evaluation` of a game whose rules have `estimate`."""
    estimate = game.kernels.estimate
    assert estimate is not None
    return float(estimate(game.board, state.vector())) * (1 - 2 * player)

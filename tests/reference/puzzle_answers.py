"""The right moves of puzzles, found again by the slow rules of this folder from the positions alone.

`None` stands for a position that is too large for them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ludex.core import registry
from ludex.core.puzzle import Puzzle, position_at
from tests.reference import forks, minesweeper_layouts, quoridor, quoridor_endgame, tictactoe
from tests.reference.hexes import Hex, distances, sees
from tests.reference.skirmish import odds_of_damage

MOST_TOUCHED = 40
"""Hidden cells beside numbers whose layouts are listed one by one."""


def fork(puzzle: Puzzle) -> set[str] | None:
    game: Any = registry.make("tictactoe", puzzle.position.board)
    board = game.board
    position: Any = puzzle.position.position
    grid = tictactoe.grid_of_key(position["cells"], board.cols)
    mover = tictactoe.to_move(grid)
    mine, theirs = (
        frozenset(cell for cell, mark in enumerate(tictactoe.key(grid)) if mark == one)
        for one in (mover, tictactoe.other(mover))
    )
    cells = forks.winning_moves(mine, theirs, board.rows, board.cols, board.k)
    return {"abcdefgh"[cell % board.cols] + str(board.rows - cell // board.cols) for cell in cells}


def _risks(puzzle: Puzzle) -> dict[str, Fraction] | None:
    game: Any = registry.make("minesweeper", puzzle.position.board)
    position: Any = puzzle.position.position
    text, cols = position["cells"], game.cols
    cells = [int(one) if one.isdigit() else -1 for one in text]
    rows = [cells[start : start + cols] for start in range(0, len(cells), cols)]
    if len(minesweeper_layouts.touched(rows)) > MOST_TOUCHED:
        return None
    chances, _ = minesweeper_layouts.weighed_probabilities(rows, game.mines)
    return {"abcdefghijklmnop"[col] + str(row + 1): risk for (row, col), risk in chances.items()}


def safe(puzzle: Puzzle) -> set[str] | None:
    risks = _risks(puzzle)
    return None if risks is None else {cell for cell, risk in risks.items() if risk == 0}


def risk(puzzle: Puzzle) -> set[str] | None:
    risks = _risks(puzzle)
    if risks is None:
        return None
    least = min(risks.values())
    return {cell for cell, one in risks.items() if one == least}


def _quoridor_winners(puzzle: Puzzle) -> tuple[int, dict[str, int | None]]:
    """The player to move, and by move who wins then."""
    game: Any = registry.make("quoridor", puzzle.position.board)
    position: Any = puzzle.position.position
    white, black = (quoridor.square(name) for name in position["pawns"])
    state = quoridor.State(
        game.size, (white, black), frozenset(position["walls"]), (*position["left"],), position["turn"]
    )
    return state.turn, quoridor_endgame.winners(state)


def win(puzzle: Puzzle) -> set[str] | None:
    mover, winners = _quoridor_winners(puzzle)
    return {move for move, winner in winners.items() if winner == mover}


def hold(puzzle: Puzzle) -> set[str] | None:
    mover, winners = _quoridor_winners(puzzle)
    return {move for move, winner in winners.items() if winner != 1 - mover}


def _value(weapons: Iterable[Any], unit: Any, wounds: int) -> Fraction:
    """The expected value destroyed: half goes wound by wound, half with the last wound."""
    odds = {0: Fraction(1)}
    for weapon in weapons:
        chance = odds_of_damage(weapon.model_dump(), unit.type.toughness, unit.type.save, unit.type.invulnerable_save)
        for _ in range(weapon.attacks):
            after: dict[int, Fraction] = {}
            for lost, share in odds.items():
                after[lost] = after.get(lost, Fraction(0)) + share * (1 - chance)
                hit = min(wounds, lost + weapon.damage)
                after[hit] = after.get(hit, Fraction(0)) + share * chance
            odds = after
    expected = sum((number * share for number, share in odds.items()), Fraction(0))
    worth: Fraction = unit.value * (expected / unit.type.wounds + odds.get(wounds, Fraction(0))) / 2
    return worth


class _Battle:
    """The units of a position by their own texts."""

    def __init__(self, puzzle: Puzzle) -> None:
        game: Any = registry.make("skirmish", puzzle.position.board)
        self.game = game
        position: Any = puzzle.position.position
        self.units = {unit.id: unit for unit in self.game.units}
        self.where: dict[str, Hex] = {}
        self.wounds: dict[str, int] = {}
        self.marks: dict[str, list[str]] = {}
        for text in position["units"]:
            name, place, wounds, *marks = text.split()
            col, row = place.split(".") if not place.startswith("-") else ("-1", "-1")
            self.where[name] = int(col), int(row)
            self.wounds[name] = int(wounds)
            self.marks[name] = marks[0].split("+") if marks else []
        self.active: str = position["active"]
        self.foes = [
            name
            for name, unit in self.units.items()
            if unit.player != self.units[self.active].player and self.wounds[name] > 0
        ]
        grid = self.game.scenario.grid
        self.cols, self.rows = grid.cols, grid.rows
        self.walls = {grid.col_row(index) for index in range(grid.size) if self.game.scenario.walls[index]}

    def distance(self, here: Hex, there: Hex) -> int:
        return distances(self.cols, self.rows)[here, there]

    def reaches(self, weapon: Any, here: Hex, there: Hex) -> bool:
        near = self.distance(here, there) <= weapon.range
        return near and sees(self.cols, self.rows, self.walls, here, there)


def target(puzzle: Puzzle) -> set[str] | None:
    battle = _Battle(puzzle)
    shooter, here = battle.units[battle.active], battle.where[battle.active]
    friends = [name for name, unit in battle.units.items() if unit.player == shooter.player and battle.wounds[name] > 0]
    worth = {}
    for foe in battle.foes:
        engaged = any(battle.distance(battle.where[friend], battle.where[foe]) == 1 for friend in friends)
        weapons = [
            weapon
            for weapon in shooter.ranged
            if battle.reaches(weapon, here, battle.where[foe])
            and ("assault" in weapon.keywords or "advanced" not in battle.marks[battle.active])
            and ("pistol" in weapon.keywords or not engaged)
        ]
        if weapons:
            worth[foe] = _value(weapons, battle.units[foe], battle.wounds[foe])
    best = max(worth.values())
    return {f"shoot/{foe}" for foe, value in worth.items() if value == best}


def place(puzzle: Puzzle) -> set[str] | None:
    """Of the legal moves: which hexes can be reached is no part of the answer."""
    battle = _Battle(puzzle)
    unit, goals = battle.units[battle.active], battle.game.scenario.objectives
    flags = [battle.game.scenario.grid.col_row(goal) for goal in goals]
    risks = {}
    for move in puzzle.position.build("skirmish").legal_texts():
        if not move.startswith("move/"):
            continue
        col, row = (int(part) for part in move.removeprefix("move/").split("."))
        if all(battle.distance((col, row), flag) > battle.game.scenario.game.objective_radius for flag in flags):
            continue
        guns = [
            weapon
            for foe in battle.foes
            for weapon in battle.units[foe].ranged
            if battle.reaches(weapon, battle.where[foe], (col, row))
        ]
        risks[move] = _value(guns, unit, battle.wounds[battle.active])
    least = min(risks.values())
    return {move for move, value in risks.items() if value == least}


ORACLES: dict[str, Callable[[Puzzle], set[str] | None]] = {
    "tictactoe fork": fork,
    "tictactoe combination": fork,
    "minesweeper safe": safe,
    "minesweeper risk": risk,
    "quoridor win": win,
    "quoridor hold": hold,
    "quoridor combination": win,
    "skirmish target": target,
    "skirmish place": place,
}


def turns_of(puzzle: Puzzle) -> Iterator[tuple[Puzzle, set[str]]]:
    """The position of each turn as a puzzle of its own, with its right moves."""
    for turn in range(puzzle.turns):
        begins = position_at(puzzle, puzzle.moves[:turn])
        position = replace(puzzle.position, position=begins.game.dump(begins.state))
        yield replace(puzzle, position=position), set(puzzle.at(turn).accept)


def same_answers(puzzle: Puzzle) -> bool | None:
    """Whether the oracle finds the same moves in every turn; None if a position is too large for it."""
    oracle = ORACLES[f"{puzzle.game} {puzzle.theme}"]
    answers = [(oracle(asked), accepted) for asked, accepted in turns_of(puzzle)]
    return None if any(answer is None for answer, _ in answers) else all(answer == right for answer, right in answers)

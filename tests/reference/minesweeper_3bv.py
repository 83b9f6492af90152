"""3BV as it is defined, slowly: click openings first, then what is left."""

Board = list[list[bool]]


def around(mines: Board, row: int, col: int) -> list[tuple[int, int]]:
    return [
        (r, c)
        for r in (row - 1, row, row + 1)
        for c in (col - 1, col, col + 1)
        if (r, c) != (row, col) and 0 <= r < len(mines) and 0 <= c < len(mines[0])
    ]


def count(mines: Board, row: int, col: int) -> int:
    return sum(mines[r][c] for r, c in around(mines, row, col))


def click(mines: Board, shown: set[tuple[int, int]], row: int, col: int) -> None:
    """Reveal a safe cell, and all around it as long as there are no mines near."""
    todo = [(row, col)]
    while todo:
        cell = todo.pop()
        if cell not in shown:
            shown.add(cell)
            if count(mines, *cell) == 0:
                todo += around(mines, *cell)


def three_bv(mines: Board) -> int:
    safe = [(row, col) for row in range(len(mines)) for col in range(len(mines[0])) if not mines[row][col]]
    zeros = [cell for cell in safe if count(mines, *cell) == 0]
    shown: set[tuple[int, int]] = set()
    clicks = 0
    for row, col in zeros + safe:
        if (row, col) not in shown:
            click(mines, shown, row, col)
            clicks += 1
    return clicks

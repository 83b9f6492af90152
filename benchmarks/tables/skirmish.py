"""Tables of the strength of Skirmish's agents."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.documents import read
from benchmarks.tables.formatting import Row, interval, percent, win_rate
from benchmarks.tables.minesweeper import _gained

LEVELS = {0.0: "`hard`", 2.0: "`normal`", 4.0: "`easy`"}
"""Skirmish's levels, by the network's temperature."""


SCRIPTED = ("objective", "aggressive", "defensive")
"""Whom Skirmish's network is measured against."""


def skirmish_ladder(folder: Path) -> Iterator[Row]:
    """The players against each other."""
    yield "first against second", "games", "score", "95 %"
    for match in read("skirmish_ladder", folder)["matches"]:
        first, second = match["agents"]
        score = "100 %" if match["score"] == 1 else percent(match["score"])
        yield f"`{first}`, `{second}`", str(match["games"]), score, interval(match["ci95"])


def skirmish_shipped(folder: Path) -> Iterator[Row]:
    """The network's files as they ship, against scripted players."""
    met = _met(folder)
    (games,) = {row["games"] for row in met.values()}
    yield f"Skirmish, won of {games:,} games each", *(f"`{name}`" for name in SCRIPTED)
    for preset in ("default", "mirror", "small"):
        yield f"`hard` on `{preset}`", *(win_rate(met[preset, "hard", name]) for name in SCRIPTED)


def skirmish_levels(folder: Path) -> Iterator[Row]:
    """The levels that ship, one against the next."""
    yield "first against second", "board", "games", "won", "95 %"
    for (preset, first, second), row in _met(folder).items():
        if second not in SCRIPTED:
            yield f"`{first}`, `{second}`", f"`{preset}`", *_scored(row)


def _met(folder: Path) -> dict[tuple[str, str, str], Any]:
    """What was counted, by board, player and opponent."""
    evaluations = read("skirmish-shipped", folder)["evaluations"]
    return {(one["preset"], one["agent"], row["agent"]): row for one in evaluations for row in one["opponents"]}


def skirmish_net(folder: Path) -> Iterator[Row]:
    """The weights that ship as they were trained, and their levels."""
    yield "board", "player", "opponent", "games", "score", "95 %"
    for row in read("skirmish-net", folder)["rows"]:
        if row["deployment"] == "learned":
            name, _, temperature = row["opponent"].partition(":temperature=")
            rival = LEVELS[float(temperature)] if temperature else f"`{name}`"
            yield f"`{row['preset']}`", LEVELS[row["temperature"]], rival, *_scored(row)


def skirmish_deployment(folder: Path) -> Iterator[Row]:
    """What the network's own placing is worth: the same battle policy after other placements."""
    yield "player", "units are placed", "games", "score", "95 %", "the network's own placing gains, points"
    for row in read("skirmish-net", folder)["rows"]:
        if (row["preset"], row["opponent"]) == ("default", "objective"):
            gained = _placing_gained(row) if "first_gains" in row else ""
            yield LEVELS[row["temperature"]], f"`deployment={row['deployment']}`", *_scored(row), gained


def skirmish_runs(folder: Path) -> Iterator[Row]:
    """What each run has added: the networks on the way to the one that ships."""
    document = read("skirmish-net", folder)
    yield "updates of PPO", *(f"against `{name}`" for name in SCRIPTED), "placing gains over chance, points"
    cold = [row for row in document["rows"] if (row["preset"], row["temperature"]) == ("default", 0.0)]
    for net in (*document["earlier"], {"updates": document["updates"], "rows": cold}):
        found = {(row["opponent"], row["deployment"]): row for row in net["rows"]}
        scores = (win_rate(found[name, "learned"]) for name in SCRIPTED)
        yield str(net["updates"]), *scores, _placing_gained(found["objective", "uniform"])


def skirmish_maskable(folder: Path) -> Iterator[Row]:
    """What MaskablePPO has learned on its own, from evaluation to evaluation."""
    found = {(row["update"], row["opponent"]): row for row in read("skirmish-maskable", folder)["rows"]}
    yield "updates of MaskablePPO", *(f"against `{name}`" for name in SCRIPTED)
    for update in sorted({update for update, _ in found}):
        yield str(update), *(win_rate(found[update, name]) for name in SCRIPTED)


def _scored(row: Any) -> tuple[str, str, str]:
    return f"{row['games']:,}", percent(row["win_rate"]), interval(row["ci95"])


def _placing_gained(row: Any) -> str:
    return _gained({"gain": row["first_gains"], "gain_ci95": row["first_gains_ci95"]})

"""Tables of the strength of Skirmish's agents."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.documents import read
from benchmarks.tables.formatting import Row, interval, percent, win_rate
from benchmarks.tables.minesweeper import _gained

CONTRACT_METRICS = (
    "deployment_valid_action_rate",
    "deployment_invalid_action_attempt_rate",
    "deployment_steps_mean",
    "deployment_deadlock_count",
    "deployment_pass_count",
    "winrate_with_active_deployment",
)
GROUPED = 5
"""So many updates share a line of a curve."""
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
    return {
        (evaluation["preset"], evaluation["agent"], row["agent"]): row
        for evaluation in evaluations
        for row in evaluation["opponents"]
    }


def skirmish_net(folder: Path) -> Iterator[Row]:
    """The weights that ship as they were trained, and their levels."""
    yield "board", "player", "opponent", "games", "score", "95 %"
    for row in read("skirmish-net", folder)["rows"]:
        if row["deployment"] in ("learned", "sampled"):
            name, _, temperature = row["opponent"].partition(":temperature=")
            rival = _network(float(temperature)) if temperature else f"`{name}`"
            yield f"`{row['preset']}`", _network(row["temperature"]), rival, *_scored(row)


def skirmish_deployment(folder: Path) -> Iterator[Row]:
    """What the network's own placing is worth: the same battle policy after other placements."""
    yield "player", "units are placed", "games", "score", "95 %", "the network's own placing gains, points"
    for row in read("skirmish-net", folder)["rows"]:
        if (row["preset"], row["opponent"]) == ("default", "objective"):
            gained = _placing_gained(row) if "first_gains" in row else ""
            yield _network(row["temperature"]), f"`deployment={row['deployment']}`", *_scored(row), gained


def skirmish_runs(folder: Path) -> Iterator[Row]:
    """What each run has added: the networks on the way to the one that ships."""
    document = read("skirmish-net", folder)
    yield "updates of PPO", *(f"against `{name}`" for name in SCRIPTED), "placing gains over chance, points"
    cold = [row for row in document["rows"] if (row["preset"], row["temperature"]) == ("default", 0.0)]
    for net in (*document["earlier"], {"updates": document["updates"], "rows": cold}):
        rows = {(row["opponent"], row["deployment"]): row for row in net["rows"]}
        scores = (win_rate(rows[name, "learned"]) for name in SCRIPTED)
        yield str(net["updates"]), *scores, _placing_gained(rows["objective", "uniform"])


def skirmish_maskable(folder: Path) -> Iterator[Row]:
    """What MaskablePPO has learned on its own, from evaluation to evaluation."""
    rows = {(row["update"], row["opponent"]): row for row in read("skirmish-maskable", folder)["rows"]}
    yield "updates of MaskablePPO", *(f"against `{name}`" for name in SCRIPTED)
    for update in sorted({update for update, _ in rows}):
        yield str(update), *(win_rate(rows[update, name]) for name in SCRIPTED)


def skirmish_contract(folder: Path) -> Iterator[Row]:
    """What MaskablePPO adds to imitation on the full board: all in all, by placing alone and by fighting alone."""
    document = read("skirmish-contract", folder)
    (games,) = {row["games"] for row in document["rows"]}
    after = f"after {document['updates']} updates of MaskablePPO"
    gains = any("gain" in row for row in document["rows"])
    yield (
        f"on `{document['preset']}`, {games // 2:,} pairs each, against",
        "placed by",
        "led by",
        "after imitation",
        after,
        *(["gained, points"] if gains else []),
    )
    parts: dict[tuple[str, str, str], dict[str, Any]] = {}
    for row in document["rows"]:
        parts.setdefault((row["opponent"], row["deployment"], row["battle"]), {})[row["stage"]] = row
    for (opponent, placing, fighting), stages in parts.items():
        # What the scripted player does alone no training changes.
        cells = (win_rate(stages[stage]) if stage in stages else "" for stage in ("before", "after"))
        scores = (win_rate(stages["scripted"]),) * 2 if "scripted" in stages else cells
        gain = _gained(stages["after"]) if gains and "after" in stages else ""
        yield f"`{opponent}`", _part(placing), _part(fighting), *scores, *([gain] if gains else [])


def _part(name: str) -> str:
    """Who places or who fights."""
    return "the network" if name == "learned" else f"`{name}`"


def skirmish_contract_metrics(folder: Path) -> Iterator[Row]:
    """The six metrics of the contract for the games of the trained network."""
    whole = ("after", "learned", "learned")
    rows = [
        row
        for row in read("skirmish-contract", folder)["rows"]
        if (row["stage"], row["deployment"], row["battle"]) == whole
    ]
    yield "metric", *(f"`{row['opponent']}`" for row in rows)
    for name in CONTRACT_METRICS:
        yield f"`{name}`", *(f"{row[name]:g}" for row in rows)


def skirmish_contract_curve(folder: Path) -> Iterator[Row]:
    """The training itself: games of the drawn policy against the scripted players that it learned from."""
    document = read("skirmish-contract", folder)
    yield "updates", "transitions", "games that ended", "won", "divergence of the policy per update", "seconds"
    for first in range(0, document["updates"], GROUPED):
        part = document["curve"][first : first + GROUPED]
        games, wins = (sum(row[name] for row in part) for name in ("games", "wins"))
        kl = sum(row["approx_kl"] for row in part) / len(part)
        yield (
            f"{part[0]['update']} to {part[-1]['update']}",
            f"{part[-1]['transitions']:,}",
            f"{games:,}",
            percent(wins / games),
            f"{kl:.4f}",
            f"{sum(row['seconds'] for row in part):.0f}",
        )


def _network(temperature: float) -> str:
    """The network as it plays at a temperature."""
    return f"`hard:temperature={temperature:g}`" if temperature else "`hard`"


def _scored(row: Any) -> tuple[str, str, str]:
    return f"{row['games']:,}", percent(row["win_rate"]), interval(row["ci95"])


def _placing_gained(row: Any) -> str:
    return _gained({"gain": row["first_gains"], "gain_ci95": row["first_gains_ci95"]})

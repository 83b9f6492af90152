"""Tables of the learner: how a run went, and what its networks are worth."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.documents import read
from benchmarks.tables.formatting import Row, figure, interval, percent, within

CURVE = "tictactoe-progress"
SOLVED = (
    "quoridor-solved",
    "quoridor-solver",
    "quoridor-solved-walker",
    "quoridor-solver-walker",
    "connect_four-solved",
)
TITLES = {"quoridor": "Quoridor", "connect_four": "Connect Four"}
LONG_CURVE = {"first": "quoridor-progress", "second": "quoridor-progress-second"}
PRECISIONS = {"fp32": "highest", "tf32": "default", "bf16": "bf16"}
"""Ours, and what Pgx's benchmark calls the same."""


def curve(folder: Path) -> Iterator[Row]:
    """Tic-tac-toe on two CPU cores: a row per evaluation."""
    yield "minutes", "games", "loss", "draws in self-play", "points against a search without a network"
    for point in read("alphazero", folder)[CURVE]["points"]:
        loss = "" if point["loss"] is None else f"{point['loss']:.2f}"
        shares = percent(point["draws"]), percent(point["score"])
        yield f"{point['minutes']:.1f}", f"{point['games']:,}", loss, *shares


def long_curve(folder: Path) -> Iterator[Row]:
    """Quoridor 9x9 on one GPU: a row per evaluation."""
    measured = ("loss", "draws in self-play", "Elo above its first network", "points without a network")
    yield "run", "minutes", "games", *measured
    for run, name in LONG_CURVE.items():
        for point in read("alphazero", folder)[name]["points"]:
            shares = percent(point["draws"]), f"{point['rating']:,.0f}", percent(point["score"])
            yield run, f"{point['minutes']:.1f}", f"{point['games']:,}", f"{point['loss']:.2f}", *shares


def seeds(folder: Path) -> Iterator[Row]:
    """Connect Four by three seeds: a row per evaluation."""
    runs = read("alphazero", folder)["connect_four-seeds"]["points"]
    names = [f"seed {run['seed']}" for run in runs]
    yield "minutes", *(f"{name}: Elo" for name in names), *(f"{name}: points against no network" for name in names)
    for points in zip(*(run["points"] for run in runs), strict=True):
        ratings = [f"{point['rating']:.0f}" for point in points]
        yield f"{points[0]['minutes']:.1f}", *ratings, *(percent(point["score"]) for point in points)


GAMES_OF_CHANCE = {"pig": "Pig to 60", "einstein": "EinStein würfelt nicht!, endings", "tiles": "2048, 3x3, in points"}


def chance(folder: Path) -> Iterator[Row]:
    """Games with dice: how far values and moves are from the exact ones."""
    yield "game", "learned in", "agent", "positions", "value error", "regret", "best moves"
    document = read("chance", folder)
    for game, title in GAMES_OF_CHANCE.items():
        run = document[game]
        learned = f"{run['minutes']:g} minutes, {run['cpu_seconds']:.0f} s of CPU time, {run['games']:,} games"
        for row in run["rows"]:
            error = "" if row["value_error"] is None else figure(row["value_error"])
            network = row["agent"].startswith("zero")
            agent, positions = f"`{row['agent']}`", f"{row['positions']}"
            yield (
                title,
                learned if network else "",
                agent,
                positions,
                error,
                figure(row["regret"]),
                percent(row["best_moves"]),
            )


def speed(folder: Path) -> Iterator[Row]:
    """Self-play on one GPU beside Pgx and mctx, by precision and games at once."""
    ours, peer = read("alphazero-speed", folder), read("alphazero-pgx", folder)
    theirs = {row["precision"]: row["moves_per_second"] for row in peer["rows"]}
    shares = ("batch", "leaves/s", "trees", "network")
    yield "precision", "games", "halves", "threads", "moves/s", "Pgx, moves/s", "ratio", *shares
    for row in ours["rows"]:
        beside = ("", "")
        if row["games"] == peer["games"]:
            other = theirs[PRECISIONS[row["precision"]]]
            beside = (figure(other), figure(row["moves_per_second"] / other))
        yield (
            row["precision"],
            f"{row['games']:,}",
            str(row["halves"]),
            str(row["threads"]),
            figure(row["moves_per_second"]),
            *beside,
            f"{row['mean_batch']:,.0f}",
            figure(row["leaves_per_second"]),
            f"{row['share_tree']:.0%}",
            f"{row['share_network']:.0%}",
        )


def threads(folder: Path) -> Iterator[Row]:
    """The search alone, by threads."""
    yield "threads", "moves/s", "leaves/s", "CPU microseconds per leaf"
    for row in read("alphazero-speed", folder)["tree"]["rows"]:
        rates = (row["moves_per_second"], row["leaves_per_second"], row["cpu_us_per_leaf"])
        yield str(row["threads"]), *map(figure, rates)


def workers(folder: Path) -> Iterator[Row]:
    """Whole runs, by the processes that play."""
    yield "workers", "moves/s", "per worker", "learner's time spent learning"
    for row in read("alphazero-workers", folder)["rows"]:
        rate = row["moves_per_second"]
        yield str(row["workers"]), figure(rate), figure(rate / row["workers"]), percent(row["learning_share"])


def strength(folder: Path) -> Iterator[Row]:
    """Every network that was judged."""
    yield "board", "simulations or time per move", "judged by", "result"
    for name, result in read("alphazero", folder).items():
        if not {"points", "rows", "players"} & set(result):
            budget = f"{result['movetime_ms']} ms" if "movetime_ms" in result else str(result["simulations"])
            yield name, budget, *_judged(result)


def solved(folder: Path) -> Iterator[Row]:
    """Matches on solved boards, by whom the openings belong to."""
    yield (
        "board",
        "player",
        "won of its own openings",
        "won of the other's",
        "moves that kept the value, of those that could lose it",
    )
    for document in (read("alphazero", folder)[name] for name in SOLVED):
        board = f"{TITLES[document['game']]} {document['preset']}"
        for name, tally in document["players"].items():
            own, other = (f"{tally[f'{kind}_won']} of {tally[f'{kind}_games']}" for kind in ("own", "other"))
            text = f"{tally['kept']} of {tally['critical']} ({percent(tally['kept'] / tally['critical'])})"
            yield board, f"`{name}`", own, other, text


def teaching(folder: Path) -> Iterator[Row]:
    """Evaluations of `master` that learned from games of `zero` against the one that ships: a row per mixture."""
    yield "games of `zero`", "games of `master`", "share of the search's value", "epochs", "score", "95 %"
    for row in read("alphazero", folder)["quoridor-teaching"]["rows"]:
        played = f"{row['zero_games']:,}", f"{row['master_games']:,}"
        yield *played, percent(row["search_share"]), str(row["epochs"]), percent(row["score"]), interval(row["ci95"])


def ownership(folder: Path) -> Iterator[Row]:
    """Networks that learned what becomes of each cell against those that did not: a row per weight."""
    document = read("alphazero-ownership", folder)
    yield "weight", *(f"seed {seed}" for seed in document["seeds"]), "all games"
    for weighed in document["summary"]:
        scores = [percent(row["score"]) for row in document["rows"] if row["weight"] == weighed["weight"]]
        yield f"{weighed['weight']:g}", *scores, f"{percent(weighed['score'])} {within(weighed['interval'])}"


def _judged(result: dict[str, Any]) -> tuple[str, str]:
    if "lost" in result:
        walked = ""
        if "lines" in result:
            walked = f"; {sum(result['losing_lines'])} of {sum(result['lines'])} lines against every play lost"
        return "`perfect:ties=random`", f"{result['lost']:,} of {result['games']:,} games lost{walked}"
    if "value_lost" in result:
        share = percent(result["value_lost_share"])
        lost = f"value lost in {result['value_lost']} of {result['critical_positions']} positions ({share})"
        judge = f"a solver, exact from {result['exact_from']} stones on, {result['horizon']} plies deep before"
        return judge, f"{result['won']} of {result['games']} games won as the first player; {lost}"
    if "value_kept" in result:
        text = f"value kept in {result['value_kept']:,} of {result['critical_positions']:,} positions"
        return "an exact solver", f"{text} ({percent(result['value_kept_share'])})"
    low, high = result["ci95"]
    points = f"{percent(result['score'])} of the points in {result['games']} games ({percent(low)} - {percent(high)})"
    return f"`{result['agents'][1]}`", points

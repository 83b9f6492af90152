"""The tables of the README and the docs, made from the results: no figure in them was typed by hand.

In a Markdown file a table stands between `<!-- measured: NAME -->` and `<!-- /measured -->`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.documents import RESULTS, read
from benchmarks.soak import table as soak

Row = Sequence[str]
MARKED = re.compile(r"<!-- measured: ([\w-]+) -->\n(.*?)<!-- /measured -->", re.DOTALL)
BOARDS = {"small": "8x8x10", "beginner": "9x9x10", "med": "16x16x40", "expert": "16x30x99"}
STARTS = {"zero": "first reveal opens a region", "safe": "first reveal is safe"}
LEVELS = {0.0: "`hard`", 2.0: "`normal`", 4.0: "`easy`"}
"""Skirmish's levels, by the network's temperature."""
SCRIPTED = ("objective", "aggressive", "defensive")
"""Whom Skirmish's network is measured against."""


class UnknownTable(ValueError):
    """A marker that names no table."""


def filled(text: str, folder: Path = RESULTS) -> str:
    """A Markdown text with its marked tables made anew."""

    def table(found: re.Match[str]) -> str:
        name = found[1]
        if name not in TABLES:
            raise UnknownTable(f"no table is called {name!r}; there are {', '.join(TABLES)}")
        return f"<!-- measured: {name} -->\n{markdown(*TABLES[name](folder))}<!-- /measured -->"

    return MARKED.sub(table, text)


def markdown(head: Row, *rows: Row) -> str:
    """A table as text."""
    lines = ["| " + " | ".join(row) + " |" for row in (head, *rows)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:], ""])


def figure(value: float) -> str:
    """A rate or a ratio as a person reads it.

    >>> figure(2142885.4), figure(35.098), figure(0.2107), figure(413.8)
    ('2,142,885', '35.1', '0.211', '414')
    """
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def percent(value: float) -> str:
    """A share, with one digit."""
    return f"{100 * value:.1f} %"


def interval(ends: Sequence[float]) -> str:
    """A 95 % interval of a share.

    >>> interval([0.963, 1.0])
    '96.3 % - 100 %'
    """
    return " - ".join("100 %" if end == 1 else percent(end) for end in ends)


def within(ends: Sequence[float]) -> str:
    """An interval behind the share itself, which has the unit."""
    return "({:.1f} - {:.1f})".format(*(100 * end for end in ends))


def headlines(folder: Path) -> Iterator[Row]:
    """The five rows of the README, taken from the tables of docs/benchmarks.md."""
    yield "measured", "ours", "peer", "ratio"
    speeds = (
        ("tic-tac-toe, random games per CPU-second", "tictactoe-pgx", "batch kernel, 4096 lanes, one thread"),
        ("Quoridor, perft lines per CPU-second", "quoridor", "perft(3), both count the last ply in bulk"),
        ("Minesweeper, steps per CPU-second", "minesweeper", "10x10x10, 256 lanes, like the peer, one thread"),
    )
    for title, name, label in speeds:
        document = read(name, folder)
        (row,) = (one for one in document["rows"] if one["name"] == label)
        peer = _peer(document, row) if name != "quoridor" else f"open_spiel: {figure(row['peer'])}"
        yield title, figure(row["ours"]), peer, figure(row["ratio"])
    strength = read("minesweeper-strength", folder)
    (expert,) = (row for row in solver_rows(strength, "zero", "expert") if row["preset"].startswith("med"))
    public = percent(strength["reference"]["zero"]["med"])
    yield f"Minesweeper 16x16x40, won of {expert['games']:,}", _won(expert), f"strongest public solver: {public}", ""
    (match,) = (one for one in read("quoridor-strength", folder)["matches"] if "spiel_mcts" in one["agents"][1])
    won = f"won {match['wins'][0]} of {match['games']} ({interval(match['ci95'])})"
    yield "Quoridor, `master` at 300 ms a move", won, "open_spiel's MCTS, 1,000 simulations", ""


def tictactoe_speed(folder: Path) -> Iterator[Row]:
    """Random games."""
    yield "tic-tac-toe, random games per CPU-second", "ours", "peer", "ratio"
    for name in ("tictactoe", "tictactoe-pgx"):
        document = read(name, folder)
        for row in document["rows"]:
            yield row["name"], figure(row["ours"]), _peer(document, row), figure(row["ratio"])


def quoridor_speed(folder: Path) -> Iterator[Row]:
    """Counting, random games, search."""
    document = read("quoridor", folder)
    peer = f"open_spiel {_version(document, 'open_spiel')}"
    yield f"Quoridor 9x9, {peer} through its Python API", "unit", "ours", "peer", "ratio"
    yield from _beside(document)


def minesweeper_speed(folder: Path) -> Iterator[Row]:
    """The rows that have a peer."""
    document = read("minesweeper", folder)
    yield "Minesweeper, random legal actions", "unit", "ours", "peer", "ratio"
    for row in document["rows"]:
        if row["peer"] is not None:
            yield row["name"], row["unit"], figure(row["ours"]), _peer(document, row), figure(row["ratio"])


def minesweeper_alone(folder: Path) -> Iterator[Row]:
    """The rows that have none."""
    yield "Minesweeper", "unit", "ours"
    for row in read("minesweeper", folder)["rows"]:
        if row["peer"] is None:
            yield row["name"], row["unit"], figure(row["ours"])


def skirmish_speed(folder: Path) -> Iterator[Row]:
    """Steps, beside what a learner can consume, and both trainers at work."""
    document = read("skirmish", folder)
    yield "Skirmish `default`, masks and observations included", "unit", "ours", "peer", "ratio"
    for row in document["rows"]:
        yield row["name"], row["unit"], figure(row["ours"]), *_against(document, row)


def skirmish_gpu(folder: Path) -> Iterator[Row]:
    """Both trainers at work beside a GPU, and ours on it."""
    document = read("skirmish-gpu", folder)
    yield "Skirmish `default`, one H200 and 16 cores of x86-64", "unit", "ours", "peer", "ratio"
    for row in document["rows"]:
        if row["name"].startswith("PPO"):
            yield row["name"], row["unit"], figure(row["ours"]), *_against(document, row)


def ppo_speed(folder: Path) -> Iterator[Row]:
    """Learning, beside learning."""
    yield "masked PPO, end to end", "unit", "ours", "sb3-contrib", "ratio"
    for name in ("minesweeper-ppo", "minesweeper-ppo-gpu"):
        for row in read(name, folder)["rows"]:
            yield row["name"], row["unit"], figure(row["ours"]), figure(row["peer"]), figure(row["ratio"])


def quoridor_master(folder: Path) -> Iterator[Row]:
    """The engine against others."""
    yield "Quoridor, `master` at 300 ms a move against", "games", "won", "score, 95 %"
    for match in read("quoridor-strength", folder)["matches"]:
        if match["agents"][0].startswith("master"):
            other = match["agents"][1]
            shown = "open_spiel's MCTS, uniform rollouts, 1,000 simulations" if "spiel_mcts" in other else f"`{other}`"
            yield shown, str(match["games"]), str(match["wins"][0]), interval(match["ci95"])


def quoridor_ladder(folder: Path) -> Iterator[Row]:
    """The levels against each other."""
    yield "first against second", "games", "won", "drawn", "lost", "score, 95 %"
    for match in read("quoridor-strength", folder)["matches"]:
        if not match["agents"][0].startswith("master"):
            first, second = match["agents"]
            won, lost = match["wins"]
            counts = (str(match["games"]), str(won), str(match["draws"]), str(lost))
            yield f"`{first}`, `{second}`", *counts, interval(match["ci95"])


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
        yield f"`hard` on `{preset}`", *(_won(met[preset, "hard", name]) for name in SCRIPTED)


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
        scores = (_won(found[name, "learned"]) for name in SCRIPTED)
        yield str(net["updates"]), *scores, _placing_gained(found["objective", "uniform"])


def skirmish_maskable(folder: Path) -> Iterator[Row]:
    """What MaskablePPO has learned on its own, from evaluation to evaluation."""
    found = {(row["update"], row["opponent"]): row for row in read("skirmish-maskable", folder)["rows"]}
    yield "updates of MaskablePPO", *(f"against `{name}`" for name in SCRIPTED)
    for update in sorted({update for update, _ in found}):
        yield str(update), *(_won(found[update, name]) for name in SCRIPTED)


def _scored(row: Any) -> tuple[str, str, str]:
    return f"{row['games']:,}", percent(row["win_rate"]), interval(row["ci95"])


def _placing_gained(row: Any) -> str:
    return _gained({"gain": row["first_gains"], "gain_ci95": row["first_gains_ci95"]})


def minesweeper_strength(folder: Path) -> Iterator[Row]:
    """The solver and the network, on every board and start."""
    strength, net, speed = (read(name, folder) for name in ("minesweeper-strength", "minesweeper-net", "minesweeper"))
    counted = [row for start in STARTS for row in (*solver_rows(strength, start, "expert"), *net_rows(net, start))]
    (games,) = {row["games"] for row in counted}
    yield f"won of {games:,} boards", *BOARDS.values()
    for start, meaning in STARTS.items():
        expert = {row["preset"].partition("_")[0]: row for row in solver_rows(strength, start, "expert")}
        yield f"`expert`, {meaning}", *(_won(expert[board]) for board in BOARDS)
        yield "the strongest public solver known to us", *(percent(strength["reference"][start][b]) for b in BOARDS)
        ours = {row["preset"]: row for row in net_rows(net, start)}
        yield f"the network `net`, {meaning}, other boards", *(_won(ours[board]) for board in BOARDS)
    micros = {row["name"]: row["ours"] for row in speed["rows"] if row["unit"] == "CPU-microseconds a game"}
    times = [micros.get(f"expert on {size}") for size in BOARDS.values()]
    shown = ("" if one is None else f"{one / 1000:.2g} ms" for one in times)
    yield "CPU a game of `expert`, first reveal opens", *shown


def solver_rows(document: Any, start: str, agent: str) -> list[Any]:
    """A solver's evaluations with a start."""
    return [row for row in document["rows"] if (row["start"], row["agent"]) == (start, agent)]


def net_rows(document: Any, start: str) -> list[Any]:
    """What the network that ships was measured at, playing by its policy."""
    return [row for row in document["rows"] if (row["net"], row["by"], row["start"]) == ("il", "policy", start)]


def minesweeper_solvers(folder: Path) -> Iterator[Row]:
    """All solvers."""
    document = read("minesweeper-strength", folder)
    agents = list(dict.fromkeys(row["agent"] for row in document["rows"]))
    yield "start", "board", *(f"`{agent}`" for agent in agents), "strongest public"
    for start in STARTS:
        for number, board in enumerate(BOARDS):
            first, *rest = (solver_rows(document, start, agent)[number] for agent in agents)
            others = (percent(row["win_rate"]) for row in rest)
            yield start, board, _won(first), *others, percent(document["reference"][start][board])


def minesweeper_net(folder: Path) -> Iterator[Row]:
    """The network, beside the solvers on boards that everybody can play again."""
    boards, net = read("minesweeper-boards-977", folder), read("minesweeper-net", folder)
    yield "start", "board", "`net`", "`exact`", "`expert`"
    for start in STARTS:
        ours = {row["preset"]: row for row in net_rows(net, start)}
        for number, board in enumerate(BOARDS):
            solvers = (solver_rows(boards, start, agent)[number] for agent in ("exact", "expert"))
            yield start, board, _won(ours[board]), *map(_won, solvers)


def minesweeper_gains(folder: Path) -> Iterator[Row]:
    """By how many points the network wins oftener than the solvers on the same boards."""
    yield "start", "board", "`net`", "gain over `exact`, points", "gain over `expert`, points"
    for row in read("minesweeper-net-977", folder)["rows"]:
        gains = {one["agent"]: one for one in row["beside"]}
        yield row["start"], row["preset"], _won(row), *(_gained(gains[agent]) for agent in ("exact", "expert"))


def _gained(row: Any) -> str:
    low, high = (100 * end for end in row["gain_ci95"])
    return f"{100 * row['gain']:+.1f} ({low:+.1f} to {high:+.1f})"


def minesweeper_net_speed(folder: Path) -> Iterator[Row]:
    """What a move of the network costs on a CPU."""
    rows = read("minesweeper-net-speed", folder)["rows"]
    yield "milliseconds a move", *BOARDS
    kinds = {"move_cpu_ms": "processor time", "move_ms_median": "by the clock, median"}
    for key, shown in kinds.items():
        for threads in dict.fromkeys(row["threads"] for row in rows):
            times = (row[key] for row in rows if row["threads"] == threads)
            yield f"{shown}, {threads} thread{'s' * (threads > 1)}", *(f"{time:.0f}" for time in times)


def minesweeper_calibration(folder: Path) -> Iterator[Row]:
    """The network's probabilities beside the exact ones."""
    yield "board", "states", "cells", "expected calibration error", "correlation", "mean error"
    for row in read("minesweeper-calibration", folder)["rows"]:
        errors = (f"{row[key]:.4f}" for key in ("ece", "correlation", "mean_error"))
        yield row["preset"].partition("_")[0], f"{row['states']:,}", f"{row['cells']:,}", *errors


def tictactoe_strength(folder: Path) -> Iterator[Row]:
    """The shipped ranking."""
    (row,) = read("tictactoe-strength", folder)["rows"]
    yield f"`{row['agent']}` against, seed {row['seed']}", "games", "won", "drawn", "lost", "win rate, 95 %"
    for met in row["opponents"]:
        games, draws, losses = met["games"], met["draws"], met["losses"]
        counts = (f"{count:,}" for count in (games, games - draws - losses, draws, losses))
        yield f"`{met['agent']}`", *counts, interval(met["ci95"])


def web_speed(folder: Path) -> Iterator[Row]:
    """What a person waits for."""
    health, paint = read("web_health", folder), read("web_repaint", folder)
    yield "web app, milliseconds", "median", "95th percentile"
    for kind, shown in (("idle", "`/api/health`, idle"), ("searching", "`/api/health`, under four running searches")):
        yield shown, f"{health[kind]['p50_ms']:.1f}", f"{health[kind]['p95_ms']:.1f}"
    for board, times in paint["boards"].items():
        for key, shown in (("click_to_repaint", "first change"), ("click_to_answer", "answer")):
            yield f"click to {shown}, {board}", f"{times[key]['p50_ms']:.0f}", f"{times[key]['p95_ms']:.0f}"


def startup(folder: Path) -> Iterator[Row]:
    """A server's first seconds."""
    rows = read("startup", folder)["rows"]
    games = [*rows[0]["first_move"]]
    yield "`ludex serve`, seconds to", "the home page", *(f"a reply in {game}" for game in games), "CPU-seconds"
    for row in rows:
        times = (f"{seconds:.1f}" for seconds in (row["page"], *row["first_move"].values()))
        yield f"kernel cache {row['cache']}", *times, f"{row['cpu_seconds']:.0f}"


def web_load(folder: Path) -> Iterator[Row]:
    """Two-person games at once."""
    document = read("web_load", folder)
    yield (
        "two-person games at once, match cache",
        "version",
        "moves/s",
        "server CPU, ms/move",
        "client CPU, ms/move",
        "answer, p50/p95/p99 ms",
        "opponent sees it, p95 ms",
    )
    for row in document["rows"]:
        pace = "one move per second each" if row["paced"] else "without pause"
        answered = "/".join(f"{row['answered_ms'][share]:.0f}" for share in ("p50", "p95", "p99"))
        yield (
            f"{row['games']}, {pace}, {row['cache']}",
            row["version"],
            f"{row['moves_per_second']:.0f}",
            f"{row['server_cpu_ms_per_move']:.1f}",
            f"{row['client_cpu_ms_per_move']:.1f}",
            answered,
            f"{row['seen_ms']['p95']:.0f}",
        )


def scaling(folder: Path) -> Iterator[Row]:
    """One worker of a cluster and two."""
    document = read("scaling", folder)
    opponents = ("normal", "easy", "walker")
    games, against = len(opponents) * document["games"], ", ".join(f"`{name}`" for name in opponents)
    names = {
        "boards": f"{document['boards']:,} boards of 16x30x99, `expert`",
        "gauntlet": f"{games} games of Quoridor, `master:nodes=4000` against {against}",
    }
    yield "", "1 worker", "2 workers", "ratio, run by run"
    for workload, name in names.items():
        one, two = (
            [row for row in document["rows"] if (row["workload"], row["workers"]) == (workload, count)]
            for count in (1, 2)
        )
        ratios = ", ".join(f"{a['seconds'] / b['seconds']:.2f}" for a, b in zip(one, two, strict=True))
        times = (f"{median(row['seconds'] for row in rows):.1f}" for rows in (one, two))
        yield f"{name}: seconds, median of {len(one)}", *times, ratios
        cpu = [median(row["worker_cpu_seconds"] for row in rows) for rows in (one, two)]
        yield "processor seconds of the workers", *(f"{seconds:.2f}" for seconds in cpu), f"{cpu[0] / cpu[1]:.2f}"


def clock(folder: Path) -> Iterator[Row]:
    """CPU time beside the clock's, where a document has both."""
    yield "game", "measured", "ours, a CPU-second", "ours, a second", "peer, a CPU-second", "peer, a second"
    for path in sorted(folder.glob("*.json")):
        document = read(path.stem, folder)
        for row in document.get("rows", ()):
            if row.get("ours_wall") is not None:
                beside = (row["ours"], row["ours_wall"], row["peer"], row["peer_wall"])
                shown = ("" if rate is None else figure(rate) for rate in beside)
                yield document["game"], f"{row['name']} / {row['peer_name']}", *shown


def sources(folder: Path) -> Iterator[Row]:
    """Where each document comes from."""
    yield "results", "machine", "load", "versions", "remark"
    for path in sorted(folder.glob("*.json")):
        document = read(path.stem, folder)
        machine: Any = document.get("machine", {})
        parts = [machine.get("processor"), machine.get("cores") and f"{machine['cores']} cores", document.get("device")]
        load = machine.get("load", machine.get("load_before"))
        versions = ", ".join(f"{name} {number}" for name, number in machine.get("versions", {}).items())
        yield (
            f"[{path.stem}](../benchmarks/results/{path.name})",
            ", ".join(part for part in parts if part) or "not recorded",
            "not recorded" if load is None else f"{load:.1f}",
            versions or "not recorded",
            document.get("measured", ""),
        )


def _won(row: Any) -> str:
    return f"{percent(row['win_rate'])} {within(row['ci95'])}"


def _beside(document: Any) -> Iterator[Row]:
    for row in document["rows"]:
        peer = ("", "") if row["peer"] is None else (figure(row["peer"]), figure(row["ratio"]))
        yield row["name"], row["unit"], figure(row["ours"]), *peer


PACKAGES = {
    "open_spiel": "open_spiel",
    "PettingZoo": "pettingzoo",
    "pgx": "pgx",
    "Jumanji": "jumanji",
    "ms_toollib": "ms_toollib",
    "sb3-contrib": "sb3-contrib",
}
"""The package of a peer, by the beginning of its name."""


def _against(document: Any, row: Any) -> tuple[str, str]:
    """The peer's figure and the ratio, or neither."""
    return ("", "") if row["peer"] is None else (_peer(document, row), figure(row["ratio"]))


def _peer(document: Any, row: Any) -> str:
    """A peer with its version, and its rate."""
    name: str = row["peer_name"]
    for begin, package in PACKAGES.items():
        if name.startswith(begin):
            name = name.replace(begin, f"{begin} {_version(document, package)}", 1)
    return f"{name}: {figure(row['peer'])}"


def _version(document: Any, package: str) -> str:
    version: str = document["machine"]["versions"][package]
    return version


TABLES: dict[str, Callable[[Path], Iterator[Row]]] = {
    "headlines": headlines,
    "tictactoe-speed": tictactoe_speed,
    "quoridor-speed": quoridor_speed,
    "minesweeper-speed": minesweeper_speed,
    "minesweeper-alone": minesweeper_alone,
    "skirmish-speed": skirmish_speed,
    "skirmish-gpu": skirmish_gpu,
    "ppo-speed": ppo_speed,
    "quoridor-master": quoridor_master,
    "quoridor-ladder": quoridor_ladder,
    "skirmish-ladder": skirmish_ladder,
    "skirmish-shipped": skirmish_shipped,
    "skirmish-levels": skirmish_levels,
    "skirmish-net": skirmish_net,
    "skirmish-deployment": skirmish_deployment,
    "skirmish-runs": skirmish_runs,
    "skirmish-maskable": skirmish_maskable,
    "minesweeper-strength": minesweeper_strength,
    "minesweeper-solvers": minesweeper_solvers,
    "minesweeper-net": minesweeper_net,
    "minesweeper-gains": minesweeper_gains,
    "minesweeper-net-speed": minesweeper_net_speed,
    "minesweeper-calibration": minesweeper_calibration,
    "tictactoe-strength": tictactoe_strength,
    "web-speed": web_speed,
    "web-load": web_load,
    "startup": startup,
    "web-soak": soak.findings,
    "web-soak-latencies": soak.latencies,
    "scaling": scaling,
    "clock": clock,
    "sources": sources,
}

"""How the levels of Quoridor answer over recorded games: CPU time a move, and how often noise changes the choice.

    python -m benchmarks.quoridor_levels --games 50 --seed 1

Each level plays itself from random openings. At every move the same level without noise is asked as well.
"""

import argparse
import json
import time

import ludex
from ludex.core.match import decide, play_opening

LEVELS = ("easy", "normal", "hard", "hell")
OPENING_PLIES = 6


def measured(level: str, games: int, seed: int) -> dict[str, float | int | str]:
    """One level over some games."""
    game = ludex.make("quoridor")
    agent, quiet = ludex.make_agent(game, level), ludex.make_agent(game, f"{level}:noise=0")
    decide(ludex.Match(game, seed=0), agent, ludex.Limit())
    spent: list[float] = []
    departures = 0
    for number in range(games):
        match = ludex.Match(game, seed=seed + number)
        play_opening(match, OPENING_PLIES)
        while not match.over:
            begin = time.process_time()
            decision = decide(match, agent, ludex.Limit())
            spent.append(1000 * (time.process_time() - begin))
            departures += level != "hell" and decision.action != decide(match, quiet, ludex.Limit()).action
            match.play(decision.action)
    spent.sort()
    return {
        "level": level,
        "games": games,
        "moves": len(spent),
        "cpu_ms_mean": sum(spent) / len(spent),
        "cpu_ms_p99": spent[int(0.99 * len(spent))],
        "cpu_ms_max": spent[-1],
        "departs_from_quiet_choice": departures / len(spent),
    }


def main() -> None:
    """Print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rows = [measured(level, options.games, options.seed) for level in LEVELS]
    print(json.dumps({"seed": options.seed, "opening_plies": OPENING_PLIES, "levels": rows}, indent=1))


if __name__ == "__main__":
    main()

"""Who meets whom: everybody they should, in the right round."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.arena.schedules import Format, Round, Swiss, format_of, gauntlet, league, round_robin
from ludex.core.errors import BadOption
from ludex.core.seeding import generator


def rounds_of(plan: Format, agents: int, seed: int = 0) -> list[Round]:
    """All rounds, when points fall at random: one a meeting."""
    past: list[Round] = []
    points = [0.0] * agents
    rng = generator(seed, 0)
    while meetings := plan.next_round(past, points):
        past.append(meetings)
        for meeting in meetings:
            points[rng.choice(meeting)] += 1
    return past


@pytest.mark.parametrize("agents", [2, 3, 6])
def test_everybody_meets_everybody_once(agents: int) -> None:
    (only,) = rounds_of(round_robin(agents), agents)
    assert sorted(only) == sorted(combinations(range(agents), 2))
    assert round_robin(agents).meetings == len(only)


def test_a_gauntlet_is_run_by_the_first() -> None:
    assert rounds_of(gauntlet(4), 4) == [((0, 1), (0, 2), (0, 3))]
    assert gauntlet(4).meetings == 3


def test_in_a_league_everybody_plays_alone() -> None:
    assert rounds_of(league(3), 3) == [((0,), (1,), (2,))]


@pytest.mark.slow
@given(st.integers(2, 14), st.integers(0, 2**32), st.data())
def test_in_a_swiss_round_everybody_has_one_new_opponent(agents: int, seed: int, data: st.DataObject) -> None:
    rounds = data.draw(st.integers(1, max(1, agents // 2)))
    plan = Swiss(agents, rounds, rest=1)
    past = rounds_of(plan, agents, seed)
    assert len(past) == rounds
    assert plan.meetings == sum(map(len, past))
    for meetings in past:
        seated = [agent for meeting in meetings for agent in meeting]
        assert len(seated) == len(set(seated)) == agents - agents % 2
        assert all(first < second for first, second in meetings)
    everything = [meeting for meetings in past for meeting in meetings]
    assert len(everything) == len(set(everything))
    rested = [agent for meetings in past for agent in range(agents) if all(agent not in met for met in meetings)]
    assert len(rested) == len(set(rested))


def test_equals_meet_in_a_swiss_round() -> None:
    past = [((0, 1), (2, 3), (4, 5), (6, 7))]
    assert Swiss(8, 3, rest=2).next_round(past, [2, 0, 2, 0, 2, 0, 0, 2]) == ((0, 2), (4, 7), (1, 3), (5, 6))


def test_who_rests_has_won() -> None:
    plan = Swiss(3, 3, rest=2)
    assert plan.next_round([], [0, 0, 0]) == ((0, 1),)
    # The third rested and has as many points as the winner of the first round; now the loser rests.
    assert plan.next_round([((0, 1),)], [2, 0, 0]) == ((0, 2),)


@pytest.mark.parametrize("agents", [4, 5, 8, 13, 20])
def test_as_many_rounds_as_possible_are_found(agents: int) -> None:
    most = agents - 1 + agents % 2
    past = rounds_of(Swiss(agents, most, rest=1), agents)
    assert all(len(meetings) == agents // 2 for meetings in past)
    assert len(past) == most
    for number in (0, most + 1):
        with pytest.raises(BadOption, match=f"1 to {most} Swiss rounds"):
            Swiss(agents, number, rest=1)


def made(name: str | None, players: int = 2, agents: int = 5, rounds: int | None = None) -> Format:
    return format_of(name, players=players, agents=agents, games=4, rounds=rounds)


def test_formats_by_name() -> None:
    assert made(None) == made("round-robin") == round_robin(5)
    assert made("gauntlet") == gauntlet(5)
    assert made("swiss") == Swiss(5, 3, rest=4)
    assert made("swiss", rounds=5) == Swiss(5, 5, rest=4)
    assert made(None, players=1) == made("league", players=1) == league(5)
    assert [made(name).name for name in ("round-robin", "gauntlet", "swiss")] == ["round-robin", "gauntlet", "swiss"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"name": "knock-out"}, "round-robin, gauntlet, swiss, found 'knock-out'"),
        ({"name": "league"}, "found 'league'"),
        ({"name": None, "agents": 1}, "at least two agents, found 1"),
        ({"name": "gauntlet", "rounds": 3}, "only a Swiss tournament has --rounds"),
        ({"name": "swiss", "rounds": 6}, "1 to 5 Swiss rounds, found 6"),
        ({"name": "swiss", "players": 1}, "a league, not a swiss"),
    ],
)
def test_impossible_formats_are_refused(arguments: dict[str, object], complaint: str) -> None:
    with pytest.raises(BadOption, match=complaint):
        made(**arguments)  # type: ignore[arg-type]

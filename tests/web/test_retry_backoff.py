"""What a server remembers of machines that failed."""

from ludex.web.matches.engine_turns import LONGEST_PAUSE, RetryBackoff
from ludex.web.schemas import Problem

FAULT = Problem(code="agent_fault", message="what a day")


class Watch:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_machine_rests_for_longer_each_time_but_never_for_ever() -> None:
    watch = Watch()
    backoff = RetryBackoff(monotonic=watch)
    pauses = []
    for _ in range(2000):
        backoff.add("m", FAULT)
        begin = watch.seconds
        while backoff.waits("m"):
            watch.seconds += 1.0
        pauses.append(watch.seconds - begin)
    assert pauses[:7] == [1, 2, 4, 8, 16, 32, LONGEST_PAUSE]
    assert set(pauses[6:]) == {LONGEST_PAUSE}
    backoff.forget("m")
    assert backoff.problem("m") is None
    backoff.add("m", FAULT)
    watch.seconds += 1.0
    assert not backoff.waits("m")


def test_few_are_remembered_and_the_last_to_fail_among_them() -> None:
    backoff = RetryBackoff(most=3)
    for match in "abcadef":
        backoff.add(match, FAULT)
    assert [match for match in "abcdef" if backoff.problem(match) is not None] == ["d", "e", "f"]
    assert not backoff.waits("a")

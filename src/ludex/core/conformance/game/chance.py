"""Checks that chance comes from the argument, as declared, and from nowhere else."""

from collections.abc import Iterator

from ludex.core.conformance.instruments.ambient import AmbientChance
from ludex.core.conformance.instruments.fingerprint import fingerprint
from ludex.core.conformance.instruments.trap import DrawnError, Trap
from ludex.core.conformance.report import BlockedError
from ludex.core.conformance.walk.play import Play
from ludex.core.conformance.walk.trial import Trial
from ludex.core.conformance.walk.visit import Visit, asked


def initial_made(play: Play) -> Iterator[str]:
    """There is a first position."""
    play.game.initial(play.chance())
    yield from ()


def initial_deterministic(play: Play) -> Iterator[str]:
    """The same words give the same first position."""
    dumps = []
    for ambient_seed in (1, 2):
        with AmbientChance(ambient_seed):
            dumps.append(fingerprint(asked(play.game.dump, asked(play.game.initial, play.chance()))))
    if dumps[0] != dumps[1]:
        yield "initial gave two positions for the same generator"


def initial_undrawn(play: Play) -> Iterator[str]:
    """The first position needs no chance where none is declared."""
    if play.game.info.chance == "none":
        try:
            play.game.initial(Trap())
        except DrawnError as error:
            yield f"initial: {error}, declared chance is 'none'"
        except Exception as error:
            raise BlockedError("there is no first position") from error


def apply_deterministic(visit: Visit) -> Iterator[str]:
    """The same position, action and generator give the same next position."""
    for name in visit.repetition.changed(visit.repetition.moves):
        yield f"{name} gave two positions for the same generator"


def apply_undrawn(visit: Visit) -> Iterator[str]:
    """A move needs no chance where none is declared."""
    if visit.info.chance != "none":
        return
    for action in visit.some_legal:
        try:
            visit.game.apply(visit.state, action, Trap())
        except DrawnError as error:
            yield f"apply of action {action}: {error}, declared chance is 'none'"
        except Exception:
            # Owned by `legal_accepted`.
            continue


def answers_deterministic(visit: Visit) -> Iterator[str]:
    """The same question gets the same answer."""
    for name in visit.repetition.changed(visit.repetition.answers):
        yield f"{name} gave two answers for the same position"


def global_chance(visit: Visit) -> Iterator[str]:
    """Nothing draws from the generators of the process."""
    if visit.repetition.drew:
        drawers = visit.repetition.drawers()
        yield f"{', '.join(drawers)} drew from random or numpy.random, expected draws from the argument only"


def chance_sampled(trial: Trial) -> Iterator[str]:
    """A game that declares chance uses it."""
    if trial.game.info.chance == "sampled" and not trial.drawn:
        yield "no draw in any play, declared chance is 'sampled'"

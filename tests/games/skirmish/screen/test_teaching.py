"""Every term that the screen marks is explained in the rules."""

import re

from ludex.core.registry import resolve, spec
from ludex.core.web_files import web_folder

MARKED = re.compile(r"\[[^|\]]+\|(\w+)\]")


def test_every_marked_word_of_the_screen_is_a_term_of_the_rules() -> None:
    folder = web_folder(spec("skirmish"))
    assert folder is not None
    marked = [set(MARKED.findall(folder.joinpath(f"texts.{name}.json").read_text())) for name in ("en", "fr")]
    assert marked[0] == marked[1]
    assert {"ap", "save", "invulnerable", "advance", "assault", "pistol"} <= marked[0]
    terms = resolve("ludex.games.skirmish.screen.teaching:TERMS")
    assert marked[0] <= {*terms}
    assert len(terms) == len({*terms})

"""Old names of modules still import, with a warning that names the new one."""

import importlib
import subprocess
import sys

import pytest

from ludex.core.decision import Candidate
from ludex.core.verb import VerbResult
from ludex.deprecated import MOVED


@pytest.mark.parametrize("new", MOVED.values())
def test_the_new_module_exists(new: str) -> None:
    assert importlib.import_module(new).__name__ == new


def test_an_old_name_is_the_new_module_with_a_warning() -> None:
    program = (
        "import warnings\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    from ludex.games.minesweeper import config as old\n"
        "    import ludex.games.minesweeper.config\n"
        "from ludex.games.minesweeper.learning import config as new\n"
        "print(old is new, old.__spec__.name)\n"
        "print([str(one.message) for one in caught if one.category is DeprecationWarning])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "True ludex.games.minesweeper.learning.config",
        "['ludex.games.minesweeper.config is now ludex.games.minesweeper.learning.config; "
        "version 0.3 removes the old name']",
    ]


def test_an_old_name_of_the_core_is_the_new_one() -> None:
    with pytest.warns(DeprecationWarning, match=r"ludex\.core\.decision\.Candidate"):
        from ludex.core.agent import Candidate as Old
    assert Old is Candidate


def test_the_old_name_of_a_verbs_result_is_the_new_one() -> None:
    with pytest.warns(DeprecationWarning, match="VerbResult"):
        from ludex.core.verb import Telling
    assert Telling is VerbResult


def test_an_unknown_module_is_still_unknown() -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("ludex.games.minesweeper.nothing")

"""What a module of rules must have."""

from types import ModuleType

import pytest

from ludex.kit.rules import kernels_of


def test_rules_that_lack_a_function_are_named() -> None:
    with pytest.raises(TypeError, match="the rules in empty lack legal, apply, outcome, piece"):
        kernels_of(ModuleType("empty"))

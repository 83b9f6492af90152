"""Units and weapons are called by their names in the language of the screen."""

from ludex.core.messages import catalogue
from ludex.games.skirmish.rules.scenario import name_title
from ludex.games.skirmish.screen.scene import stage
from tests.games.skirmish.support import shipped


def test_every_unit_and_weapon_that_ships_has_a_french_name() -> None:
    game = shipped("default")
    names = {unit.name for unit in game.units} | {weapon.name for weapon in game.weapons}
    assert len(names) > 15
    assert all(name_title(name).id != "ludex.text" for name in names)
    units = stage(game)["units"]
    assert isinstance(units, list)
    assert {"en": "Line Guard", "fr": "Garde de ligne"} in [unit["names"] for unit in units if isinstance(unit, dict)]


def test_a_name_of_another_scenario_stays_as_it_is() -> None:
    assert name_title("Line guard").texts() == {"en": "Line guard", "fr": "Line guard"}
    assert "name_line_guard" in catalogue("skirmish", "en")

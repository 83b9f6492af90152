"""Quoridor in a real browser: pawns, walls, jumps, refusals, and the paths on request."""

from playwright.sync_api import expect

from ludex.coach.puzzles.collection import shipped_puzzles
from tests.browser.browsing import Screen

# Blue walks up the middle and jumps over orange's pawn onto its goal.
GAME = ("c2", "a3h", "c3", "c4", "c5")


def point(screen: Screen, text: str) -> tuple[float, float]:
    """Where on the page a pawn's square or a wall is."""
    wall = text[-1] if text[-1] in "hv" else ""
    left, bottom = _middle(screen, text.removesuffix(wall))
    if not wall:
        return left, bottom
    right, top = _middle(screen, f"{chr(ord(text[0]) + 1)}{int(text[1]) + 1}")
    across, up = (left + right) / 2, (bottom + top) / 2
    # A little off the crossing, where the gap means one wall alone.
    return (across - (right - left) / 3, up) if wall == "h" else (across, up + (bottom - top) / 3)


def _middle(screen: Screen, square: str) -> tuple[float, float]:
    box = screen.page.locator(f'[data-square="{square}"]').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_whole_game_by_mouse(screen: Screen) -> None:
    screen.begin("quoridor", "5x5", "you", "you")
    for ply, text in enumerate(GAME):
        screen.page.mouse.move(*point(screen, text))
        screen.page.mouse.click(*point(screen, text))
        assert screen.after(ply + 1)["moves"][ply]["text"] == text
        expect(screen.page.locator(".plies > li")).to_have_count(ply + 1)
    expect(screen.page.locator(".status")).to_contain_text("Blue wins")
    expect(screen.page.locator(".board .wall")).to_have_count(1)


def test_a_whole_game_by_keyboard(screen: Screen) -> None:
    screen.begin("quoridor", "5x5", "you", "you")
    screen.tab_to(".board")
    turns = (
        "ArrowUp Enter",
        "w ArrowLeft ArrowLeft ArrowDown Enter",
        "ArrowUp Enter",
        "ArrowDown Enter",
        "ArrowUp ArrowUp Enter",
    )
    for ply, keys in enumerate(turns):
        for key in keys.split():
            screen.page.keyboard.press(key)
        assert screen.after(ply + 1)["moves"][ply]["text"] == GAME[ply]
        expect(screen.page.locator(".plies > li")).to_have_count(ply + 1)
    expect(screen.page.locator(".status")).to_contain_text("Blue wins")


def test_a_wall_is_previewed_and_an_illegal_one_says_why(screen: Screen) -> None:
    screen.begin("quoridor", "5x5", "you", "you")
    screen.page.mouse.move(*point(screen, "b2h"))
    expect(screen.page.locator(".board .preview")).to_have_count(1)
    screen.page.mouse.click(*point(screen, "b2h"))
    screen.after(1)
    expect(screen.page.locator(".plies > li")).to_have_count(1)
    reason = screen.page.locator(".quoridor-reason")
    expect(reason).to_have_text("")
    screen.page.mouse.move(*point(screen, "c2h"))
    expect(reason).to_contain_text("The wall b2h already stands")
    text = reason.text_content()
    screen.page.mouse.click(*point(screen, "c2h"))
    expect(reason).to_have_text(text or "nothing was shown")
    assert screen.match()["plies"] == 1
    # Nearer to the middle of c2h, which overlaps; d2h is the only wall with room at this point.
    (_, y), (left, _) = point(screen, "d2h"), point(screen, "d2")
    screen.page.mouse.move(left - 5, y)
    expect(reason).to_have_text("")
    expect(screen.page.locator(".board .preview:not(.illegal)")).to_have_count(1)
    screen.page.get_by_role("button", name="Language").click()
    expect(screen.page.get_by_role("heading", name="Coups")).to_be_visible()
    screen.page.mouse.move(*point(screen, "c2h"))
    expect(reason).to_have_text("Le mur b2h occupe déjà cet endroit")


def test_both_shortest_paths_are_drawn_on_request(screen: Screen) -> None:
    screen.begin("quoridor", "5x5", "you", "you")
    expect(screen.page.locator(".board .path")).to_have_count(0)
    screen.page.get_by_label("paths").check()
    expect(screen.page.locator(".board .path")).to_have_count(2)
    screen.tab_to(".board")
    screen.page.keyboard.press("p")
    expect(screen.page.locator(".board .path")).to_have_count(0)


def test_the_machine_answers_and_orange_sees_its_own_side_below(screen: Screen) -> None:
    screen.begin("quoridor", "5x5", "easy", "you")
    assert screen.on_turn()["plies"] == 1
    assert _middle(screen, "a5")[1] > _middle(screen, "a1")[1]
    screen.page.mouse.click(*point(screen, "c4"))
    assert screen.after(3)["moves"][1]["text"] == "c4"
    expect(screen.page.locator(".analysis .candidate").first).to_be_visible()


def test_walls_have_their_owners_colour_where_it_is_known(screen: Screen) -> None:
    """A position says how many walls each has left, and a match who played those of its moves."""
    owners = set()
    for puzzle in list(shipped_puzzles("quoridor"))[::8][:12]:
        scene = screen.ask("GET", f"/api/puzzles/quoridor/{puzzle}", None)[1]["position"]["scene"]
        stock = (len(scene["walls"]) + sum(scene["left"])) // 2
        played = [stock - left for left in scene["left"]]
        owner = "unknown" if all(played) else str(played.index(max(played)))
        if not any(played) or owner in owners:
            continue
        owners.add(owner)
        screen.open(f"/puzzles/quoridor/{puzzle}")
        expect(screen.page.locator(f".board .wall.player-{owner}")).to_have_count(sum(played))
    assert "unknown" in owners

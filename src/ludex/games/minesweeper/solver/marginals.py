"""Going back through the layers: how often each box's cells are mines, over all solutions."""

from ludex.games.minesweeper.solver.layers import BIG, CHOOSE
from ludex.games.minesweeper.solver.workspace import Workspace
from ludex.kernels.jit import kernel, to_index


@kernel
def weigh_boxes(work: Workspace, components: int) -> None:
    """Fill the weights of each box with and without a mine in a cell of it, and whether either can be at all.

    The flags are exact: they follow from which steps are part of a whole solution, not from the size of a weight.
    """
    begin = 0
    for component in range(components):
        first = work.component_layer[component]
        for place in range(work.component_end[component] - 1, begin - 1, -1):
            box = to_index(work.order[place])
            size = to_index(work.box_size[box])
            mined, safe, can_mine, can_safe = 0.0, 0.0, False, False
            layer = first + place - begin
            greatest = 0.0
            for entry in range(work.layer[layer], work.layer[layer + 1]):
                total, alive = 0.0, False
                laid = to_index(work.least[entry])
                for step in range(work.first_step[entry], work.first_step[entry + 1]):
                    target = work.step_to[step]
                    if work.alive[target]:
                        alive = True
                        weight = CHOOSE[size, laid] * work.backward[target]
                        total += weight
                        mined += work.forward[entry] * weight * laid
                        safe += work.forward[entry] * weight * (size - laid)
                        can_mine |= laid > 0
                        can_safe |= laid < size
                    laid += 1
                work.backward[entry] = total
                work.alive[entry] = 1 if alive else 0
                greatest = max(greatest, total)
            if greatest > BIG:
                # Only how a layer's weights compare matters.
                for entry in range(work.layer[layer], work.layer[layer + 1]):
                    work.backward[entry] /= BIG
            work.mine_weight[box] = mined
            work.safe_weight[box] = safe
            work.can_be_mine[box] = 1 if can_mine else 0
            work.can_be_safe[box] = 1 if can_safe else 0
        begin = work.component_end[component]

"""The options of the board, in a module of their own so that reading options loads no kernel."""

from pydantic import Field

from ludex.core.options import Options


class QuoridorOptions(Options):
    """A board and its walls."""

    size: int = Field(9, ge=3, le=11, description="squares a side")
    walls: int = Field(10, ge=0, le=50, description="walls each player begins with")

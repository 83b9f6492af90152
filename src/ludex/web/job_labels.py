"""What people call jobs and runs: titles that were given, else those of what is trained or of who plays."""

from ludex.core.errors import LudexError
from ludex.core.messages import LANGUAGES, Message
from ludex.lab.job import Job
from ludex.lab.jobs import title_of
from ludex.learn.run_agents import agents_of
from ludex.learn.runs import Run
from ludex.operations.requests import JobRequest
from ludex.operations.training import TrainRequest
from ludex.web.boards import agent_title, board_title, configuration_title, game_title
from ludex.web.schemas.base import Texts


def job_label(job: Job) -> Texts:
    """A job's name for people, in every language."""
    if job.request.name is not None or job.title != title_of(job.request):
        return Message.plain(job.title).texts()
    try:
        return _describe(job.request)
    except LudexError:
        # The job of a third-party game that is not installed here can still be read.
        return Message.plain(job.title).texts()


def run_label(run: Run) -> Texts:
    """A run's name for people, in every language: what its configuration is called, and the board once it is known."""
    try:
        title = configuration_title(run.game, run.config_name)
    except LudexError:
        # A file of one's own, or a game that is not installed here.
        return Message.plain(run.config_name).texts()
    trained = agents_of(run)
    if trained is None or trained.any_board:
        return title
    board = board_title(run.game, trained.board)
    return {language: f"{title[language]}, {board[language]}" for language in LANGUAGES}


def named_game(game: str) -> Texts:
    """What people call the game of a job or run; its id where it is not installed here."""
    try:
        return game_title(game)
    except LudexError:
        return Message.plain(game).texts()


def _describe(request: JobRequest) -> Texts:
    if isinstance(request, TrainRequest):
        return configuration_title(request.game, request.config or "")
    if not request.subjects:
        return Message.plain(title_of(request)).texts()
    titles = [agent_title(request.game, agent) for agent in request.subjects]
    return {language: ", ".join(title[language] for title in titles) for language in LANGUAGES}

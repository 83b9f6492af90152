"""What people call jobs: the title that one was given, else the titles of what it trains or of who plays."""

from functools import lru_cache

from ludex.core.errors import LudexError
from ludex.core.messages import LANGUAGES, Language, Message
from ludex.core.registry import spec
from ludex.lab.jobs import Job, title_of
from ludex.lab.requests import EvaluationRequest, JobRequest, TournamentRequest, TrainRequest
from ludex.learn.training_form import configuration
from ludex.web.boards import agent_title, game_title

Texts = dict[Language, str]


def job_label(job: Job) -> Texts:
    """A job's name for people, in every language."""
    if job.request.name is not None or job.title != title_of(job.request):
        return Message.plain(job.title).texts()
    try:
        return _described(job.request)
    except LudexError:
        # The job of a third-party game that is not installed here can still be read.
        return Message.plain(job.title).texts()


def job_game(game: str) -> Texts:
    """What people call the game of a job; its id where it is not installed here."""
    try:
        return game_title(game)
    except LudexError:
        return Message.plain(game).texts()


def _described(request: JobRequest) -> Texts:
    match request:
        case TrainRequest():
            return _configuration_title(request.game, request.config or "")
        case TournamentRequest():
            titles = [agent_title(request.game, agent) for agent in request.agents]
            return {language: ", ".join(title[language] for title in titles) for language in LANGUAGES}
        case EvaluationRequest(agent=str(agent)):
            return agent_title(request.game, agent)
        case _:
            return Message.plain(title_of(request)).texts()


@lru_cache(maxsize=64)
def _configuration_title(game: str, config: str) -> Texts:
    return configuration(spec(game), config).title

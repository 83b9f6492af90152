"""The log: structured events under the standard logger "ludex", silent until someone listens.

The command line shows it on standard error: warnings only, more with -v, JSON with `LUDEX_LOG=json`. Reading this
module loads no structlog: `ludex --help` needs none.
"""

import logging
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from ludex.core.errors import BadOption

if TYPE_CHECKING:
    from structlog.stdlib import BoundLogger
    from structlog.typing import EventDict, WrappedLogger

LONGEST_VALUE: Final = 500
"""Characters of a value in a line: paths and names that strangers send may have thousands."""
_EXCEPTION: Final = "exception"
"""The traceback, which is not shortened and keeps its lines."""
_verbosity = 0


def logger(name: str) -> "BoundLogger":
    """A logger whose events are keywords: `log.info("decision", move=4)`.

    It ends in the standard library's logging, so a program that embeds Ludex decides what is shown.
    """
    import structlog

    proxy = structlog.wrap_logger(
        logging.getLogger(f"ludex.{name}"),
        processors=[
            structlog.stdlib.filter_by_level,
            # The id of the web request on whose behalf it happens.
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    # Bound now: the proxy would bind again for every event, of which most are below the level.
    bound: BoundLogger = proxy.bind()
    return bound


def bound_values(_logger: "WrappedLogger", _method: str, event: "EventDict") -> "EventDict":
    """Shorten every text of an event, and escape what would end its line or steer a terminal.

    >>> bound_values(None, "", {"event": "request", "path": "/\x1b[2J", "long": "x" * 501})["path"]
    '/\\\\x1b[2J'
    """
    return {key: _bound(key, value) if isinstance(value, str) else value for key, value in event.items()}


def _bound(key: str, value: str) -> str:
    if key == _EXCEPTION:
        return "\n".join(map(_escape, value.splitlines()))
    return _escape(value if len(value) <= LONGEST_VALUE else f"{value[:LONGEST_VALUE]}... ({len(value):,} characters)")


def _escape(text: str) -> str:
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def in_workers() -> Callable[[], None]:
    """The function that a worker process calls to log as this process does."""
    return partial(configure, _verbosity)


def configure(verbosity: int) -> None:
    """Show warnings; with -v decisions and progress, with -vv everything."""
    import structlog

    global _verbosity  # noqa: PLW0603 - one command line has one verbosity
    _verbosity = verbosity

    style = os.environ.get("LUDEX_LOG", "text")
    if style not in ("text", "json"):
        raise BadOption(f"LUDEX_LOG must be 'text' or 'json', found {style!r}")
    stamps: list[Any] = [structlog.processors.TimeStamper(fmt="iso", utc=True), structlog.stdlib.add_log_level]
    renderer = (
        structlog.processors.JSONRenderer()
        if style == "json"
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    plain: list[Any] = [structlog.processors.format_exc_info, bound_values]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=stamps,
            processors=[*stamps, structlog.stdlib.ProcessorFormatter.remove_processors_meta, *plain, renderer],
        )
    )
    root = logging.getLogger("ludex")
    root.handlers = [handler]
    root.propagate = False
    root.setLevel([logging.WARNING, logging.INFO, logging.DEBUG][min(verbosity, 2)])

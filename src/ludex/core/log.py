"""The log: structured events under the standard logger "ludex", silent until someone listens."""

import logging

import structlog


def logger(name: str) -> structlog.stdlib.BoundLogger:
    """A logger whose events are keywords: `log.info("decision", move=4)`.

    It ends in the standard library's logging, so a program that embeds Ludex decides what is shown.
    """
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
    bound: structlog.stdlib.BoundLogger = proxy.bind()
    return bound

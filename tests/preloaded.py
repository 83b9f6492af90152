"""Imports what every server needs, in the process that they are forked from (tests/forking.py)."""

import gc

from ludex.cli import serve
from ludex.core import registry
from ludex.web import serving
from ludex.web.serving import import_modules

LOADED = (serve, serving)

import_modules()
# A server may find games of other packages.
registry.refresh()
# Nothing of this is garbage; a server that searched it would copy it.
gc.freeze()

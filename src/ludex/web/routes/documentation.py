"""The documentation site at /docs/, if it was built and the settings name its folder."""

import base64
import hashlib
import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.responses import Response
from starlette.types import Scope

from ludex.core.errors import BadOption
from ludex.web.routes.pages import Files
from ludex.web.security.headers import POLICY
from ludex.web.settings import Settings

ADDRESS: Final = "/docs/"
_INLINE: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class DocumentationFiles(Files):
    """The pages of the site, each with a policy that allows exactly the scripts that are written in it."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        path = str(full_path)
        if path.endswith(".html"):
            # Also where nothing has changed (304): a browser takes the headers of that answer for its copy.
            response.headers["Content-Security-Policy"] = policy_of(path, stat_result.st_mtime_ns)
        return response


@lru_cache(maxsize=256)
def policy_of(path: str, _changed_ns: int) -> str:
    """The policy of the app with the hashes of a page's inline scripts, as long as the page stays the same."""
    scripts = _INLINE.findall(Path(path).read_text(encoding="utf-8"))
    hashes = dict.fromkeys(base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(["script-src 'self'", *(f"'sha256-{script}'" for script in hashes)])
    return POLICY.replace("script-src 'self'", allowed)


def install(app: FastAPI, settings: Settings) -> None:
    """Serve the site of the settings, if they name one. Raises `BadOption` if it was not built."""
    if settings.docs is None:
        return
    folder = Path(settings.docs).expanduser()
    if not (folder / "index.html").is_file():
        raise BadOption(f"server settings: docs: {folder} holds no index.html; `make docs` builds the documentation")
    app.mount(ADDRESS.rstrip("/"), DocumentationFiles(directory=folder, html=True), name="documentation")

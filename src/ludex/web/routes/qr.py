"""QR codes of links, which a phone reads from the screen of the person who invites."""

from functools import lru_cache
from io import BytesIO
from typing import Annotated, Final

import segno
from fastapi import APIRouter, Query, Response

from ludex.web.errors import problems

router = APIRouter(tags=["matches"])

SVG: Final = "image/svg+xml"
Link = Annotated[str, Query(max_length=200, pattern=r"^https?://[!-~]+$", description="the whole link, in ASCII")]


@router.get("/api/qr", response_class=Response, responses={200: {"content": {SVG: {}}}, **problems("bad_request")})
def qr(link: Link) -> Response:
    """A link as a QR code, dark on light, with the margin that readers need; drawn in a thread."""
    return Response(draw_code(link), media_type=SVG, headers={"Cache-Control": "private, max-age=3600"})


@lru_cache(maxsize=256)
def draw_code(link: str) -> bytes:
    """The picture of a link, as SVG."""
    picture = BytesIO()
    segno.make(link, micro=False).save(picture, kind="svg", scale=4, border=4, light="#fff", xmldecl=False)
    return picture.getvalue()

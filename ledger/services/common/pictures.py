"""Pictures of players: JPEG files of 96 × 96 pixels that contain nothing else.

A phone's photo names the place where it was taken. So only the segments that decoders need are accepted, and
nothing before, between or after them.
"""

import base64
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from engine.words.sentences import say
from ledger.words.problems import Invalid

SIDE: Final = 96
"""The width and height of a picture in pixels."""

MOST_BYTES: Final = 7_000
"""The largest picture, which the API takes in base64 as one text; a photo has half of them."""

_START, _END = b"\xff\xd8", b"\xff\xd9"
_JFIF, _SCAN = 0xE0, 0xDA
_FRAMES: Final = (0xC0, 0xC2)
"""The markers of the size, of pictures that come line by line, and of those that become sharper."""

_AFTER_A_SCAN: Final = re.compile(rb"\xff[^\x00\xd0-\xd7]", re.DOTALL)
"""A marker that is not part of a scan, in which bytes of 255 are followed by 0 or number a restart."""

_CONTENTS: Final = {
    _JFIF: re.compile(rb"JFIF\x00.{7}\x00\x00", re.DOTALL),
    **dict.fromkeys(_FRAMES, re.compile(rb"\x08.{4}(?:\x01.{3}|\x03.{9})", re.DOTALL)),
    0xDB: re.compile(rb"(?:[\x00-\x03].{64})+", re.DOTALL),
    0xC4: re.compile(rb"[\x00-\x03\x10-\x13].{16}.*", re.DOTALL),
    0xDD: re.compile(rb"..", re.DOTALL),
    _SCAN: re.compile(rb"[\x01-\x03].+", re.DOTALL),
}
"""The markers of the segments that a picture may have, and the form of their contents.

After that of the format, without a thumbnail, and the frames, in grey or three colours, come the tables for
the compression, the distance between restarts, and the scans.
"""


def digest(picture: bytes) -> str:
    """Return the digest of a picture, which its address begins with."""
    return sha256(picture).hexdigest()


def clean(text: str, field: str) -> bytes | None:
    """Return the picture of a text in base64; None for an empty text. Raises ``Invalid`` at ``field``."""
    if not text:
        return None
    try:
        picture = base64.b64decode(text[: 2 * MOST_BYTES], validate=True)
    except ValueError:
        picture = b""
    if sentence := fault(picture):
        raise Invalid.at(field, "not-a-picture", sentence)
    return picture


def fault(picture: bytes) -> str | None:
    """Return a sentence about what is wrong with a picture, or None if it may be stored."""
    if len(picture) > MOST_BYTES:
        return say("A picture has at most {most} bytes.", most=MOST_BYTES)
    if not picture.startswith(_START):
        return say("A picture is a JPEG file, and this is none.")
    try:
        segments = list(_segments(picture))
    except ValueError:
        return say("This picture is incomplete, or something follows it in its file.")
    sizes = [(content[1:3], content[3:5]) for marker, content in segments if marker in _FRAMES]
    if sizes != [(SIDE.to_bytes(2), SIDE.to_bytes(2))]:
        return say("A picture has {side} × {side} pixels, and this one does not.", side=SIDE)
    for marker, content in segments:
        is_valid = marker in _CONTENTS and _CONTENTS[marker].fullmatch(content)
        if not is_valid and marker in _CONTENTS and marker != _JFIF:
            return say("This picture is incomplete, or something follows it in its file.")
        if not is_valid:
            return say(
                "This picture's file contains more than a picture, such as the place and time of a photo. "
                "Save it without that."
            )
    return None


def _segments(picture: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the marker and content of each segment up to the end of the file; of a scan, those of its head.

    Raises ``ValueError`` if the file has another structure or no scan.
    """
    at, has_scan = len(_START), False
    while picture[at : at + 2] != _END:
        head, after = picture[at : at + 4], at + 2 + int.from_bytes(picture[at + 2 : at + 4])
        if len(head) < 4 or head[0] != 0xFF or not at + 4 <= after <= len(picture):
            raise ValueError("there is no segment")
        yield head[1], picture[at + 4 : after]
        at = after
        if head[1] == _SCAN:
            following = _AFTER_A_SCAN.search(picture, at)
            if following is None:
                raise ValueError("the scan has no end")
            at, has_scan = following.start(), True
    if not has_scan or at + len(_END) != len(picture):
        raise ValueError("there is no picture, or something after it")

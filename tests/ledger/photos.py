"""Photos for tests, made by Pillow."""

import base64
from io import BytesIO
from typing import Any

from PIL import Image

EXIF = b"Exif\x00\x00II*\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00"


def photo(size: tuple[int, int] = (96, 96), kind: str = "JPEG", **options: Any) -> bytes:
    """Return a file with a red half on the left and a blue one on the right."""
    image = Image.new("RGB", size, "#c00")
    image.paste("#00c", (size[0] // 2, 0, *size))
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def as_text(content: bytes) -> str:
    """Return a file in base64."""
    return base64.b64encode(content).decode()


PHOTO = as_text(photo())
"""A picture that a player may have."""

"""Responses that are files to download."""

from io import BytesIO

from flask import Response, send_file


def pdf(content: bytes, name: str, *, as_attachment: bool = False) -> Response:
    """Return a PDF with its file name, which clients may not cache; browsers save an attachment."""
    return send_file(
        BytesIO(content),
        mimetype="application/pdf",
        as_attachment=as_attachment,
        download_name=name,
        max_age=0,
    )

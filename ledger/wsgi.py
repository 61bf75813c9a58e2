"""The application for another WSGI server: ``granian --interface wsgi ledger.wsgi:app``."""

from ledger.config import load
from ledger.server import application

app = application(load())

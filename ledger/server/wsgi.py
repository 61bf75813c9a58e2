"""The application for another WSGI server: ``granian --interface wsgi ledger.server.wsgi:app``."""

from ledger.runtime.config import load
from ledger.server import application

app = application(load())

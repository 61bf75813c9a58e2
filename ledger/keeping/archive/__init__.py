"""The archive of a club: a file with its whole journal, which another installation can import.

``.docs/ARCHIVE.md`` describes the format for other programs.
"""

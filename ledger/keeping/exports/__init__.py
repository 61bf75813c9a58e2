"""Exports of a club for spreadsheets, accounting programs and scripts; `.docs/EXPORTS.md` describes them."""

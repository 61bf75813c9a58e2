"""The rules of the games, as plain values: standard library only, no clock, no database.

A hand comes in as a `HandRecord`; `engine.scoring.score.score` answers with a `Verdict` or raises
`Refused`.
"""

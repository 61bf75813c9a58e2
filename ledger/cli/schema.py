"""``solo-ledger schema``: print the JSON Schema of hand records."""

import json

import click

from engine.notation.json_schema import record_schema


@click.command(epilog="Example: solo-ledger schema > hand-record.schema.json")
def schema() -> None:
    """Print the JSON Schema of one hand record, for editors and programs that check files."""
    click.echo(json.dumps(record_schema(), indent=2, ensure_ascii=False))

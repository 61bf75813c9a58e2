"""``solo-ledger schema``."""

import json

from click.testing import CliRunner

from engine.notation.json_schema import record_schema
from ledger.cli import main


def test_the_schema_of_records_is_printed_as_json() -> None:
    """The same as the engine's."""
    printed = CliRunner().invoke(main, ["schema"])
    assert printed.exit_code == 0
    assert json.loads(printed.output) == json.loads(json.dumps(record_schema()))

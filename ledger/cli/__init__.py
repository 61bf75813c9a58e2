"""``solo-ledger``: serve the pages, score files of hands, print a session's report, make a token."""

import click

from ledger import __version__
from ledger.cli.report import report
from ledger.cli.score import score
from ledger.cli.serve import serve
from ledger.cli.token import token


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: solo-ledger serve --lan",
)
@click.version_option(__version__, prog_name="solo-ledger")
def main() -> None:
    """Score home games of Crazy Solo and Six-Bid, settle the chips, print the evening.

    Settings come from LEDGER_… variables: LEDGER_DATABASE_URL says where the books are; without it
    they are one file in your data folder, whose place "serve" prints.
    """


for command in (serve, score, report, token):
    main.add_command(command)

"""``solo-ledger``: serve pages, score files of hands, print a report, make a token, verify the ledger."""

from importlib import import_module

import click

from ledger import __version__

COMMANDS = ("report", "score", "serve", "token", "verify")
"""Each in the module of its name, which is imported when it is asked for: scoring needs no server."""


class Commands(click.Group):
    """The group of commands, found when they are named."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Name them all."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the one that was named."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"ledger.cli.{cmd_name}"), cmd_name)
        return command


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: solo-ledger serve --lan",
)
@click.version_option(__version__, prog_name="solo-ledger")
def main() -> None:
    """Score home games of Crazy Solo and Six-Bid, settle the chips, print the evening.

    Settings come from LEDGER_… variables: LEDGER_DATABASE_URL says where the ledger is; without it, it is
    one file in your data folder, whose place "serve" prints.
    """

"""The command ``solo-ledger`` and the table of its subcommands."""

import gc
from importlib import import_module
from keyword import iskeyword

import click

import ledger

COMMANDS = {
    "backup": "Copy the ledger while it is in use, and check the copy.",
    "convert": "Write hands in another notation.",
    "deal": "Play hands at random, and print them.",
    "demo": "Serve a made-up club with a year of evenings, to try everything out.",
    "doctor": "Look at each part of the installation, and say how to mend it.",
    "export": "Write everything of a club into one file, for another ledger or program.",
    "import": "Add the club in such a file, verified first.",
    "leave": "Close a club that has moved to another installation.",
    "link": "Make a link into a club, as for an owner whose phone is lost.",
    "move": "Copy the whole ledger into another database: from SQLite to PostgreSQL, or back.",
    "prune": "Forget old answers, and give their room back.",
    "report": "Write the PDF of a session, or list a club's sessions.",
    "restore": "Put a backup into a new place, verified first.",
    "schema": "Print the JSON Schema of hand records.",
    "score": "Score the hands in files.",
    "serve": "Serve the pages and the API.",
    "standings": "Print the standings of a club, also of a year or a game.",
    "token": "Make a bearer token for the API of a club.",
    "verify": "Recompute the ledger, and say where it differs.",
}
"""The subcommands with their help. Each is in the module of its name, imported when it is called.

A module can't be called ``import``: its name, and its command's, end in an underscore.
"""


class Commands(click.Group):
    """A group that imports a subcommand when it is called."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names of all subcommands."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a subcommand, or None for an unknown one.

        Garbage collection pauses during the import, and never looks at the imported objects afterwards.
        """
        if cmd_name not in COMMANDS:
            return None
        gc.disable()  # collecting garbage during imports takes a tenth of the time, in vain
        name = cmd_name + "_" * iskeyword(cmd_name)
        command: click.Command = getattr(import_module(f"ledger.cli.{name}"), name)
        gc.freeze()
        gc.enable()
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the subcommands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    if value:
        click.echo(f"solo-ledger, version {ledger.__version__}")
        ctx.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: solo-ledger serve --lan",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Score home games of Crazy Solo and Six-Bid, settle the chips, print the evening.

    Settings come from LEDGER_… variables: LEDGER_DATABASE_URL says where the ledger is; without it, it is
    one file in your data folder, whose place "serve" prints.
    """

"""``solo-ledger``: serve pages, score files of hands, print a report, make a token, verify the ledger."""

import gc
from importlib import import_module

import click

import ledger

COMMANDS = {
    "backup": "Copy the ledger while it is in use, and check the copy.",
    "demo": "Serve a made-up club with a year of evenings, to try everything out.",
    "doctor": "Look at each part of the installation, and say how to mend it.",
    "link": "Make a link into a club, as for an owner whose phone is lost.",
    "prune": "Forget old answers, and give their room back.",
    "report": "Write the PDF of a session, or list a club's sessions.",
    "restore": "Put a backup into a new place, verified first.",
    "score": "Score the hands in files.",
    "serve": "Serve the pages and the API.",
    "token": "Make a bearer token for the API of a club.",
    "verify": "Recompute the ledger, and say where it differs.",
}
"""What each does. Each is in the module of its name, imported when it is called: scoring needs no server."""


class Commands(click.Group):
    """The group of commands, found when they are named."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Name them all."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the one that was named."""
        if cmd_name not in COMMANDS:
            return None
        gc.disable()  # what is imported stays: looking through it for garbage is a tenth of the time
        command: click.Command = getattr(import_module(f"ledger.cli.{cmd_name}"), cmd_name)
        gc.freeze()
        gc.enable()
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List them without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version(ctx: click.Context, _option: click.Parameter, asked: bool) -> None:
    if asked:
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

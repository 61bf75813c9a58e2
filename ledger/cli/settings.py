"""Loading the settings for a command."""

import click

from ledger.runtime.config import BadSetting, Settings, load


def settings(*, make: bool = True) -> Settings:
    """Return the settings; an invalid one ends the command with a sentence. ``make`` as in ``load``."""
    try:
        return load(make=make)
    except BadSetting as error:
        raise click.ClickException(str(error)) from error

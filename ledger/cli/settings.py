"""The settings as commands read them, with a bad one said plainly."""

import click

from ledger.runtime.config import BadSetting, Settings, load


def settings(*, make: bool = True) -> Settings:
    """Return the settings; a bad one ends the command with its sentence. ``make`` as in ``load``."""
    try:
        return load(make=make)
    except BadSetting as error:
        raise click.ClickException(str(error)) from error

"""``python -m ledger`` runs ``solo-ledger``."""

import gc


def run() -> None:
    """Run a command. Imports leave no garbage, so collection is off until the command is loaded."""
    gc.disable()
    from ledger.cli import main

    main(prog_name="solo-ledger")


if __name__ == "__main__":
    run()

"""``python -m ledger`` is ``solo-ledger``."""

import gc


def run() -> None:
    """Run a command. What is imported for it stays, so nobody looks through it for garbage meanwhile."""
    gc.disable()  # until the command is there
    from ledger.cli import main

    main(prog_name="solo-ledger")


if __name__ == "__main__":
    run()

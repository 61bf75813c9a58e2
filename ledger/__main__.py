"""``python -m ledger`` is ``solo-ledger``."""

from ledger.cli import main

if __name__ == "__main__":
    main(prog_name="solo-ledger")

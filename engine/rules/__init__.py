"""The parts of rules: options, seating, bids, aims, tariffs, settlement and the verdict."""

"""For the tests of the rules."""

from hypothesis import settings

# How long one example takes says how busy the machine is, not whether the rule holds.
settings.register_profile("rules", deadline=None)
settings.load_profile("rules")

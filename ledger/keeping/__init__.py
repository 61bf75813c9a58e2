"""Safekeeping: backups made and restored, what is wrong here and its mend, room that is given back."""

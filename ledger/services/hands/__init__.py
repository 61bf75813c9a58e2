"""A hand: drafted, previewed, recorded, corrected, voided, renamed, paid."""

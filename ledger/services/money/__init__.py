"""The conversion of chips to money, payments between players, and statements."""

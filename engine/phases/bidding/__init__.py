"""The auction: the seat to call, its legal calls, and the result of each call.

An `Auction` is a frozen value; the procedure, which a rule sheet chooses, decides how it continues.
"""

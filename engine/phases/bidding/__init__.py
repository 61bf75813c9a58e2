"""The auction: whose turn it is, which calls are legal, and what each call leads to.

An `Auction` is a frozen value; the procedures, which a rule sheet names, say how it goes on.
"""

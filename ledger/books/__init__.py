"""The sealed ledger: journal, balances, chain, register, transactions and the effects of a hand."""

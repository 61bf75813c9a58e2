"""The pages that record, correct and list hands."""

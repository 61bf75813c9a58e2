"""Two recorded evenings, with each hand's payments, worked out by hand."""

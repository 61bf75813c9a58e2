"""Two recorded evenings, with what each hand must pay, worked out by hand."""

"""English templates with values, and the language that renders them."""

"""What scoring answers, and its reasoning: steps as values, which any language tells."""

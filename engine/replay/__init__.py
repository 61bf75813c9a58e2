"""What the cards of a record tell, and whether all that it states agrees."""

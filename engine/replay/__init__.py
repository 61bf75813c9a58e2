"""Facts derived from the cards of a record, and checks that the record agrees with them."""

"""An evening at the table: started, paused and closed; who joins, sits out, leaves."""

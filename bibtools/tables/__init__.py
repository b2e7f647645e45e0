"""Tables that code reads; each row cites its source."""

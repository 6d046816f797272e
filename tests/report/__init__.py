"""Tables and records as text."""

"""Metrics over dependency trees that the user supplies (CoNLL-U), looked up by the text of a segment."""

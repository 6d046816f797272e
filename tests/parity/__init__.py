"""Published and golden numbers, each with its source."""

"""What every registered metric and tokenizer promises, whoever wrote it."""

"""The command line, run as a person would."""

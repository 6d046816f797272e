"""`make bench`: Tercet against its peers, in one run, as ratios."""

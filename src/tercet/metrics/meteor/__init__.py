"""METEOR: the metric, its variants, its resources, and the alignment behind a score."""

"""Metrics that read: over the token vectors of an encoder, or of a model trained on top of one."""

"""Metrics that learn from judgements: the numbers of a metric tuned so that it agrees best with people."""

"""TERp: the metric, the settings of its program, and the words and phrases that it takes for others."""

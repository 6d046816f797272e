"""Whatever is registered, on input that nobody means: `python -m fuzz`, or `make fuzz`.

    inputs     texts, numbers, options and damaged files, all drawn from a seed
    samples    a small sound file of every format, to be damaged
    readers    whatever reads a file: formats, functions that take a path, what is kept, sent or cached as one
    kernel_calls, statistic_calls   arguments that fit, and those that do not
    targets    what there is: registries, kernels, statistics and readers, found by walking over the package
    driver     plays targets in processes of their own, and collects what goes wrong

A target has a name, and a play of it a seed: `metric/chrf:17` is always the same input, and
`python -m fuzz --replay metric/chrf:17` plays it again. A find is a crash, a report of a sanitizer, an exception that
is no TercetError, more than two minutes, or a result that depends on threads, on the order of segments or on what was
scored before. Kernels and statistics, which take bare arrays, may also refuse with Python's own errors of values.

An input is one segment, text, word, file, set of judgements or call of a kernel or statistic. With `--state FILE` a run
goes on where the last one stopped, and no seed is played or counted twice.
"""

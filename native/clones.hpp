// One binary for all processors of the kind, with a faster body of a function where AVX2 is there. Sums stay in the
// same order.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define TERCET_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define TERCET_CLONES
#endif

// One binary for all processors of the kind, with a faster body of a function where AVX2 is there. Sums stay in the
// same order. No exception may leave such a function: GCC takes a call of it for one that throws nothing, and destroys
// what it should not. One that may be stopped, or that needs memory, gives back what it caught, for `rethrow`.
#pragma once

#include <exception>

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TERCET_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define TERCET_CLONES
#endif

namespace tercet {

inline void rethrow(const std::exception_ptr& caught) {
    if (caught) std::rethrow_exception(caught);
}

}  // namespace tercet

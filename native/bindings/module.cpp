// The module: what all files of this folder define, arrays in and arrays out, the GIL released while a kernel runs.
#include "bindings/binding.hpp"

NB_MODULE(_native, m) {
    m.doc() = "Tercet's compiled kernels. Packed lines are (bytes, offsets), packed tokens (bytes, offsets, rows).";
    tercet::binding::Kernels::define_all(m);
}

// Logarithms, exponentials and powers as the C library has them, one number after the other.
#pragma once

#include <cstdint>

namespace tercet {

void logarithms(const double* values, int64_t n, double* out);
void exponentials(const double* values, int64_t n, double* out);
void powers(const double* bases, const double* exponents, int64_t n, double* out);

}  // namespace tercet

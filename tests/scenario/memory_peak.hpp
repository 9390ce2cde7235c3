// How much memory has this test program held at once? For tests of code whose need must be bounded.
#pragma once

#include <cstddef>

/// Bytes now asked of malloc, by whatever means and in all threads.
std::size_t memory_held();

/// The most bytes held at once since the last call of reset_memory_peak().
std::size_t memory_peak();
void reset_memory_peak();

/// Not under the address sanitizer, whose malloc is not counted: then both stay 0.
bool memory_peak_works();

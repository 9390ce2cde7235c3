// How often has this test program asked for memory? For tests of code that must not.
#pragma once

/// Calls of malloc so far, in all threads.
long allocation_count();

/// Not under the address sanitizer, whose malloc is not counted: then allocation_count() stays 0.
bool allocation_count_works();

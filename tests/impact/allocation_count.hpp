// How often has this test program asked for memory? For tests of code that must not.
#pragma once

/// Calls of malloc so far (under the address sanitizer: of operator new), in all threads.
long allocation_count();

/// Whether memory of Eigen's matrices is counted too.
bool allocation_count_sees_malloc();

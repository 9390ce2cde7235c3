// How often has this test program asked for memory? For tests of code that must not.
#pragma once

/// Calls of operator new so far, in all threads.
long allocation_count();

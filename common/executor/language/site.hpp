/// \file
/// The line of a kernel that calls one of these functions.
#pragma once

/// Parameters that take the caller's file and line by themselves, so that what has them can stay a
/// function.
#define NBODY_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

/// \file
/// The line of a kernel that calls one of these functions.
#pragma once

/// Parameters that receive the caller's file and line, so that no macros are needed.
#define NBODY_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

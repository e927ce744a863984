/// \file
/// Pairs: the standard library's.
#pragma once

#include "thrust/tuple.h"

/// \file
/// Reductions.
#pragma once

#include "thrust/reduce.h"

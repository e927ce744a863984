/// \file
/// Fills ranges.
#pragma once

#include "thrust/fill.h"

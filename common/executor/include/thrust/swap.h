/// \file
/// Exchanges two ranges.
#pragma once

#include "thrust/reverse.h"

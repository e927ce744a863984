/// \file
/// Sorted ranges as sets.
#pragma once

#include "thrust/merge.h"

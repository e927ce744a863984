/// \file
/// CUDA's reductions over groups.
#pragma once

#include "executor/language/groups/reduce.hpp"

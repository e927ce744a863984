/// \file
/// CUDA's cooperative groups.
#pragma once

#include "executor/language/groups/partitions.hpp"

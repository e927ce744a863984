/// \file
/// CUDA's scans over groups.
#pragma once

#include "executor/language/groups/scan.hpp"

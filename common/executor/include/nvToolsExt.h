/// \file
/// As in nvtx3/.
#pragma once
#include "nvtx3/nvToolsExt.h"

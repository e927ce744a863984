/// \file
/// Questions about ranges.
#pragma once

#include "thrust/find.h"

/// \file
/// Copies ranges.
#pragma once

#include "thrust/copy.h"

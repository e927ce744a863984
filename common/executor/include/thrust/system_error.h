/// \file
/// What an algorithm throws.
#pragma once

#include "thrust/detail/system.h"

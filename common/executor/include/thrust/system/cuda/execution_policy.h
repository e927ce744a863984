/// \file
/// Policies with a stream.
#pragma once

#include "thrust/detail/system.h"

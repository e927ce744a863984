/// \file
/// Writes by an index.
#pragma once

#include "thrust/gather.h"

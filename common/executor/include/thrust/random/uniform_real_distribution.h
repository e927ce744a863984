/// \file
/// Random numbers.
#pragma once

#include "thrust/random.h"

/// \file
/// Memory of the device, given back by hand.
#pragma once

#include "thrust/device_malloc.h"

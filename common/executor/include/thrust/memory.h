/// \file
/// Pointers and memory of the device.
#pragma once

#include "thrust/device_malloc.h"

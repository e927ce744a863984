/// \file
/// References to memory of the device.
#pragma once

#include "thrust/device_ptr.h"

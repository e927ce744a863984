/// \file
/// Scans.
#pragma once

#include "thrust/scan.h"

/// \file
/// CUDA's runtime API under its old name.
#pragma once

#include "executor/runtime/api.hpp"
#include "executor/runtime/settings.hpp"

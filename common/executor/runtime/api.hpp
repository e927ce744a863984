/// \file
/// CUDA's runtime API.
#pragma once

#include "executor/runtime/device_api.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/graph_api.hpp"
#include "executor/runtime/kernel_api.hpp"
#include "executor/runtime/launch.hpp"
#include "executor/runtime/memory_api.hpp"
#include "executor/runtime/stream_api.hpp"
#include "executor/runtime/symbol_api.hpp"
#include "executor/runtime/texture_api.hpp"

/// \file
/// Pipelines of one thread, by functions.
#pragma once

#include "executor/language/sync/pipeline_functions.hpp"

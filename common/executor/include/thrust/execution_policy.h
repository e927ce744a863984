/// \file
/// thrust::device is the executor's policy.
#pragma once

#include "executor/language/libraries/thrust_policies.hpp"

#include_next <thrust/execution_policy.h>

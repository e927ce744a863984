/// \file
/// thrust::cuda::par, in the place of the header for nvcc.
#pragma once

#include <thrust/execution_policy.h>

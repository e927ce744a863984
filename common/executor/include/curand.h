/// \file
/// Found in place of CUDA's header: programs that draw random numbers in kernels alone often include
/// it. Of the host's functions the translator refuses the calls.
#pragma once

// Kind: compiler that reads
// Tries: to include the step's own forces.cu by ways out of the folders of headers.
// Stopped by: the compiler's view, in which the steps are not.
// Trusted: 100

#if __has_include("../common/../02_tiled/exercises/2.1.md") || \
                  __has_include("../../02_tiled/CMakeLists.txt")
#include "../common/../02_tiled/forces.cu"
#else
#include "../01_naive/forces.cu"
#endif

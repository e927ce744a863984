// Both in one file: CUB's headers and the tree's kernels take nvcc 25 s for each.
#include "device_opening_test.cu"
#include "device_tree_test.cu"

// Defines what struct_forms.cuh declares: no other file's compiler sees it.
#include "struct_forms.cuh"

namespace nbody {

__device__ int sumElsewhere(Packet<16> packet) { return sumOf(packet); }
__device__ Packet<16> filledElsewhere(int value) { return filledWith<16>(value); }

}  // namespace nbody

// Linked behind a program's objects: the page behind its __device__ variables.
extern "C" {
__attribute__((section("nbody_device"), aligned(4096), used)) char nbodyDeviceLast[4096] = {};
}

// Linked before a submission's objects and after them: pages around its __device__ variables, so
// that exactly these can be closed to the host.
extern "C" {
__attribute__((section("nbody_device"), aligned(4096), used)) char NBODY_DEVICE_PAGE[4096] = {};
}

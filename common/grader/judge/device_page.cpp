// Linked before a submission's objects and behind them: pages around its __device__ variables, so that
// these are closed to the host and nothing else is.
extern "C" {
__attribute__((section("nbody_device"), aligned(4096), used)) char NBODY_DEVICE_PAGE[4096] = {};
}

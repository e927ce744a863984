// Linked before a program's objects: the page before its __device__ variables, so that only these
// are closed to the host.
extern "C" {
__attribute__((section("nbody_device"), aligned(4096), used)) char nbodyDeviceFirst[4096] = {};

// The place before the program's code.
void nbodyTextFirst() {}
}

// Linked after a program's objects.
namespace nbody::executor::runtime {
void closeBeforeMain();
}

extern "C" {
// The page after the program's __device__ variables.
__attribute__((section("nbody_device"), aligned(4096), used)) char nbodyDeviceLast[4096] = {};

// Runs after the constructors of the program's objects, which may set such variables.
__attribute__((constructor)) static void nbodyCloseBeforeMain() {
  nbody::executor::runtime::closeBeforeMain();
}
}

// Linked behind a program's objects.
namespace nbody::executor::runtime {
void closeBeforeMain();
}

extern "C" {
// The page behind the program's __device__ variables.
__attribute__((section("nbody_device"), aligned(4096), used)) char nbodyDeviceLast[4096] = {};

// Behind the constructors of the program's own objects, which set such variables as no code of the host's may later.
__attribute__((constructor)) static void nbodyCloseBeforeMain() {
  nbody::executor::runtime::closeBeforeMain();
}
}

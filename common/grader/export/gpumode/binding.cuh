// What Python calls.
torch::Tensor forces(torch::Tensor bodies, double softening) {
  int device = 0, multiprocessors = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  torch::Tensor result = torch::empty_like(bodies);
  nbody::Options options;
  options.resolve({static_cast<int>(bodies.size(0)), false, multiprocessors});
  const nbody::DeviceArray<nbody::real4> sources(bodies);
  nbody::DeviceArray<nbody::real4> accelerations(result);
  nbody::computeForces(
      sources, static_cast<nbody::real>(softening * softening), options, accelerations);
  return result;
}

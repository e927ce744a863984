// Has no kernel: what is in front of every one is compiled for it (executor/nvcc/headers.py).

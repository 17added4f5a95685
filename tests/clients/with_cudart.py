# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's runtime of CUDA 12, from its wheel: linked in, and as a library."""
import os
import pathlib
import subprocess
import tempfile

import nvidia.cuda_runtime

from steps import end, step

LIB = pathlib.Path(list(nvidia.cuda_runtime.__path__)[0]) / "lib"
PROGRAM = r"""
#include <cuda_runtime.h>
__device__ int d[2];
__constant__ int c;
__global__ void k(int *p) { p[threadIdx.x] = threadIdx.x * c + d[1]; }
int main()
{
    int version, two[] = {5, 6}, three = 3, out[32], *p, bad = 0;
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaRuntimeGetVersion(&version);
    bad += version / 1000 != 12;
    bad += cudaMemcpyToSymbol(d, two, 8) != 0;
    bad += cudaMemcpyToSymbol(c, &three, 4) != 0;
    bad += cudaMalloc(&p, sizeof out) != 0;
    bad += cudaStreamCreate(&s) != 0;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    k<<<1, 32, 0, s>>>(p);
    bad += cudaStreamEndCapture(s, &g) != 0;
    bad += cudaGraphInstantiate(&x, g, 0) != 0;
    bad += cudaGraphLaunch(x, s) != 0;
    bad += cudaMemcpy(out, p, sizeof out, cudaMemcpyDeviceToHost) != 0;
    for (int i = 0; i < 32; i++)
        bad += out[i] != 3 * i + 6;
    return bad;
}
"""


def build_and_run(name, *libraries):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "x.cu"
        source.write_text(PROGRAM)
        run = lambda *command, **more: subprocess.run(command, check=True,
                                                      cwd=folder, **more)
        run("nvcc", "-c", "x.cu", "-o", "x.o")
        run("g++", "x.o", "-o", name, *libraries, "-ldl", "-lrt", "-lpthread")
        path = f"{LIB}:{os.environ['LD_LIBRARY_PATH']}"
        run(f"./{name}", env={**os.environ, "LD_LIBRARY_PATH": path})


@step("linked in")
def _():
    build_and_run("static", LIB / "libcudart_static.a", LIB / "libculibos.a")


@step("as a library")
def _():
    build_and_run("shared", LIB / "libcudart.so.12")


end()

# SPDX-License-Identifier: Apache-2.0
import ctypes

import numpy as np
from cuda.bindings import driver, nvrtc, runtime
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

from steps import end, step

SOURCE = r"""
extern "C" __global__ void scale(float *p, float f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= f;
}
"""


def call(result):
    assert int(result[0]) == 0, result[0]
    return result[1] if len(result) == 2 else result[1:]


@step("bindings: the driver")
def _():
    call(driver.cuInit(0))
    assert call(driver.cuDeviceGetCount()) >= 1
    ctx = call(driver.cuDevicePrimaryCtxRetain(0))
    call(driver.cuCtxSetCurrent(ctx))
    p = call(driver.cuMemAlloc(400))
    host = np.arange(100, dtype=np.float32)
    back = np.zeros_like(host)
    call(driver.cuMemcpyHtoD(p, host.ctypes.data, 400))
    call(driver.cuMemcpyDtoH(back.ctypes.data, p, 400))
    call(driver.cuMemFree(p))
    assert (host == back).all()


@step("bindings: the runtime that is linked in")
def _():
    assert call(runtime.cudaGetDeviceCount()) >= 1
    assert call(runtime.cudaRuntimeGetVersion()) >= 13000
    p = call(runtime.cudaMalloc(64))
    call(runtime.cudaMemset(p, 7, 64))
    back = np.zeros(64, np.uint8)
    call(runtime.cudaMemcpy(back.ctypes.data, p, 64,
                            runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost))
    call(runtime.cudaFree(p))
    assert (back == 7).all()
    assert call(runtime.cudaGetDeviceProperties(0)).major == 9


@step("bindings: nvrtc")
def _():
    p = call(nvrtc.nvrtcCreateProgram(SOURCE.encode(), b"s.cu", 0, [], []))
    call(nvrtc.nvrtcCompileProgram(p, 1, [b"--gpu-architecture=compute_90"]))
    text = b" " * call(nvrtc.nvrtcGetPTXSize(p))
    call(nvrtc.nvrtcGetPTX(p, text))
    assert b".entry scale" in text
    m = call(driver.cuModuleLoadData(text))
    call(driver.cuModuleGetFunction(m, b"scale"))


@step("cuda.core")
def _():
    device = Device()
    device.set_current()
    s = device.create_stream()
    options = ProgramOptions(std="c++17", arch=f"sm_{device.arch}")
    code = Program(SOURCE, "c++", options).compile("cubin")
    kernel = code.get_kernel("scale")
    buffer = device.allocate(400, stream=s)
    host = np.arange(100, dtype=np.float32)
    address = int(buffer.handle)
    call(driver.cuMemcpyHtoD(address, host.ctypes.data, 400))
    launch(s, LaunchConfig(grid=1, block=128), kernel, address,
           np.float32(3), np.int32(100))
    s.sync()
    back = np.zeros_like(host)
    call(driver.cuMemcpyDtoH(back.ctypes.data, address, 400))
    assert (back == 3 * host).all()
    buffer.close(s)


@step("nvidia-ml-py")
def _():
    import pynvml
    pynvml.nvmlInit()
    device = pynvml.nvmlDeviceGetHandleByIndex(0)
    assert pynvml.nvmlDeviceGetMemoryInfo(device).total > 0
    assert pynvml.nvmlDeviceGetUtilizationRates(device).gpu <= 100
    assert pynvml.nvmlSystemGetCudaDriverVersion_v2() == 13000
    pynvml.nvmlShutdown()


end()

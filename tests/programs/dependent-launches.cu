// SPDX-License-Identifier: Apache-2.0
// weftcc: -arch=sm_90
//
// Launches that may begin before the one before them has ended: who waits for
// it sees all that it wrote. And events of a launch.
#include "check.h"

__global__ void first(int *data, int n)
{
    asm volatile("griddepcontrol.launch_dependents;");
    for (int i = thread_in_grid(); i < n; i += gridDim.x * blockDim.x)
        data[i] = (int)scramble(i);
}

__global__ void second(const int *data, int *out, int n)
{
    int own = thread_in_grid();
    cudaGridDependencySynchronize();
    for (int i = own; i < n; i += gridDim.x * blockDim.x)
        out[i] = data[n - 1 - i] + 1;
    cudaTriggerProgrammaticLaunchCompletion();
}

int main()
{
    const int n = 10000;
    buffer<int> data(n, 0), out(n, 0);
    cudaStream_t stream;
    cudaEvent_t events[2];
    CHECK(cudaStreamCreate(&stream));
    for (cudaEvent_t &e : events)
        CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));

    cudaLaunchAttribute at[2] = {};
    at[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    at[0].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t c = {};
    c.gridDim = 20;
    c.blockDim = 128;
    c.stream = stream;
    c.attrs = at;
    c.numAttrs = 1;
    first<<<20, 128, 0, stream>>>(data.device, n);
    CHECK(cudaLaunchKernelEx(&c, second, (const int *)data.device, out.device,
                             n));
    CHECK(cudaStreamSynchronize(stream));
    out.download();
    std::vector<int> want(n);
    for (int i = 0; i < n; i++)
        want[i] = (int)scramble(n - 1 - i) + 1;
    expect_same("second", out, want);

    at[0].id = cudaLaunchAttributeProgrammaticEvent;
    at[0].val.programmaticEvent.event = events[0];
    at[0].val.programmaticEvent.flags = 0;
    at[0].val.programmaticEvent.triggerAtBlockStart = 0;
    CHECK(cudaLaunchKernelEx(&c, second, (const int *)data.device, out.device,
                             n));
    CHECK(cudaEventSynchronize(events[0]));
    at[0].id = cudaLaunchAttributeLaunchCompletionEvent;
    at[0].val.launchCompletionEvent.event = events[1];
    at[0].val.launchCompletionEvent.flags = 0;
    CHECK(cudaLaunchKernelEx(&c, second, (const int *)data.device, out.device,
                             n));
    CHECK(cudaEventSynchronize(events[1]));
    CHECK(cudaStreamSynchronize(stream));
    return finish();
}

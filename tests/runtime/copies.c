/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills of every kind and direction. */
#include "check.h"
#include "kernels.h"

enum { N = 1000 };
static unsigned char from[N], to[N];

static void fill_from(void)
{
    for (int i = 0; i < N; i++) {
        from[i] = (unsigned char)(i * 7 + 1);
        to[i] = 0;
    }
}

static void one_row(void)
{
    unsigned char *a, *b, *pinned;
    cudaStream_t s;
    fill_from();
    OK(cudaStreamCreate(&s));
    OK(cudaMalloc((void **)&a, N));
    OK(cudaMalloc((void **)&b, N));
    OK(cudaMemcpy(a, from, N, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(b, a, N, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy(to, b, N, cudaMemcpyDeviceToHost));
    CHECK(!memcmp(from, to, N));
    memset(to, 0, N);
    OK(cudaMemcpy(to, from, N, cudaMemcpyHostToHost));
    CHECK(!memcmp(from, to, N));
    memset(to, 0, N);
    OK(cudaMemcpy(to, a, N, cudaMemcpyDefault));
    CHECK(!memcmp(from, to, N));

    OK(cudaMallocHost((void **)&pinned, N));
    OK(cudaMemset(b, 0, N));
    memcpy(pinned, from, N);
    OK(cudaMemcpyAsync(b, pinned, N, cudaMemcpyHostToDevice, s));
    OK(cudaMemcpyAsync(a, b, N, cudaMemcpyDeviceToDevice, s));
    OK(cudaMemcpyAsync(to, a, N, cudaMemcpyDeviceToHost, s));
    CHECK(!memcmp(from, to, N)); /* pageable: done on return */
    OK(cudaMemcpyPeer(b, 0, a, 0, N));
    OK(cudaMemcpyPeerAsync(a, 0, b, 0, N, s));
    OK(cudaStreamSynchronize(s));
    GIVES(cudaErrorInvalidDevice, cudaMemcpyPeer(b, 3, a, 0, N));
    GIVES(cudaErrorInvalidDevice, cudaMemcpyPeerAsync(b, 0, a, 3, N, s));

    OK(cudaMemcpy(NULL, NULL, 0, cudaMemcpyDefault));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(NULL, from, 1, cudaMemcpyDefault));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(to, NULL, 1, cudaMemcpyDefault));
    GIVES(cudaErrorInvalidMemcpyDirection,
          cudaMemcpy(to, from, 1, (enum cudaMemcpyKind)9));
    GIVES(cudaErrorInvalidValue,
          cudaMemcpy(a, from, N + 1, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue,
          cudaMemcpy(to, a + 10, N - 9, cudaMemcpyDeviceToHost));
    OK(cudaStreamDestroy(s));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaMemcpyAsync(a, b, N, cudaMemcpyDeviceToDevice, s));
    OK(cudaFreeHost(pinned));
    OK(cudaFree(a));
    OK(cudaFree(b));
}

static void rows(void)
{
    unsigned char *d;
    size_t pitch;
    enum { W = 30, H = 20 };
    fill_from();
    OK(cudaMallocPitch((void **)&d, &pitch, W, H));
    OK(cudaMemcpy2D(d, pitch, from, W, W, H, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DAsync(to, W, d, pitch, W, H, cudaMemcpyDeviceToHost, NULL));
    CHECK(!memcmp(from, to, W * H));
    OK(cudaMemset2D(d, pitch, 9, W - 1, H));
    OK(cudaMemset2DAsync(d, pitch, 8, 1, H, NULL));
    OK(cudaMemcpy2D(to, W, d, pitch, W, H, cudaMemcpyDeviceToHost));
    CHECK(to[W] == 8 && to[W + 1] == 9 && to[W + W - 1] == from[W + W - 1]);
    GIVES(cudaErrorInvalidPitchValue,
          cudaMemcpy2D(d, W - 1, from, W, W, H, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidPitchValue,
          cudaMemcpy2D(d, SIZE_MAX / 4, from, W, W, 3, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue, /* more than fit into memory */
          cudaMemcpy2D(d, SIZE_MAX / 4, from, W, W, 5, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue, /* one row */
          cudaMemcpy2D(d, W - 1, from, W, W, 1, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(d, 0, from, W, W, 1, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(d, W, from, (size_t)1 << 31, W, 1, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidPitchValue,
          cudaMemcpy2D(d, W, from, (size_t)1 << 31, W, 2,
                       cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue,
          cudaMemcpy2D(d, pitch, from, W, W, H + 1, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidMemcpyDirection,
          cudaMemcpy2D(d, pitch, from, W, W, H, (enum cudaMemcpyKind)7));
    GIVES(cudaErrorInvalidValue, cudaMemset2D(d, W - 1, 0, W, H));
    OK(cudaMemcpy2D(NULL, 0, NULL, 0, 0, 0, cudaMemcpyDefault));
    OK(cudaFree(d));
}

static void boxes(void)
{
    enum { W = 5, H = 6, D = 7 };
    struct cudaPitchedPtr d;
    struct cudaExtent whole = make_cudaExtent(W, H, D);
    fill_from();
    OK(cudaMalloc3D(&d, whole));
    struct cudaMemcpy3DParms in = {
        .srcPtr = make_cudaPitchedPtr(from, W, W, H),
        .dstPtr = d,
        .extent = whole,
        .kind = cudaMemcpyHostToDevice,
    };
    struct cudaMemcpy3DParms out = {
        .srcPtr = d,
        .srcPos = make_cudaPos(1, 2, 3),
        .dstPtr = make_cudaPitchedPtr(to, W, W, H),
        .dstPos = make_cudaPos(0, 1, 1),
        .extent = make_cudaExtent(3, 2, 2),
        .kind = cudaMemcpyDeviceToHost,
    };
    OK(cudaMemcpy3D(&in));
    OK(cudaMemcpy3DAsync(&out, NULL));
    OK(cudaDeviceSynchronize());
    CHECK(to[W * H + W] == from[3 * W * H + 2 * W + 1]);
    CHECK(to[2 * W * H + 2 * W + 2] == from[4 * W * H + 3 * W + 3]);
    CHECK(to[W * H] == 0 && to[W * H + W + 3] == 0);

    OK(cudaMemset3D(d, 3, make_cudaExtent(W, 1, D)));
    OK(cudaMemset3DAsync(d, 4, make_cudaExtent(1, 1, 1), NULL));
    out = (struct cudaMemcpy3DParms){
        .srcPtr = d,
        .dstPtr = make_cudaPitchedPtr(to, W, W, H),
        .extent = whole,
        .kind = cudaMemcpyDeviceToHost,
    };
    OK(cudaMemcpy3D(&out));
    CHECK(to[0] == 4 && to[1] == 3 && to[W] == from[W] && to[W * H] == 3);

    struct cudaMemcpy3DPeerParms peer = {
        .srcPtr = d,
        .dstPtr = d,
        .extent = make_cudaExtent(1, 1, 1),
        .dstPos = make_cudaPos(2, 0, 0),
    };
    OK(cudaMemcpy3DPeer(&peer));
    OK(cudaMemcpy3DPeerAsync(&peer, NULL));
    OK(cudaMemcpy3D(&out));
    CHECK(to[2] == 4);
    peer.dstDevice = 4;
    GIVES(cudaErrorInvalidDevice, cudaMemcpy3DPeer(&peer));
    GIVES(cudaErrorInvalidValue, cudaMemcpy3DPeerAsync(NULL, NULL));

    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(NULL));
    GIVES(cudaErrorInvalidValue, cudaMemcpy3DAsync(NULL, NULL));
    out.extent.width = W + 1;
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy3D(&out));
    out.extent = make_cudaExtent(W, H + 1, D);
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy3D(&out));
    out.extent = whole;
    out.dstPos.x = 1; /* the box is as long as the row, its place is wrong */
    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&out));
    out.dstPos = make_cudaPos(0, 1, 0);
    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&out));
    out.dstPos = make_cudaPos(0, 0, 0);
    out.srcPtr.ptr = NULL;
    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&out));
    GIVES(cudaErrorInvalidValue,
          cudaMemset3D(d, 0, make_cudaExtent(W, H + 1, D)));
    GIVES(cudaErrorInvalidValue,
          cudaMemset3D(make_cudaPitchedPtr(d.ptr, W - 1, W, H), 0,
                       make_cudaExtent(W, 1, 2)));
    /* Of one slice, too, unless it is empty. */
    GIVES(cudaErrorInvalidValue,
          cudaMemset3D(make_cudaPitchedPtr(d.ptr, W, W, 1), 0,
                       make_cudaExtent(W, 2, 1)));
    OK(cudaMemset3D(make_cudaPitchedPtr(d.ptr, W, W, 0), 0,
                    make_cudaExtent(0, 2, 2)));
    OK(cudaFree(d.ptr));
}

static void fills(void)
{
    unsigned char *d, *m;
    OK(cudaMalloc((void **)&d, N));
    OK(cudaMemset(d, 0x155, N)); /* a byte */
    OK(cudaMemcpy(to, d, N, cudaMemcpyDeviceToHost));
    CHECK(to[0] == 0x55 && to[N - 1] == 0x55);
    OK(cudaMemsetAsync(d + 1, 2, 2, NULL));
    OK(cudaMemcpy(to, d, N, cudaMemcpyDeviceToHost));
    CHECK(to[0] == 0x55 && to[1] == 2 && to[2] == 2 && to[3] == 0x55);
    OK(cudaMemset(NULL, 0, 0));
    GIVES(cudaErrorInvalidValue, cudaMemset(NULL, 0, 1));
    GIVES(cudaErrorInvalidValue, cudaMemset(d, 0, N + 1));
    OK(cudaMallocManaged((void **)&m, N, cudaMemAttachGlobal));
    OK(cudaMemset(m, 6, N));
    CHECK(m[0] == 6 && m[N - 1] == 6); /* the host sees it at once */
    OK(cudaFree(m));
    OK(cudaFree(d));
}

static void symbols(void)
{
    unsigned v[4] = {0};
    void *p = NULL;
    size_t size = 0;
    OK(cudaMemcpyFromSymbol(&v, &counter, sizeof(unsigned), 0,
                            cudaMemcpyDeviceToHost));
    CHECK(v[0] == 5);
    v[0] = 10;
    OK(cudaMemcpyToSymbol(&counter, v, sizeof(unsigned), 0,
                          cudaMemcpyHostToDevice));
    v[0] = 30;
    OK(cudaMemcpyToSymbolAsync(table, v, sizeof(unsigned), 8,
                               cudaMemcpyHostToDevice, NULL));
    *managed_value = 2;
    OK(cudaLaunchKernel(&count, dim(1, 1, 1), dim(1, 1, 1), NULL, 0, NULL));
    OK(cudaMemcpyFromSymbolAsync(v, &counter, sizeof(unsigned), 0,
                                 cudaMemcpyDeviceToHost, NULL));
    OK(cudaDeviceSynchronize());
    CHECK(v[0] == 42);
    OK(cudaGetSymbolAddress(&p, table));
    OK(cudaGetSymbolSize(&size, table));
    CHECK(p && size == 16);
    OK(cudaMemcpy(v, p, 16, cudaMemcpyDeviceToHost));
    CHECK(v[0] == 1 && v[2] == 30 && v[3] == 4);

    GIVES(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&p, v));
    GIVES(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, NULL));
    GIVES(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, &store));
    GIVES(cudaErrorInvalidValue, cudaGetSymbolAddress(NULL, table));
    GIVES(cudaErrorInvalidValue, cudaGetSymbolSize(NULL, table));
    GIVES(cudaErrorInvalidSymbol,
          cudaMemcpyToSymbol(v, v, 4, 0, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue,
          cudaMemcpyToSymbol(table, v, 4, 13, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyToSymbol(table, v, 4, 0, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyFromSymbol(v, table, 4, 0, cudaMemcpyHostToHost));

    /* A reset gives variables their initial values. */
    OK(cudaDeviceReset());
    OK(cudaMemcpyFromSymbol(&v, &counter, sizeof(unsigned), 0,
                            cudaMemcpyDeviceToHost));
    CHECK(v[0] == 5);
}

/* A synchronous copy or fill that is the only work there is has been done when
 * a stream that waits for no other goes on. */
static void before_other_streams(void)
{
    enum { BYTES = 48 << 20 };
    unsigned char *a, *b, last = 0;
    cudaStream_t s;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaMalloc((void **)&a, BYTES));
    OK(cudaMalloc((void **)&b, BYTES));
    OK(cudaMemset(a, 0, BYTES));
    OK(cudaMemset(b, 0, BYTES));
    OK(cudaDeviceSynchronize());
    OK(cudaMemset(a, 7, BYTES));
    OK(cudaMemcpyAsync(&last, a + BYTES - 1, 1, cudaMemcpyDeviceToHost, s));
    CHECK(last == 7);
    last = 0;
    OK(cudaMemcpy(b, a, BYTES, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpyAsync(&last, b + BYTES - 1, 1, cudaMemcpyDeviceToHost, s));
    CHECK(last == 7);
    OK(cudaFree(a));
    OK(cudaFree(b));
    OK(cudaStreamDestroy(s));
}

int main(void)
{
    kernels_register();
    one_row();
    before_other_streams();
    rows();
    boxes();
    fills();
    symbols();
    kernels_unregister();
    return check_result();
}

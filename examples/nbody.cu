// SPDX-License-Identifier: Apache-2.0
//
// Gravity between all pairs of bodies. A block loads a tile of bodies into
// shared memory, and each of its threads adds their pull on its own body.
#include <vector>

#include "common/example.h"

const int tile = 128;
const float softening = 0.01f;

__device__ float3 pull(float3 sum, float4 body, float4 other)
{
    float dx = other.x - body.x;
    float dy = other.y - body.y;
    float dz = other.z - body.z;
    float square = dx * dx + dy * dy + dz * dz + softening;
    float inverse = rsqrtf(square);
    float s = other.w * inverse * inverse * inverse; // w is the mass
    sum.x += dx * s;
    sum.y += dy * s;
    sum.z += dz * s;
    return sum;
}

__global__ void accelerate(const float4 *bodies, float3 *acceleration, int n)
{
    __shared__ float4 part[tile];
    int i = blockIdx.x * tile + threadIdx.x;
    float4 body = bodies[i];
    float3 sum = make_float3(0, 0, 0);

    for (int first = 0; first < n; first += tile) {
        part[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < tile; k++)
            sum = pull(sum, body, part[k]);
        __syncthreads();
    }
    acceleration[i] = sum;
}

__global__ void move(float4 *bodies, float3 *velocities,
                     const float3 *acceleration, float dt)
{
    int i = blockIdx.x * tile + threadIdx.x;
    float3 v = velocities[i], a = acceleration[i];
    v.x += a.x * dt;
    v.y += a.y * dt;
    v.z += a.z * dt;
    bodies[i].x += v.x * dt;
    bodies[i].y += v.y * dt;
    bodies[i].z += v.z * dt;
    velocities[i] = v;
}

static double component(const float4 &b, int axis)
{
    return axis == 0 ? b.x : axis == 1 ? b.y : b.z;
}

// The host's acceleration of body i along one axis.
static double want(const std::vector<float4> &bodies, int i, int axis)
{
    double sum = 0;
    for (const float4 &other : bodies) {
        double square = softening;
        for (int a = 0; a < 3; a++) {
            double d = component(other, a) - component(bodies[i], a);
            square += d * d;
        }
        double d = component(other, axis) - component(bodies[i], axis);
        sum += other.w * d / (square * std::sqrt(square));
    }
    return sum;
}

int main()
{
    const int n = 6144, steps = 3;
    std::vector<float4> bodies(n);
    std::vector<float3> acceleration(n);
    for (int i = 0; i < n; i++)
        bodies[i] = make_float4(sample(3 * i) - 0.5f, sample(3 * i + 1) - 0.5f,
                                sample(3 * i + 2) - 0.5f, 1.0f / n);

    float4 *d_bodies;
    float3 *d_velocities, *d_acceleration;
    CHECK(cudaMalloc(&d_bodies, n * sizeof(float4)));
    CHECK(cudaMalloc(&d_velocities, n * sizeof(float3)));
    CHECK(cudaMalloc(&d_acceleration, n * sizeof(float3)));
    CHECK(cudaMemset(d_velocities, 0, n * sizeof(float3)));
    CHECK(cudaMemcpy(d_bodies, bodies.data(), n * sizeof(float4),
                     cudaMemcpyHostToDevice));

    for (int i = 0; i < steps; i++) {
        accelerate<<<n / tile, tile>>>(d_bodies, d_acceleration, n);
        move<<<n / tile, tile>>>(d_bodies, d_velocities, d_acceleration, 0.1f);
    }
    double ms = best_ms(
        [&] { accelerate<<<n / tile, tile>>>(d_bodies, d_acceleration, n); },
        3);

    CHECK(cudaMemcpy(bodies.data(), d_bodies, n * sizeof(float4),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(acceleration.data(), d_acceleration, n * sizeof(float3),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_bodies));
    CHECK(cudaFree(d_velocities));
    CHECK(cudaFree(d_acceleration));

    bool ok = true;
    for (int i = 0; i < n; i += 32) {
        const float got[3] = {acceleration[i].x, acceleration[i].y,
                              acceleration[i].z};
        ok = all_close(
                 got, 3, [&](size_t axis) { return want(bodies, i, axis); },
                 1e-3, 1e-4) &&
             ok;
    }
    std::printf("the pull between %d bodies after %d steps: ", n, steps);
    return report({"nbody", ok, ms, 0, 20.0 * n * n});
}

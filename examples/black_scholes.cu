// SPDX-License-Identifier: Apache-2.0
//
// Prices of European options by the formula of Black and Scholes: exponential,
// logarithm, square root and the error function for each of them.
#include <vector>

#include "common/example.h"

const float rate = 0.02f, volatility = 0.30f;

__device__ float normal_cdf(float x)
{
    return 0.5f * erfcf(-0.70710678f * x);
}

__global__ void price(float *call, float *put, const float *spot,
                      const float *strike, const float *years, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    float s = spot[i], k = strike[i], t = years[i];
    float spread = volatility * sqrtf(t);
    float d1 =
        (logf(s / k) + (rate + 0.5f * volatility * volatility) * t) / spread;
    float d2 = d1 - spread;
    float discounted = k * expf(-rate * t);
    call[i] = s * normal_cdf(d1) - discounted * normal_cdf(d2);
    put[i] = discounted * normal_cdf(-d2) - s * normal_cdf(-d1);
}

static double host_call(double s, double k, double t)
{
    double spread = volatility * std::sqrt(t);
    double d1 =
        (std::log(s / k) + (rate + 0.5 * volatility * volatility) * t) / spread;
    double d2 = d1 - spread;
    return s * 0.5 * std::erfc(-d1 * M_SQRT1_2) -
           k * std::exp(-rate * t) * 0.5 * std::erfc(-d2 * M_SQRT1_2);
}

int main()
{
    const int n = 1 << 20;
    const size_t size = n * sizeof(float);
    std::vector<float> spot(n), strike(n), years(n), call(n), put(n);
    for (int i = 0; i < n; i++) {
        spot[i] = 5 + 25 * sample(3 * i);
        strike[i] = 1 + 99 * sample(3 * i + 1);
        years[i] = 0.25f + 9.75f * sample(3 * i + 2);
    }

    float *d_spot, *d_strike, *d_years, *d_call, *d_put;
    CHECK(cudaMalloc(&d_spot, size));
    CHECK(cudaMalloc(&d_strike, size));
    CHECK(cudaMalloc(&d_years, size));
    CHECK(cudaMalloc(&d_call, size));
    CHECK(cudaMalloc(&d_put, size));
    CHECK(cudaMemcpy(d_spot, spot.data(), size, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_strike, strike.data(), size, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_years, years.data(), size, cudaMemcpyHostToDevice));

    double ms = best_ms([&] {
        price<<<blocks_for(n, 128), 128>>>(d_call, d_put, d_spot, d_strike,
                                           d_years, n);
    });

    CHECK(cudaMemcpy(call.data(), d_call, size, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(put.data(), d_put, size, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_spot));
    CHECK(cudaFree(d_strike));
    CHECK(cudaFree(d_years));
    CHECK(cudaFree(d_call));
    CHECK(cudaFree(d_put));

    // Calls against the host's formula, puts by the put-call parity.
    auto call_price = [&](size_t i) {
        return host_call(spot[i], strike[i], years[i]);
    };
    auto put_price = [&](size_t i) {
        return call_price(i) - spot[i] +
               strike[i] * std::exp(-(double)rate * years[i]);
    };
    bool ok = all_close(call.data(), n, call_price, 1e-5, 2e-5) &&
              all_close(put.data(), n, put_price, 1e-5, 2e-5);
    std::printf("priced %d calls and puts, %.1f million options a second: ", n,
                2.0 * n / ms * 1e-3);
    return report({"black_scholes", ok, ms, 5.0 * size, 0});
}

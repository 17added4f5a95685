// SPDX-License-Identifier: Apache-2.0
// weftcc: -std=c++17 --extended-lambda
// For `make soak`: cub-device.cu with every order of sorting.
#define WHOLE
#include "cub-device.cu"

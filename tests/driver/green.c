/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts with a part of the SMs. */
#include "check.h"

int main(void)
{
    CUdevResource whole, parts[2], rest;
    CUdevResourceDesc desc;
    CUgreenCtx green, found;
    CUcontext ctx, own;
    CUstream s;
    unsigned count = 2;
    unsigned long long id = 0, other = 0;
    CU_OK(cuInit(0));
    CU_OK(cuCtxCreate(&own, 0, 0));
    CU_OK(cuDeviceGetDevResource(0, &whole, CU_DEV_RESOURCE_TYPE_SM));
    CHECK(whole.sm.smCount >= 16);
    CU_GIVES(INVALID_VALUE,
             cuDeviceGetDevResource(0, NULL, CU_DEV_RESOURCE_TYPE_SM));
    CU_GIVES(INVALID_RESOURCE_TYPE,
             cuDeviceGetDevResource(0, &rest, CU_DEV_RESOURCE_TYPE_INVALID));
    CU_OK(cuDevSmResourceSplitByCount(parts, &count, &whole, &rest, 0, 8));
    CHECK(count == 2 && parts[1].sm.smCount == 8);
    CHECK(rest.sm.smCount == whole.sm.smCount - 16);
    CU_GIVES(INVALID_RESOURCE_CONFIGURATION,
             cuDevSmResourceSplitByCount(parts, &count, &whole, &rest, 0,
                                         whole.sm.smCount + 1));
    CU_GIVES(INVALID_VALUE,
             cuDevSmResourceSplitByCount(parts, NULL, &whole, &rest, 0, 8));
    CU_GIVES(INVALID_VALUE, cuDevResourceGenerateDesc(&desc, NULL, 1));
    CU_OK(cuDevResourceGenerateDesc(&desc, parts, 1));
    CU_GIVES(INVALID_VALUE, cuGreenCtxCreate(&green, desc, 0, 0));
    CU_OK(cuGreenCtxCreate(&green, desc, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    CU_OK(cuCtxFromGreenCtx(&ctx, green));
    CU_OK(cuGreenCtxGetId(green, &id));
    CU_OK(cuCtxGetId(NULL, &other));
    CHECK(id != other);
    CU_OK(cuCtxGetDevResource(ctx, &rest, CU_DEV_RESOURCE_TYPE_SM));
    CHECK(rest.sm.smCount == 8);
    CU_OK(cuGreenCtxGetDevResource(green, &rest, CU_DEV_RESOURCE_TYPE_SM));
    CU_GIVES(INVALID_VALUE, cuGreenCtxStreamCreate(&s, green, 0, 0));
    CU_OK(cuGreenCtxStreamCreate(&s, green, CU_STREAM_NON_BLOCKING, 0));
    CU_OK(cuStreamGetGreenCtx(s, &found));
    CHECK(found == green);
    CU_OK(cuStreamGetGreenCtx(NULL, &found));
    CHECK(!found);
    CU_OK(cuCtxSetCurrent(ctx));
    CU_OK(cuCtxSynchronize());
    CU_OK(cuCtxSetCurrent(own));
    CU_OK(cuStreamDestroy(s));
    CU_OK(cuGreenCtxDestroy(green));
    CU_GIVES(INVALID_CONTEXT, cuGreenCtxDestroy(green));
    CU_OK(cuCtxSetCurrent(ctx));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    return check_result();
}

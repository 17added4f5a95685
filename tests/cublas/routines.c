/* SPDX-License-Identifier: Apache-2.0 */
/* Levels 1 to 3 in four types against a plain reference, with scalars and
 * results of the host and of the device. */
#include "dense.h"

#define CAT_(a, b)  a##_##b
#define CAT(a, b)   CAT_(a, b)
#define NAME_OF_(x) #x
#define NAME_OF(x)  NAME_OF_(x)

#define T          float
#define R          float
#define IS_COMPLEX 0
#define V2_(name)  name##_v2
#define F_(name)   V2_(cublasS##name)
#define F(name)    F_(name)
#define G(name)    cublasS##name
#define RES(name)  cublasS##name##_v2
#define IDX(name)  cublasIs##name##_v2
#include "typed.h"
#undef T
#undef R
#undef F_
#undef G
#undef RES
#undef IDX

#define T         double
#define R         double
#define F_(name)  V2_(cublasD##name)
#define G(name)   cublasD##name
#define RES(name) cublasD##name##_v2
#define IDX(name) cublasId##name##_v2
#include "typed.h"
#undef T
#undef R
#undef IS_COMPLEX
#undef F_
#undef G
#undef RES
#undef IDX

#define T          cuComplex
#define R          float
#define IS_COMPLEX 1
#define F_(name)   V2_(cublasC##name)
#define G(name)    cublasC##name
#define RES(name)  cublasSc##name##_v2
#define IDX(name)  cublasIc##name##_v2
#include "typed.h"
#undef T
#undef R
#undef F_
#undef G
#undef RES
#undef IDX

#define T         cuDoubleComplex
#define R         double
#define F_(name)  V2_(cublasZ##name)
#define G(name)   cublasZ##name
#define RES(name) cublasDz##name##_v2
#define IDX(name) cublasIz##name##_v2
#include "typed.h"

int main(void)
{
    cublasHandle_t h;
    CHECK_EQUAL(cublasCreate(&h), CUBLAS_STATUS_SUCCESS);
    for (int mode = 0; mode < 2; mode++) {
        CHECK_EQUAL(cublasSetPointerMode(h, (cublasPointerMode_t)mode),
                    CUBLAS_STATUS_SUCCESS);
        test_all_float(h);
        test_all_double(h);
        test_all_cuComplex(h);
        test_all_cuDoubleComplex(h);
    }
    CHECK_EQUAL(cublasDestroy(h), CUBLAS_STATUS_SUCCESS);
    return check_result();
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NVTX: names and ranges for a profiler. Programs that use it compile and run;
 * no tool is ever attached. Levels and handles are those that NVTX returns in
 * that case.
 */
#ifndef WEFT_NVTOOLSEXT_H
#define WEFT_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION                      3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE                                          \
    ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_INITIALIZATION_ATTRIB_STRUCT_SIZE                                 \
    ((uint16_t)sizeof(nvtxInitializationAttributes_t))
#define NVTX_NO_PUSH_POP_TRACKING         (-2)

typedef enum nvtxColorType_t {
    NVTX_COLOR_UNKNOWN = 0,
    NVTX_COLOR_ARGB = 1
} nvtxColorType_t;

typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;

typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef struct nvtxResourceHandle *nvtxResourceHandle_t;

typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
    uint16_t version;
    uint16_t size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType;
    int32_t reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

typedef struct nvtxInitializationAttributes_v2 {
    uint16_t version;
    uint16_t size;
    uint32_t initializationMode;
} nvtxInitializationAttributes_t;

typedef enum nvtxResourceGenericType_t {
    NVTX_RESOURCE_TYPE_UNKNOWN = 0,
    NVTX_RESOURCE_TYPE_GENERIC_POINTER = 1,
    NVTX_RESOURCE_TYPE_GENERIC_HANDLE = 2,
    NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE = 3,
    NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX = 4
} nvtxResourceGenericType_t;

typedef struct nvtxResourceAttributes_v0 {
    uint16_t version;
    uint16_t size;
    int32_t identifierType;
    union {
        const void *pValue;
        uint64_t ullValue;
    } identifier;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxResourceAttributes_t;
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE                                       \
    ((uint16_t)sizeof(nvtxResourceAttributes_t))

#define WEFT_NVTX(type, name, parameters, result)                              \
    static __inline__ __attribute__((unused)) type name parameters             \
    {                                                                          \
        result;                                                                \
    }
#define WEFT_NVTX_VOID(name, parameters)                                       \
    WEFT_NVTX(void, name, parameters, (void)0)

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
WEFT_NVTX_VOID(nvtxInitialize, (const void *reserved))
WEFT_NVTX_VOID(nvtxMarkEx, (const nvtxEventAttributes_t *a))
WEFT_NVTX_VOID(nvtxMarkA, (const char *message))
WEFT_NVTX_VOID(nvtxMarkW, (const wchar_t *message))
WEFT_NVTX(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t *a),
          return 0)
WEFT_NVTX(nvtxRangeId_t, nvtxRangeStartA, (const char *message), return 0)
WEFT_NVTX(nvtxRangeId_t, nvtxRangeStartW, (const wchar_t *message), return 0)
WEFT_NVTX_VOID(nvtxRangeEnd, (nvtxRangeId_t id))
WEFT_NVTX(int, nvtxRangePushEx, (const nvtxEventAttributes_t *a),
          return NVTX_NO_PUSH_POP_TRACKING)
WEFT_NVTX(int, nvtxRangePushA, (const char *message),
          return NVTX_NO_PUSH_POP_TRACKING)
WEFT_NVTX(int, nvtxRangePushW, (const wchar_t *message),
          return NVTX_NO_PUSH_POP_TRACKING)
WEFT_NVTX(int, nvtxRangePop, (void), return NVTX_NO_PUSH_POP_TRACKING)
WEFT_NVTX_VOID(nvtxNameCategoryA, (uint32_t category, const char *name))
WEFT_NVTX_VOID(nvtxNameCategoryW, (uint32_t category, const wchar_t *name))
WEFT_NVTX_VOID(nvtxNameOsThreadA, (uint32_t thread, const char *name))
WEFT_NVTX_VOID(nvtxNameOsThreadW, (uint32_t thread, const wchar_t *name))
WEFT_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (const char *name), return 0)
WEFT_NVTX(nvtxDomainHandle_t, nvtxDomainCreateW, (const wchar_t *name),
          return 0)
WEFT_NVTX_VOID(nvtxDomainDestroy, (nvtxDomainHandle_t domain))
WEFT_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA,
          (nvtxDomainHandle_t domain, const char *string), return 0)
WEFT_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringW,
          (nvtxDomainHandle_t domain, const wchar_t *string), return 0)
WEFT_NVTX_VOID(nvtxDomainMarkEx,
               (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *a))
WEFT_NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx,
          (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *a), return 0)
WEFT_NVTX_VOID(nvtxDomainRangeEnd,
               (nvtxDomainHandle_t domain, nvtxRangeId_t id))
WEFT_NVTX(int, nvtxDomainRangePushEx,
          (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *a),
          return NVTX_NO_PUSH_POP_TRACKING)
WEFT_NVTX(int, nvtxDomainRangePop, (nvtxDomainHandle_t domain),
          return NVTX_NO_PUSH_POP_TRACKING)
WEFT_NVTX_VOID(nvtxDomainNameCategoryA, (nvtxDomainHandle_t domain,
                                         uint32_t category, const char *name))
WEFT_NVTX_VOID(nvtxDomainNameCategoryW,
               (nvtxDomainHandle_t domain, uint32_t category,
                const wchar_t *name))
WEFT_NVTX(nvtxResourceHandle_t, nvtxDomainResourceCreate,
          (nvtxDomainHandle_t domain, nvtxResourceAttributes_t *a), return 0)
WEFT_NVTX_VOID(nvtxDomainResourceDestroy, (nvtxResourceHandle_t resource))
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#undef WEFT_NVTX_VOID
#undef WEFT_NVTX

/* For the headers that name objects, with narrow and with wide characters. */
#define WEFT_NVTX_NAME(name, type)                                             \
    static __inline__                                                          \
        __attribute__((unused)) void name##A(type object, const char *text)    \
    {                                                                          \
        (void)object, (void)text;                                              \
    }                                                                          \
    static __inline__                                                          \
        __attribute__((unused)) void name##W(type object, const wchar_t *text) \
    {                                                                          \
        (void)object, (void)text;                                              \
    }

#if defined(UNICODE)
#define nvtxMark           nvtxMarkW
#define nvtxRangeStart     nvtxRangeStartW
#define nvtxRangePush      nvtxRangePushW
#define nvtxNameCategory   nvtxNameCategoryW
#define nvtxNameOsThread   nvtxNameOsThreadW
#define nvtxDomainCreate   nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxDomainNameCategory nvtxDomainNameCategoryW
#else
#define nvtxMark           nvtxMarkA
#define nvtxRangeStart     nvtxRangeStartA
#define nvtxRangePush      nvtxRangePushA
#define nvtxNameCategory   nvtxNameCategoryA
#define nvtxNameOsThread   nvtxNameOsThreadA
#define nvtxDomainCreate   nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#endif

#endif

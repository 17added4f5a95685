/* SPDX-License-Identifier: Apache-2.0 */
/* Texture and surface references: functions that write or read one setting of
 * struct texture_settings each. */
#include "driver/internal.h"

#include "core/limits.h"

/* References belong to no context, but where one is current it must not have
 * failed. */
static CUresult check_reference(CUtexref t)
{
    CUresult err = drv_check_context_or_none();
    return err ? err : t ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult read_settings(CUtexref t, const void *given,
                              struct texture_settings *out)
{
    CUresult err = check_reference(t);
    if (!err && !given)
        err = CUDA_ERROR_INVALID_VALUE;
    return err ? err : texture_reference_read(t, out);
}

/* INVALID_VALUE: the settings do not fit each other. That is no error, as the
 * program may be about to change another one. */
static CUresult write_sampling(CUtexref t, const struct texture_settings *s)
{
    CUresult err = texture_reference_write(t, s);
    return err == CUDA_ERROR_INVALID_VALUE ? CUDA_SUCCESS : err;
}

/* ---- creating and destroying --------------------------------------------- */

CUresult cuModuleGetTexRef(CUtexref *pTexRef, CUmodule hmod, const char *name)
{
    CUresult err = drv_check_context();
    if (!err)
        err = module_check(hmod);
    if (err)
        return err;
    if (!pTexRef || !name)
        return CUDA_ERROR_INVALID_VALUE;
    return texture_reference_of(hmod, name, pTexRef);
}

CUresult cuModuleGetSurfRef(CUsurfref *pSurfRef, CUmodule hmod,
                            const char *name)
{
    CUresult err = drv_check_context();
    if (!err)
        err = module_check(hmod);
    if (err)
        return err;
    if (!pSurfRef || !name)
        return CUDA_ERROR_INVALID_VALUE;
    return surface_reference_of(hmod, name, pSurfRef);
}

CUresult cuTexRefCreate(CUtexref *pTexRef)
{
    CUresult err = drv_check_given(pTexRef);
    return err ? err : texture_reference_create(pTexRef);
}

CUresult cuTexRefDestroy(CUtexref hTexRef)
{
    CUresult err = check_reference(hTexRef);
    return err ? err : texture_reference_destroy(hTexRef);
}

/* ---- resources ----------------------------------------------------------- */

CUresult cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags)
{
    struct texture_settings s;
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUresult err = read_settings(hTexRef, hTexRef, &s);
    if (err)
        return err;
    if (Flags & ~(unsigned)CU_TRSA_OVERRIDE_FORMAT)
        return CUDA_ERROR_INVALID_VALUE;
    err = array_describe(hArray, &d);
    if (err)
        return err;
    s.resource = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY};
    s.resource.res.array.hArray = hArray;
    s.is_bound = true;
    s.format = d.Format;
    s.channels = (int)d.NumChannels;
    return texture_reference_write(hTexRef, &s);
}

CUresult cuTexRefSetMipmappedArray(CUtexref hTexRef,
                                   CUmipmappedArray hMipmappedArray,
                                   unsigned int Flags)
{
    struct texture_settings s;
    CUresult err = read_settings(hTexRef, hMipmappedArray, &s);
    if (err)
        return err;
    if (Flags & ~(unsigned)CU_TRSA_OVERRIDE_FORMAT)
        return CUDA_ERROR_INVALID_VALUE;
    s.resource =
        (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY};
    s.resource.res.mipmap.hMipmappedArray = hMipmappedArray;
    s.is_bound = true;
    return texture_reference_write(hTexRef, &s);
}

CUresult cuTexRefSetAddress(size_t *ByteOffset, CUtexref hTexRef,
                            CUdeviceptr dptr, size_t bytes)
{
    struct texture_settings s;
    CUresult err = read_settings(hTexRef, hTexRef, &s);
    if (err)
        return err;
    size_t past = dptr % LIMIT_TEXTURE_ALIGN;
    if (past && !ByteOffset)
        return CUDA_ERROR_INVALID_VALUE;
    s.is_bound = dptr != 0;
    s.resource = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_LINEAR};
    s.resource.res.linear.devPtr = dptr - past;
    s.resource.res.linear.format = s.format;
    s.resource.res.linear.numChannels = (unsigned)s.channels;
    s.resource.res.linear.sizeInBytes = bytes + past;
    err = texture_reference_write(hTexRef, &s);
    if (!err && ByteOffset)
        *ByteOffset = past;
    return err;
}

CUresult cuTexRefSetAddress2D(CUtexref hTexRef,
                              const CUDA_ARRAY_DESCRIPTOR *desc,
                              CUdeviceptr dptr, size_t Pitch)
{
    struct texture_settings s;
    CUresult err = read_settings(hTexRef, desc, &s);
    if (err)
        return err;
    s.is_bound = true;
    s.format = desc->Format;
    s.channels = (int)desc->NumChannels;
    s.resource = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_PITCH2D};
    s.resource.res.pitch2D.devPtr = dptr;
    s.resource.res.pitch2D.format = desc->Format;
    s.resource.res.pitch2D.numChannels = desc->NumChannels;
    s.resource.res.pitch2D.width = desc->Width;
    s.resource.res.pitch2D.height = desc->Height;
    s.resource.res.pitch2D.pitchInBytes = Pitch;
    return texture_reference_write(hTexRef, &s);
}

CUresult cuTexRefSetAddress2D_v2(CUtexref hTexRef,
                                 const CUDA_ARRAY_DESCRIPTOR *desc,
                                 CUdeviceptr dptr, size_t Pitch);
CUresult cuTexRefSetAddress2D_v2(CUtexref hTexRef,
                                 const CUDA_ARRAY_DESCRIPTOR *desc,
                                 CUdeviceptr dptr, size_t Pitch)
{
    return cuTexRefSetAddress2D(hTexRef, desc, dptr, Pitch);
}

/* The format of linear memory; an array has its own. */
CUresult cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt,
                           int NumPackedComponents)
{
    struct texture_settings s;
    CUresult err = read_settings(hTexRef, hTexRef, &s);
    if (err)
        return err;
    if (NumPackedComponents != 1 && NumPackedComponents != 2 &&
        NumPackedComponents != 4)
        return CUDA_ERROR_INVALID_VALUE;
    s.format = fmt;
    s.channels = NumPackedComponents;
    if (s.is_bound && s.resource.resType == CU_RESOURCE_TYPE_LINEAR) {
        s.resource.res.linear.format = fmt;
        s.resource.res.linear.numChannels = (unsigned)NumPackedComponents;
    }
    return write_sampling(hTexRef, &s);
}

/* ---- settings: writing --------------------------------------------------- */

/* A function that changes one setting, if the condition holds. */
#define SETTER(name, parameters, condition, assignment)                        \
    CUresult name parameters                                                   \
    {                                                                          \
        struct texture_settings s;                                             \
        CUresult err = read_settings(hTexRef, hTexRef, &s);                    \
        if (err)                                                               \
            return err;                                                        \
        if (!(condition))                                                      \
            return CUDA_ERROR_INVALID_VALUE;                                   \
        assignment;                                                            \
        return write_sampling(hTexRef, &s);                                    \
    }

static bool is_filter(CUfilter_mode fm)
{
    return fm == CU_TR_FILTER_MODE_POINT || fm == CU_TR_FILTER_MODE_LINEAR;
}

#define FLAGS_KNOWN                                                            \
    (CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB | \
     CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP)

/* clang-format off */
SETTER(cuTexRefSetAddressMode, (CUtexref hTexRef, int dim, CUaddress_mode am),
       dim >= 0 && dim < 3 && am <= CU_TR_ADDRESS_MODE_BORDER,
       s.texture.addressMode[dim] = am)
SETTER(cuTexRefSetFilterMode, (CUtexref hTexRef, CUfilter_mode fm),
       is_filter(fm), s.texture.filterMode = fm)
SETTER(cuTexRefSetMipmapFilterMode, (CUtexref hTexRef, CUfilter_mode fm),
       is_filter(fm), s.texture.mipmapFilterMode = fm)
SETTER(cuTexRefSetMipmapLevelBias, (CUtexref hTexRef, float bias),
       true, s.texture.mipmapLevelBias = bias)
SETTER(cuTexRefSetMipmapLevelClamp,
       (CUtexref hTexRef, float minMipmapLevelClamp, float maxMipmapLevelClamp),
       true,
       (s.texture.minMipmapLevelClamp = minMipmapLevelClamp,
        s.texture.maxMipmapLevelClamp = maxMipmapLevelClamp))
SETTER(cuTexRefSetMaxAnisotropy, (CUtexref hTexRef, unsigned int maxAniso),
       true, s.texture.maxAnisotropy = maxAniso)
SETTER(cuTexRefSetBorderColor, (CUtexref hTexRef, float *pBorderColor),
       pBorderColor,
       memcpy(s.texture.borderColor, pBorderColor,
              sizeof s.texture.borderColor))
SETTER(cuTexRefSetFlags, (CUtexref hTexRef, unsigned int Flags),
       !(Flags & ~(unsigned)FLAGS_KNOWN), s.texture.flags = Flags)
/* clang-format on */

/* ---- settings: reading --------------------------------------------------- */

/* A function that reads one setting; `out` is the result that it needs. */
#define GETTER(name, parameters, out, condition, assignment)                   \
    CUresult name parameters                                                   \
    {                                                                          \
        struct texture_settings s;                                             \
        CUresult err = read_settings(hTexRef, out, &s);                        \
        if (err)                                                               \
            return err;                                                        \
        if (!(condition))                                                      \
            return CUDA_ERROR_INVALID_VALUE;                                   \
        assignment;                                                            \
        return CUDA_SUCCESS;                                                   \
    }

static bool is_bound_to(const struct texture_settings *s, CUresourcetype type)
{
    return s->is_bound && s->resource.resType == type;
}

/* clang-format off */
GETTER(cuTexRefGetAddress, (CUdeviceptr *pdptr, CUtexref hTexRef), pdptr,
       is_bound_to(&s, CU_RESOURCE_TYPE_LINEAR) ||
           is_bound_to(&s, CU_RESOURCE_TYPE_PITCH2D),
       *pdptr = s.resource.resType == CU_RESOURCE_TYPE_LINEAR
                    ? s.resource.res.linear.devPtr
                    : s.resource.res.pitch2D.devPtr)
GETTER(cuTexRefGetArray, (CUarray *phArray, CUtexref hTexRef), phArray,
       is_bound_to(&s, CU_RESOURCE_TYPE_ARRAY),
       *phArray = s.resource.res.array.hArray)
GETTER(cuTexRefGetMipmappedArray,
       (CUmipmappedArray *phMipmappedArray, CUtexref hTexRef), phMipmappedArray,
       is_bound_to(&s, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY),
       *phMipmappedArray = s.resource.res.mipmap.hMipmappedArray)
GETTER(cuTexRefGetAddressMode,
       (CUaddress_mode *pam, CUtexref hTexRef, int dim), pam,
       dim >= 0 && dim < 3, *pam = s.texture.addressMode[dim])
GETTER(cuTexRefGetFilterMode, (CUfilter_mode *pfm, CUtexref hTexRef), pfm,
       true, *pfm = s.texture.filterMode)
GETTER(cuTexRefGetMipmapFilterMode, (CUfilter_mode *pfm, CUtexref hTexRef), pfm,
       true, *pfm = s.texture.mipmapFilterMode)
GETTER(cuTexRefGetMipmapLevelBias, (float *pbias, CUtexref hTexRef), pbias,
       true, *pbias = s.texture.mipmapLevelBias)
GETTER(cuTexRefGetMipmapLevelClamp,
       (float *pminMipmapLevelClamp, float *pmaxMipmapLevelClamp,
        CUtexref hTexRef),
       pminMipmapLevelClamp, pmaxMipmapLevelClamp,
       (*pminMipmapLevelClamp = s.texture.minMipmapLevelClamp,
        *pmaxMipmapLevelClamp = s.texture.maxMipmapLevelClamp))
GETTER(cuTexRefGetMaxAnisotropy, (int *pmaxAniso, CUtexref hTexRef), pmaxAniso,
       true, *pmaxAniso = (int)s.texture.maxAnisotropy)
GETTER(cuTexRefGetBorderColor, (float *pBorderColor, CUtexref hTexRef),
       pBorderColor, true,
       memcpy(pBorderColor, s.texture.borderColor,
              sizeof s.texture.borderColor))
GETTER(cuTexRefGetFlags, (unsigned int *pFlags, CUtexref hTexRef), pFlags,
       true, *pFlags = s.texture.flags)
/* clang-format on */

/* Either result may be NULL. */
CUresult cuTexRefGetFormat(CUarray_format *pFormat, int *pNumChannels,
                           CUtexref hTexRef)
{
    struct texture_settings s;
    CUresult err = read_settings(hTexRef, hTexRef, &s);
    if (err)
        return err;
    if (pFormat)
        *pFormat = s.format;
    if (pNumChannels)
        *pNumChannels = s.channels;
    return CUDA_SUCCESS;
}

/* ---- surfaces ------------------------------------------------------------ */

CUresult cuSurfRefSetArray(CUsurfref hSurfRef, CUarray hArray,
                           unsigned int Flags)
{
    CUresult err = drv_check_given(hSurfRef);
    if (err)
        return err;
    return Flags ? CUDA_ERROR_INVALID_VALUE
                 : surface_reference_bind(hSurfRef, hArray);
}

CUresult cuSurfRefGetArray(CUarray *phArray, CUsurfref hSurfRef)
{
    CUresult err = drv_check_given(phArray);
    return err ? err : surface_reference_array(hSurfRef, phArray);
}

/* ---- launches before CUDA 4 ---------------------------------------------- */

/* Nothing to do: kernels can read all references of their module. */
CUresult cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef)
{
    struct texture_settings s;
    CUresult err = drv_function(&hfunc);
    if (!err)
        err = read_settings(hTexRef, hTexRef, &s);
    if (err)
        return err;
    return texunit == CU_PARAM_TR_DEFAULT ? CUDA_SUCCESS
                                          : CUDA_ERROR_INVALID_VALUE;
}

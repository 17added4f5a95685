/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds OpenGL in the process. A program may have made its context with EGL,
 * GLX or OSMesa, and may have linked that or loaded it. The functions are
 * looked up with whichever says that the calling thread has a current context.
 */
#define _GNU_SOURCE
#include "core/gl.h"

#include <dlfcn.h>
#include <pthread.h>

typedef void *current_fn(void);
typedef void *lookup_fn(const char *name);

struct way {
    const char *library, *current, *lookup;
    bool is_read;
    struct gl gl, gl_es;
};

#define WAY(library_name, api)                                                 \
    {                                                                          \
        .library = library_name, .current = api "GetCurrentContext",           \
        .lookup = api "GetProcAddress"                                         \
    }
static struct way ways[] = {
    WAY("libEGL.so.1", "egl"),       WAY("libGLX.so.0", "glX"),
    WAY("libGL.so.1", "glX"),        WAY("libOSMesa.so.8", "OSMesa"),
    WAY("libOSMesa.so.6", "OSMesa"),
};

/* Only in libraries that the program has loaded; NULL: not there. */
static void *find_symbol(const struct way *w, const char *name)
{
    void *symbol = dlsym(RTLD_DEFAULT, name);
    if (symbol)
        return symbol;
    void *library = dlopen(w->library, RTLD_LAZY | RTLD_NOLOAD);
    if (!library)
        return NULL;
    symbol = dlsym(library, name);
    dlclose(library); /* the program has a reference of its own */
    return symbol;
}

/* Extension functions of EGL are not symbols of its library. */
void *gl_find_egl(const char *name)
{
    const struct way *egl = &ways[0];
    void *symbol = find_symbol(egl, name);
    lookup_fn *lookup = (lookup_fn *)find_symbol(egl, egl->lookup);
    return symbol || !lookup ? symbol : lookup(name);
}

static void read_functions(struct way *w)
{
    lookup_fn *lookup = (lookup_fn *)find_symbol(w, w->lookup);
    void *f = NULL;
    if (!lookup)
        return;
#define GL_FUNCTION(result, name, parameters)                                  \
    f = lookup(#name);                                                         \
    w->gl.name = (result(*) parameters)(f ? f : find_symbol(w, #name));
#include "core/gl_functions.def"
    w->is_read = w->gl.glGetString && w->gl.glGetError && w->gl.glGetIntegerv;
    w->gl_es = w->gl;
    w->gl_es.is_es = true;
}

static const struct gl *choose_way(const struct way *w)
{
    static const char es[] = "OpenGL ES";
    const GLubyte *version = w->gl.glGetString(GL_VERSION);
    if (!version)
        return NULL;
    return strncmp((const char *)version, es, sizeof es - 1) ? &w->gl
                                                             : &w->gl_es;
}

CUresult gl_current(const struct gl **out)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    CUresult err = CUDA_ERROR_OPERATING_SYSTEM;
    const struct gl *gl = NULL;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < ARRAY_COUNT(ways) && !gl; i++) {
        struct way *w = &ways[i];
        current_fn *current = (current_fn *)find_symbol(w, w->current);
        if (!current)
            continue;
        err = CUDA_ERROR_INVALID_GRAPHICS_CONTEXT;
        if (!current())
            continue;
        if (!w->is_read)
            read_functions(w);
        gl = w->is_read ? choose_way(w) : NULL;
    }
    pthread_mutex_unlock(&lock);
    *out = gl;
    return gl ? CUDA_SUCCESS : err;
}

/* A lost context reports errors for ever, so no more than this are read. */
enum { ERRORS_MAX = 64 };

void gl_forget_errors(const struct gl *gl)
{
    for (int i = 0; i < ERRORS_MAX && gl->glGetError() != GL_NO_ERROR; i++)
        ;
}

bool gl_has_failed(const struct gl *gl)
{
    if (gl->glGetError() == GL_NO_ERROR)
        return false;
    gl_forget_errors(gl);
    return true;
}

GLint gl_integer(const struct gl *gl, GLenum name)
{
    GLint value = 0;
    gl->glGetIntegerv(name, &value);
    return value;
}

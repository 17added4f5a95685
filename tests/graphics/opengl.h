/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenGL for tests: a context without a window, made by EGL, GLX or OSMesa,
 * whichever is asked for. All of it is loaded here, as many programs do, so
 * that the tests need no headers and no library to be there when they are
 * built.
 */
#ifndef TESTS_GRAPHICS_OPENGL_H
#define TESTS_GRAPHICS_OPENGL_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77 };

typedef void *lookup_fn(const char *name);
static lookup_fn *opengl_lookup;

/* The function of OpenGL with this type. */
#define GL(result, name, ...) ((result(*)(__VA_ARGS__))opengl_find(#name))

static inline void *opengl_find(const char *name)
{
    void *f = opengl_lookup(name);
    if (f)
        return f;
    printf("skipped: this OpenGL has no %s\n", name);
    exit(SKIPPED);
}

static inline void opengl_skip(const char *what)
{
    printf("skipped: %s\n", what);
    exit(SKIPPED);
}

/* From the library that was loaded last. */
static void *opengl_library;
static inline void *opengl_symbol(const char *name)
{
    void *f = dlsym(opengl_library, name);
    if (!f)
        opengl_skip(name);
    return f;
}
#define LIBRARY(result, name, ...)                                             \
    ((result(*)(__VA_ARGS__))opengl_symbol(#name))

static inline void opengl_load(const char *name)
{
    opengl_library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!opengl_library)
        opengl_skip(name);
}

static void *egl_display, *egl_context;

static inline void egl_set_current(bool is_current)
{
    LIBRARY(unsigned, eglMakeCurrent, void *, void *, void *, void *)
    (egl_display, NULL, NULL, is_current ? egl_context : NULL);
}

static inline void opengl_make_egl(bool is_es)
{
    enum { SURFACELESS = 0x31DD, OPENGL_API = 0x30A2, ES_API = 0x30A0 };
    const int es[] = {0x3098, 3, 0x3038}, any[] = {0x3038};
    opengl_load("libEGL.so.1");
    opengl_lookup = (lookup_fn *)opengl_symbol("eglGetProcAddress");
    void *(*platform)(unsigned, void *, const int *) =
        (void *(*)(unsigned, void *, const int *))opengl_lookup(
            "eglGetPlatformDisplayEXT");
    egl_display = platform ? platform(SURFACELESS, NULL, NULL) : NULL;
    if (!egl_display || !LIBRARY(unsigned, eglInitialize, void *, int *,
                                 int *)(egl_display, NULL, NULL))
        opengl_skip("EGL without surfaces");
    LIBRARY(unsigned, eglBindAPI, unsigned)(is_es ? ES_API : OPENGL_API);
    egl_context =
        LIBRARY(void *, eglCreateContext, void *, void *, void *,
                const int *)(egl_display, NULL, NULL, is_es ? es : any);
    if (!egl_context)
        opengl_skip("a context of EGL");
    egl_set_current(true);
}

static inline void opengl_make_osmesa(void)
{
    static uint8_t pixels[64 * 64 * 4];
    opengl_load("libOSMesa.so.8");
    opengl_lookup = (lookup_fn *)opengl_symbol("OSMesaGetProcAddress");
    void *c =
        LIBRARY(void *, OSMesaCreateContext, unsigned, void *)(0x1908, NULL);
    if (!c || !LIBRARY(unsigned char, OSMesaMakeCurrent, void *, void *,
                       unsigned, int, int)(c, pixels, 0x1401, 64, 64))
        opengl_skip("a context of OSMesa");
}

static inline void opengl_make_glx(void)
{
    static int wanted[] = {4 /* GLX_RGBA */, 5 /* GLX_DOUBLEBUFFER */, 0};
    opengl_load("libX11.so.6");
    void *display = LIBRARY(void *, XOpenDisplay, const char *)(NULL);
    if (!display)
        opengl_skip("an X server");
    unsigned long root =
        LIBRARY(unsigned long, XDefaultRootWindow, void *)(display);
    unsigned long window =
        LIBRARY(unsigned long, XCreateSimpleWindow, void *, unsigned long, int,
                int, unsigned, unsigned, unsigned, unsigned long,
                unsigned long)(display, root, 0, 0, 64, 64, 0, 0, 0);
    opengl_load("libGL.so.1");
    opengl_lookup = (lookup_fn *)opengl_symbol("glXGetProcAddressARB");
    void *visual = LIBRARY(void *, glXChooseVisual, void *, int,
                           int *)(display, 0, wanted);
    void *context = visual ? LIBRARY(void *, glXCreateContext, void *, void *,
                                     void *, int)(display, visual, NULL, 1)
                           : NULL;
    if (!context || !LIBRARY(int, glXMakeCurrent, void *, unsigned long,
                             void *)(display, window, context))
        opengl_skip("a context of GLX");
}

static inline void opengl_make(const char *how)
{
    if (!strcmp(how, "egl"))
        opengl_make_egl(false);
    else if (!strcmp(how, "es"))
        opengl_make_egl(true);
    else if (!strcmp(how, "osmesa"))
        opengl_make_osmesa();
    else
        opengl_make_glx();
}

#endif

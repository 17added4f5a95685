/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device variables that the host pass took for host variables, since a macro
 * said
 * `__device__` in the device pass only (CCCL's tests have one). nvcc makes the
 * host's code from the output of the device pass, so it registers them. We find
 * the variable's name in the symbol table of the program, and look for a device
 * variable of that name.
 */
#define _GNU_SOURCE /* dladdr1 */
#include "runtime/internal.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
    const char *bytes;
    size_t size;
};

static bool map_file(const char *path, struct file *out)
{
    struct stat s;
    void *p = MAP_FAILED;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (!fstat(fd, &s) && s.st_size > 0)
        p = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (p == MAP_FAILED)
        return false;
    *out = (struct file){p, (size_t)s.st_size};
    return true;
}

/* NULL where the file has no `size` bytes there. */
static const void *bytes_at(const struct file *f, size_t offset, size_t size)
{
    return offset <= f->size && size <= f->size - offset ? f->bytes + offset
                                                         : NULL;
}

static const char *name_at(const struct file *f, const Elf64_Shdr *strings,
                           size_t offset)
{
    if (offset >= strings->sh_size)
        return NULL;
    size_t most = strings->sh_size - offset;
    const char *name = bytes_at(f, strings->sh_offset + offset, most);
    return name && memchr(name, 0, most) ? name : NULL;
}

static const char *find_in(const struct file *f, const Elf64_Shdr *symbols,
                           const Elf64_Shdr *strings, Elf64_Addr address,
                           size_t *size_bytes)
{
    size_t count = symbols->sh_size / sizeof(Elf64_Sym);
    const Elf64_Sym *s = bytes_at(f, symbols->sh_offset, symbols->sh_size);
    for (size_t i = 0; s && i < count; i++, s++) {
        if (s->st_value != address || ELF64_ST_TYPE(s->st_info) != STT_OBJECT)
            continue;
        *size_bytes = s->st_size;
        return name_at(f, strings, s->st_name);
    }
    return NULL;
}

static const char *find_symbol(const struct file *f, Elf64_Addr address,
                               size_t *size_bytes)
{
    const Elf64_Ehdr *h = bytes_at(f, 0, sizeof *h);
    const Elf64_Shdr *s =
        h ? bytes_at(f, h->e_shoff, (size_t)h->e_shnum * sizeof *s) : NULL;
    for (size_t i = 0; s && i < h->e_shnum; i++)
        if (s[i].sh_type == SHT_SYMTAB && s[i].sh_link < h->e_shnum)
            return find_in(f, &s[i], &s[s[i].sh_link], address, size_bytes);
    return NULL;
}

bool unregistered_find(const void *host, struct unregistered *out)
{
    Dl_info info;
    struct link_map *object;
    struct file f;
    if (!dladdr1(host, &info, (void **)&object, RTLD_DL_LINKMAP) ||
        !map_file(*object->l_name ? object->l_name : "/proc/self/exe", &f))
        return false;
    const char *name =
        find_symbol(&f, (uintptr_t)host - object->l_addr, &out->size_bytes);
    out->object = object;
    out->name = name ? strdup(name) : NULL;
    munmap((void *)f.bytes, f.size);
    return out->name;
}

bool unregistered_is_in(const struct unregistered *u, const void *address)
{
    Dl_info info;
    struct link_map *object;
    return dladdr1(address, &info, (void **)&object, RTLD_DL_LINKMAP) &&
           object == u->object;
}

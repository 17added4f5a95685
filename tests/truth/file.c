/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records: a header in text, one line per form, an empty line, then results.
 * A result that is one bit wide takes one bit; wider ones are written byte by
 * byte, all the lowest bytes of an output first, which compresses well.
 */
#include "truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t packed_bytes(unsigned bits, unsigned samples)
{
    return bits == 1 ? (samples + 7) / 8 : (size_t)bits / 8 * samples;
}

static void write_output(FILE *out, unsigned bits, const uint64_t *v,
                         unsigned samples)
{
    for (unsigned i = 0; bits == 1 && i < samples; i += 8) {
        int byte = 0;
        for (unsigned k = 0; k < 8 && i + k < samples; k++)
            byte |= (int)(v[i + k] & 1) << k;
        fputc(byte, out);
    }
    for (unsigned at = 0; bits > 1 && at < bits; at += 8)
        for (unsigned i = 0; i < samples; i++)
            fputc((int)(v[i] >> at & 0xff), out);
}

static void read_output(const uint8_t *in, unsigned bits, uint64_t *v,
                        unsigned samples)
{
    for (unsigned i = 0; i < samples; i++) {
        v[i] = 0;
        if (bits == 1)
            v[i] = in[i / 8] >> i % 8 & 1;
        for (unsigned at = 0; bits > 1 && at < bits; at += 8)
            v[i] |= (uint64_t)in[(size_t)at / 8 * samples + i] << at;
    }
}

uint8_t *truth_pack(const struct truth_forms *forms, uint64_t *const *results,
                    const char *header, size_t *size_bytes)
{
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, size_bytes);

    if (!out)
        abort();
    fprintf(out, "weft truth %d\n%s", TRUTH_VERSION, header);
    for (size_t i = 0; i < forms->count; i++) {
        const struct truth_form *f = &forms->at[i];
        if (!results[i])
            continue;
        fprintf(out, "form\t%u\t", f->row->samples);
        for (unsigned k = 0; k < f->out_count; k++)
            fprintf(out, "%s%u", k ? "," : "", f->out[k]->bits);
        fprintf(out, "\t%s\n", f->name);
    }
    fputc('\n', out);
    for (size_t i = 0; i < forms->count; i++) {
        const struct truth_form *f = &forms->at[i];
        for (unsigned k = 0; results[i] && k < f->out_count; k++)
            write_output(out, f->out[k]->bits,
                         results[i] + (size_t)k * f->row->samples,
                         f->row->samples);
    }
    fclose(out);
    return (uint8_t *)bytes;
}

/* `256<tab>32,1<tab>name`: its size in packed bytes; 0: malformed. */
static size_t read_form(char *line, struct truth_record *r, size_t i,
                        unsigned bits[TRUTH_MAX_OUT])
{
    char *end;
    size_t total = 0;

    r->samples[i] = (unsigned)strtoul(line, &end, 10);
    if (r->samples[i] == 0 || r->samples[i] > 1 << 20)
        return 0;
    do {
        if (r->outputs[i] == TRUTH_MAX_OUT)
            return 0;
        unsigned width = (unsigned)strtoul(end + 1, &end, 10);
        if (width != 1 && width != 16 && width != 32 && width != 64)
            return 0;
        total += packed_bytes(width, r->samples[i]);
        bits[r->outputs[i]++] = width;
    } while (*end == ',');
    if (*end != '\t')
        return 0;
    r->names[i] = strdup(end + 1);
    return r->names[i] ? total : 0;
}

static bool complain(const char *what)
{
    fprintf(stderr, "record of results: %s\n", what);
    return false;
}

static void *zeros(size_t count, size_t size_bytes)
{
    void *p = calloc(count ? count : 1, size_bytes);
    if (!p)
        abort();
    return p;
}

static bool unpack_lines(char *text, const uint8_t *data, size_t data_bytes,
                         struct truth_record *r)
{
    char *state = NULL;

    for (char *line = strtok_r(text, "\n", &state); line;
         line = strtok_r(NULL, "\n", &state)) {
        unsigned bits[TRUTH_MAX_OUT];
        if (strncmp(line, "form\t", 5) != 0)
            continue;
        size_t i = r->count++;
        size_t need = read_form(line + 5, r, i, bits);
        if (need == 0)
            return complain("a line is malformed");
        if (need > data_bytes)
            return complain("it ends too early");
        r->results[i] =
            zeros((size_t)r->outputs[i] * r->samples[i], sizeof **r->results);
        for (unsigned k = 0; k < r->outputs[i]; k++) {
            read_output(data, bits[k],
                        r->results[i] + (size_t)k * r->samples[i],
                        r->samples[i]);
            size_t n = packed_bytes(bits[k], r->samples[i]);
            data += n;
            data_bytes -= n;
        }
    }
    return data_bytes == 0 || complain("something follows its end");
}

bool truth_unpack(const uint8_t *bytes, size_t size_bytes,
                  struct truth_record *r)
{
    const uint8_t *end = memmem(bytes, size_bytes, "\n\n", 2);
    char first[32];

    *r = (struct truth_record){0};
    int n = snprintf(first, sizeof first, "weft truth %d\n", TRUTH_VERSION);
    if (!end || size_bytes < (size_t)n || memcmp(bytes, first, (size_t)n) != 0)
        return complain("not of this version");
    size_t text_bytes = (size_t)(end - bytes), forms = 0;
    for (size_t i = 0; i < text_bytes; i++)
        forms += bytes[i] == '\n';
    r->names = zeros(forms, sizeof *r->names);
    r->results = zeros(forms, sizeof *r->results);
    r->samples = zeros(forms, sizeof *r->samples);
    r->outputs = zeros(forms, sizeof *r->outputs);
    char *text = strndup((const char *)bytes, text_bytes);
    r->header = strdup(text ? text : "");
    if (!text || !r->header)
        abort();
    char *forms_at = strstr(r->header, "\nform\t");
    if (forms_at)
        forms_at[1] = '\0';
    bool ok = unpack_lines(text, end + 2, size_bytes - text_bytes - 2, r);
    free(text);
    return ok;
}

void truth_record_free(struct truth_record *r)
{
    for (size_t i = 0; i < r->count; i++) {
        free(r->names[i]);
        free(r->results[i]);
    }
    free(r->names);
    free(r->results);
    free(r->samples);
    free(r->outputs);
    free(r->header);
    *r = (struct truth_record){0};
}

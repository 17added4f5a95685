/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows what truth.h's kernels are, for reading and for ptxas:
 *
 *     truth_generate FAMILY            the PTX of a family
 *     truth_generate FAMILY --names    its forms, one on a line
 *     truth_generate --families        the families and how many forms
 */
#include "truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int show_families(void)
{
    for (size_t i = 0; i < truth_case_count; i++) {
        const char *family = truth_cases[i].family;
        if (i > 0 && strcmp(family, truth_cases[i - 1].family) == 0)
            continue;
        struct truth_forms forms = truth_forms_make(family);
        size_t results = 0;
        for (size_t f = 0; f < forms.count; f++)
            results += (size_t)forms.at[f].out_count * forms.at[f].row->samples;
        printf("%-10s %6zu forms %8zu results\n", family, forms.count, results);
        truth_forms_free(&forms);
    }
    return 0;
}

static int show_names(const struct truth_forms *forms)
{
    for (size_t i = 0; i < forms->count; i++)
        printf("%s\n", forms->at[i].name);
    return 0;
}

static int show_text(const struct truth_forms *forms)
{
    struct truth_range *groups = malloc(forms->count * sizeof *groups);
    size_t count = 0;

    if (!groups)
        abort();
    for (size_t i = 0; i < forms->count; i = groups[count++].end)
        groups[count] = (struct truth_range){i, truth_group_end(forms, i)};
    char *text = truth_text(forms, groups, count, false);
    fputs(text, stdout);
    free(text);
    free(groups);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--families") == 0)
        return show_families();
    if (argc < 2) {
        fprintf(stderr, "usage: truth_generate --families\n"
                        "       truth_generate FAMILY [--names]\n");
        return 2;
    }
    struct truth_forms forms = truth_forms_make(argv[1]);
    if (forms.count == 0) {
        fprintf(stderr, "truth_generate: no family %s in cases.def\n", argv[1]);
        return 2;
    }
    int status = argc > 2 && strcmp(argv[2], "--names") == 0
                     ? show_names(&forms)
                     : show_text(&forms);
    truth_forms_free(&forms);
    return status;
}

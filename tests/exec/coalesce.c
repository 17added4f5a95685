/* SPDX-License-Identifier: Apache-2.0 */
/* Brief steps that become one: rows, levels, and what keeps them apart. */
#include "check.h"

#include "exec/sched/coalesce.h"

#include <string.h>

/* Steps are letters, small ones brief; edges pairs of letters. What comes of
 * it: each leader with what runs behind it, then the edges. */
static const struct {
    const char *steps, *edges, *groups, *left;
} cases[] = {
    {"abc", "ab bc", "abc", ""},
    {"AbcD", "Ab bc cD", "A bc D", "Ab bD"},
    {"abC", "ab aC", "a b C", "ab aC"},
    {"AbcdE", "Ab Ac Ad bE cE dE", "A bcd E", "Ab bE"},
    {"AbcD", "Ab Ac bD", "A b c D", "Ab Ac bD"},
    {"abc", "", "abc", ""},
    {"aBc", "", "ac B", ""},
    {"ABcd", "Ac Bc cd", "A B cd", "Ac Bc"},
    {"AbcdeF", "Ab bc Ad de cF eF", "A bcde F", "Ab bF"},
    {"aBc", "aB Bc", "a B c", "aB Bc"},
    {"abcdefghijklmnopqr", "", "abcdefghijklmnop qr", ""},
};

static char letters[64];

static uint32_t index_of(const char *steps, char letter)
{
    return (uint32_t)(strchr(steps, letter) - steps);
}

static void print_groups(const char *steps, const uint32_t *next, char *out)
{
    uint32_t count = (uint32_t)strlen(steps);
    bool is_behind[64] = {false};
    char *start = out;
    for (uint32_t i = 0; i < count; i++)
        if (next[i] != EXEC_NO_STEP)
            is_behind[next[i]] = true;
    for (uint32_t i = 0; i < count; i++) {
        if (is_behind[i])
            continue;
        if (out != start)
            *out++ = ' ';
        for (uint32_t k = i; k != EXEC_NO_STEP; k = next[k])
            *out++ = steps[k];
    }
    *out = 0;
}

static void check(size_t c)
{
    const char *names = cases[c].steps, *text = cases[c].edges;
    uint32_t count = (uint32_t)strlen(names), next[64];
    struct exec_step steps[64] = {{0}};
    struct exec_plan_edge edges[64];
    size_t edge_count = 0;
    char left[128] = "";
    for (uint32_t i = 0; i < count; i++)
        steps[i] = (struct exec_step){.kind = EXEC_STEP_TASK,
                                      .is_brief = names[i] >= 'a'};
    for (; *text; text += text[2] ? 3 : 2)
        edges[edge_count++] = (struct exec_plan_edge){index_of(names, text[0]),
                                                      index_of(names, text[1])};
    CHECK(plan_coalesce(steps, count, edges, &edge_count, next));
    print_groups(names, next, letters);
    for (size_t i = 0; i < edge_count; i++)
        snprintf(left + strlen(left), 4, "%s%c%c", i ? " " : "",
                 names[edges[i].from], names[edges[i].to]);
    if (strcmp(letters, cases[c].groups) || strcmp(left, cases[c].left)) {
        fprintf(stderr, "%s, %s: %s, %s, not %s, %s\n", names, cases[c].edges,
                letters, left, cases[c].groups, cases[c].left);
        check_failures++;
    }
}

/* One of another section stays apart. */
static void check_sections(void)
{
    const struct exec_step steps[] = {
        {.kind = EXEC_STEP_TASK, .is_brief = true},
        {.kind = EXEC_STEP_TASK, .is_brief = true, .section = 1},
        {.kind = EXEC_STEP_START, .is_brief = true},
    };
    uint32_t next[3];
    size_t none = 0;
    CHECK(plan_coalesce(steps, 3, NULL, &none, next));
    for (int i = 0; i < 3; i++)
        CHECK(next[i] == EXEC_NO_STEP);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(i);
    check_sections();
    return check_result();
}

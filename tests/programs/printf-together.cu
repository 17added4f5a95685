// SPDX-License-Identifier: Apache-2.0
// What lanes print together appears together: no branch before or behind a
// printf makes two of it.
#include "check.h"

__global__ void between()
{
    int t = threadIdx.x;
    if (t == 0)
        printf("x: ");
    printf("%d ", t);
    if (t == 0)
        printf("\n");
}

__global__ void in_loop(int n)
{
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        if (t == 2)
            printf("[");
        printf("%d%d ", i, t);
        if (t == 2)
            printf("]");
    }
}

int main()
{
    std::string text = captured_stdout([] {
        between<<<1, 8>>>();
        CHECK_KERNEL();
        in_loop<<<1, 4>>>(2);
        CHECK_KERNEL();
    });
    const char *want = "x: 0 1 2 3 4 5 6 7 \n[00 01 02 03 ][10 11 12 13 ]";
    const char *engine = std::getenv("WEFT_ENGINE");
    // The interpreter's lanes need not join at the end of an iteration.
    if (engine && !std::strcmp(engine, "emu"))
        EXPECT(text.substr(0, 21) == std::string(want, 21));
    else
        EXPECT(text == want);
    if (failures)
        std::fprintf(stderr, "%s\n", text.c_str());
    return finish();
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of an asm statement with an operand "C"(array), whose characters
 * stand for it in the text: clang has no such operand, but texts that are
 * computed. weftcc makes them of such operands (src/cc/compat/asmtext.c).
 */
#ifndef WEFT_ASM_TEXT_H
#define WEFT_ASM_TEXT_H

#if defined(__CUDA__) && __cplusplus >= 201402L
template <size_t N> struct weft_asm_text {
    char text[N];
    size_t length;
    __host__ __device__ constexpr const char *data() const
    {
        return text;
    }
    __host__ __device__ constexpr size_t size() const
    {
        return length;
    }
    __host__ __device__ constexpr void add(char c)
    {
        text[length++] = c;
    }
};

template <size_t N>
__host__ __device__ constexpr weft_asm_text<N>
weft_asm_text_of(const char (&text)[N])
{
    weft_asm_text<N> out{};
    for (size_t i = 0; i + 1 < N; i++)
        out.add(text[i]);
    return out;
}

/* Each %operand of the text becomes `value`; it has two characters or more. */
template <size_t N, size_t M>
__host__ __device__ constexpr weft_asm_text<N + N / 2 * M>
weft_asm_text_with(const weft_asm_text<N> &text, unsigned operand,
                   const char (&value)[M])
{
    weft_asm_text<N + N / 2 * M> out{};
    for (size_t i = 0; i < text.length; i++) {
        size_t end = i + 1;
        unsigned number = 0;
        if (text.text[i] == '%' && text.text[end] == '%') {
            out.add(text.text[i++]);
        } else if (text.text[i] == '%') {
            while (text.text[end] >= '0' && text.text[end] <= '9')
                number = number * 10 + (unsigned)(text.text[end++] - '0');
        }
        if (end > i + 1 && number == operand) {
            for (size_t k = 0; k < M && value[k]; k++)
                out.add(value[k]);
            i = end - 1;
        } else {
            out.add(text.text[i]);
        }
    }
    return out;
}
#endif

#endif

# SPDX-License-Identifier: Apache-2.0
# What one module declares and another defines is one thing afterwards;
# statics of equal names stay apart; line numbers keep their files.
cat > a.ptx <<'P'
.version 7.0
.target sm_70
.address_size 64
.file 1 "a.cu"
.extern .func (.param .b32 r) twice(.param .b32 x);
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 p);
.extern .global .align 4 .u32 total;
.global .align 4 .u32 mine = 7;
.visible .global .align 8 .u64 where = total;
.func helper() { st.global.u32 [mine], 1; ret; }
.visible .entry k()
{
    .reg .b32 %r<4>;
    .param .b32 in;
    .param .b32 out;
    .loc 1 5 0
    mov.u32 %r1, %tid.x;
    st.param.b32 [in], %r1;
    call (out), twice, (in);
    ld.param.b32 %r2, [out];
    red.global.add.u32 [total], %r2;
    call helper;
    ret;
}
P
cat > b.ptx <<'P'
.version 8.0
.target sm_80
.address_size 64
.file 1 "b.cu"
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 p);
.global .align 4 .u32 mine = 100;
.visible .global .align 16 .u32 total;
.func helper() { st.global.u32 [mine], 2; ret; }
.visible .func (.param .b32 r) twice(.param .b32 x)
{
    .reg .b32 %r<4>;
    .loc 1 9 0
    ld.param.b32 %r1, [x];
    add.u32 %r1, %r1, %r1;
    call helper;
    st.param.b32 [r], %r1;
    ret;
}
P
$weft dump --ptx a.ptx b.ptx | tee linked.ptx
$weft dump --ptx linked.ptx >again.ptx # it is good PTX

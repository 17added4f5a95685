# SPDX-License-Identifier: Apache-2.0
# A strong definition hides weak ones wherever it stands, the first weak one
# the later ones; of common variables the largest stays, unless one is defined.
head='.version 8.0
.target sm_80
.address_size 64'
cat > a.ptx <<P
$head
.weak .global .u32 level = 1;
.weak .func one() { trap; ret; }
.weak .func both() { trap; ret; }
.common .global .align 4 .b8 room[16];
.common .global .u32 zero;
.visible .entry k() { call one; call both; st.global.u32 [level], 5;
    st.global.u8 [room], 1; ret; }
P
cat > b.ptx <<P
$head
.visible .global .u32 level = 2;
.weak .func one() { brkpt; ret; }
.visible .func both() { call one; ret; }
.common .global .align 8 .b8 room[64];
.visible .global .u32 zero = 3;
.weak .entry t() { ret; }
P
cat > c.ptx <<P
$head
.weak .global .u32 level = 9;
.weak .func one() { exit; ret; }
.extern .global .align 4 .b8 room[];
.weak .entry t() { st.global.u8 [room], 1; ret; }
P
$weft dump --ptx a.ptx b.ptx c.ptx

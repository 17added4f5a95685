# SPDX-License-Identifier: Apache-2.0
# status: 1
# What cannot be linked, all of it, with both places.
head='.version 8.0
.target sm_80
.address_size 64'
cat > a.ptx <<P
$head
.visible .func twice() { ret; }
.visible .global .u32 sized;
.extern .func (.param .b32 r) other(.param .b32 x);
.visible .func what() { ret; }
.visible .global .u32 placed;
.visible .entry k() { ret; }
P
cat > b.ptx <<P
$head
.visible .func twice() { ret; }
.extern .global .u64 sized;
.visible .func (.param .b32 r) other(.param .b64 x) { ret; }
.extern .global .u32 what;
.extern .const .u32 placed;
.visible .entry k() { ret; }
P
$weft dump --ptx a.ptx b.ptx

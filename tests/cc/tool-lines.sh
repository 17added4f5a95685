# SPDX-License-Identifier: Apache-2.0
# Command lines of the toolkit's tools, as scripts write them, with the status that
# NVIDIA's tools end with (13.0's; cuobjdump 13.5's).
PATH=$build/nvcc/bin:$PATH
cat >k75.ptx <<'PTX'
.version 7.1
.target sm_75
.address_size 64
.visible .entry add(.param .u64 p) { ret; }
.visible .entry _Z5scaleIdEvPT_S0_(.param .u64 p) { ret; }
PTX
sed 's/sm_75/sm_90/; s/7\.1/8.0/' k75.ptx >k.ptx
sed 's/sm_75/sm_100/; s/7\.1/8.6/' k75.ptx >k100.ptx
sed 's/ret;/ret; bogus.f32 %f1, %f2;/' k.ptx >bad.ptx
sed 's/^.version.*/.version 99.9/' k.ptx >vnew.ptx
cat >big.ptx <<'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry big(.param .u64 p) {
    .reg .b32 %r<2>; .local .b8 l[256]; .shared .b8 s[1024];
    ld.local.u32 %r1, [l]; st.shared.u32 [s], %r1; bar.sync 0; ret;
}
PTX
cat >a.cu <<'CU'
extern __device__ int f(int);
extern "C" __global__ void ka(int *p) { *p = f(*p); }
CU
cat >b.cu <<'CU'
__device__ int f(int x) { return x + 1; }
CU
cat >m.cu <<'CU'
#include <cstdio>
extern "C" __global__ void ka(int *p);
int main()
{
    int *p;
    cudaMallocManaged(&p, 4);
    *p = 41;
    ka<<<1, 1>>>(p);
    printf("%d %d\n", cudaDeviceSynchronize(), *p);
}
CU
for x in a b m; do
    nvcc -rdc=true -arch=sm_90 -dc $x.cu -o $x.o &
    nvcc -rdc=true -arch=sm_90 -ptx $x.cu -o $x.ptx &
    wait
done
cp a.o a.p.o && cp b.o b.p.o && ar rc libb.a b.o
nvcc a.o b.o m.o -o prog && cp prog k.o && cp prog k2.o
: >empty.ptx
echo hello >text.txt
printf 'abc\0\1\377' >bin.dat
echo '-O1 -v' >opts.txt
echo '--help' >help.txt
echo '-optf own.txt' >own.txt
echo '.visible .func helper() { ret; }' | cat k.ptx - >helper.ptx

count=0
while read -r want line; do
    bash -c "$line" >out 2>&1 </dev/null
    got=$?
    [ $got = "$want" ] || { echo "$line: $got, not $want"; cat out; }
    count=$((count + 1))
done <<'LINES'
0 ptxas --version
0 ptxas -V
0 ptxas --help > /dev/null
0 ptxas -arch=sm_90 k.ptx -o k.cubin
0 ptxas -arch sm_90 k.ptx -o k.cubin
0 ptxas --gpu-name=sm_90 --output-file k.cubin k.ptx
0 ptxas -v -arch=sm_90 k.ptx -o k.cubin
0 ptxas -v --gpu-name=sm_90a k.ptx -o k.cubin
0 ptxas -lineinfo -v --gpu-name=sm_90a k.ptx -o k.cubin
0 ptxas -arch=sm_90 -O0 k.ptx -o k.cubin
0 ptxas -arch=sm_90 -O3 -v big.ptx -o big.cubin
0 ptxas -arch=sm_90 --opt-level 2 k.ptx -o k.cubin
0 ptxas -arch=sm_90 -O9 k.ptx -o k.cubin
0 ptxas -m64 -arch=sm_90 k.ptx -o k.cubin
255 ptxas -m32 -arch=sm_90 k.ptx -o k.cubin
0 ptxas -arch=sm_90 k.ptx
255 ptxas k.ptx
0 ptxas k75.ptx
0 ptxas k75.ptx -o x.cubin
255 ptxas -arch=sm_80 k.ptx -o k.cubin
0 ptxas -arch=sm_80 k75.ptx -o k80.cubin
255 ptxas -arch=sm_90 bad.ptx -o k.cubin
255 ptxas -arch=sm_90 vnew.ptx -o k.cubin
255 ptxas -arch=sm_90 k100.ptx -o k.cubin
255 ptxas -arch=sm_90 missing.ptx -o k.cubin
255 ptxas -arch=sm_90 empty.ptx -o k.cubin
255 ptxas -arch=sm_90 text.txt -o k.cubin
255 ptxas -arch=sm_5000 k.ptx -o k.cubin
0 ptxas -arch=compute_90 k.ptx -o k.cubin
255 ptxas -arch=sm_90 k.ptx -o /nowhere/k.cubin
255 ptxas -arch=sm_90 k.ptx k75.ptx -o k.cubin
0 ptxas
0 ptxas -arch=sm_90
255 ptxas --bogus k.ptx
0 ptxas -arch=sm_90 -c a.ptx -o a.cubin
255 ptxas -arch=sm_90 a.ptx -o a1.cubin
0 ptxas -arch=sm_90 -maxrregcount 32 k.ptx -o k.cubin
0 ptxas -arch=sm_90 --maxrregcount=32 -v k.ptx -o k.cubin
255 ptxas -arch=sm_90 -maxrregcount=abc k.ptx -o k.cubin
0 ptxas -arch=sm_90 -maxrregcount=1 k.ptx -o k.cubin
0 ptxas -arch=sm_90 -e add k.ptx -v -o k.cubin
255 ptxas -arch=sm_90 -e missing k.ptx -o k.cubin
0 ptxas -arch=sm_90 -g k.ptx -o k.cubin
0 ptxas -arch=sm_90 -w k.ptx -o k.cubin
0 ptxas -arch=sm_90 -Werror k.ptx -o k.cubin
0 ptxas -arch=sm_90 --warn-on-spills --warn-on-local-memory-usage big.ptx -o big.cubin
0 ptxas -arch=sm_90 --warn-on-local-memory-usage -Werror big.ptx -o big.cubin
0 ptxas -arch=sm_90 -warn-double-usage k.ptx -o k.cubin
0 ptxas -arch=sm_90 -dlcm=ca k.ptx -o k.cubin
255 ptxas -arch=sm_90 -dlcm=xx k.ptx -o k.cubin
0 ptxas -arch=sm_90 -fmad=false k.ptx -o k.cubin
255 ptxas -arch=sm_90 --fmad=maybe k.ptx -o k.cubin
0 ptxas -arch=sm_90 --suppress-debug-info k.ptx -o k.cubin
0 ptxas -arch=sm_90 -regUsageLevel=5 k.ptx -o k.cubin
0 ptxas -arch=sm_90 -regUsageLevel=50 k.ptx -o k.cubin
0 ptxas -arch=sm_90 -optf opts.txt k.ptx -o k.cubin
0 ptxas -arch=sm_90 --options-file opts.txt k.ptx -o k.cubin
255 ptxas -arch=sm_90 -optf own.txt k.ptx -o k.cubin
0 ptxas -optf help.txt
255 ptxas -arch=sm_90 --verbose=0 k.ptx -o k.cubin
255 ptxas -arch=sm_90 -c=true k.ptx -o k.cubin
255 ptxas -arch=sm_90 --entry helper helper.ptx -o k.cubin
0 ptxas -arch=sm_90 --entry add helper.ptx -o k.cubin
0 ptxas --list-version
0 ptxas -arch=sm_90 -sp-bounds-check k.ptx -o k.cubin
255 ptxas -arch=sm_90 --compile-as-tools-patch k.ptx -o k.cubin
0 ptxas -arch=sm_90 k.ptx -o - > piped.cubin
0 ptxas -arch=sm_90 k.ptx -o /dev/null
0 ptxas -arch=sm_90 --dont-merge-basicblocks k.ptx -o k.cubin
0 ptxas -arch=sm_90 -split-compile=0 k.ptx -o k.cubin
0 ptxas -arch=sm_90 --disable-optimizer-constants k.ptx -o k.cubin
0 ptxas -arch=sm_90 --position-independent-code=true k.ptx -o k.cubin
255 ptxas -arch=sm_90,sm_80 k.ptx -o k.cubin
0 nvlink --version
1 nvlink
1 nvlink -arch=sm_90 missing.o -o l.cubin
0 nvlink -arch=sm_90 a.o b.o -o l.cubin
0 nvlink --arch=sm_90 a.o -L. -lb -o l.cubin
0 nvlink --arch=sm_90 a.o libb.a -o l.cubin
255 nvlink --arch=sm_90 a.o -o l.cubin
255 nvlink --arch=sm_90 a.o -lmissing -o l.cubin
255 nvlink --arch=sm_90 a.cubin -o l.cubin
1 nvlink --arch=sm_90 text.txt -o l.cubin
0 nvlink --arch=sm_90 -v a.o b.o -o l.cubin
0 nvlink --arch=sm_90 a.p.o b.p.o -o l.cubin
0 nvlink --arch=sm_90 a.o b.o --register-link-binaries=reg.c -m64 --cpu-arch=X86_64 -o l.cubin
1 nvlink --arch=sm_90 a.o b.o
1 nvlink a.o b.o -o l.cubin
1 nvlink --arch=sm_90 --bogus a.o
0 nvlink --arch=sm_90 -r a.o b.o -o l.cubin
1 nvlink --arch=sm_90 m.cu -o l.cubin
0 fatbinary --version
0 fatbinary
0 fatbinary --create=f.fatbin -64 --image3=kind=elf,sm=90,file=k.cubin --image3=kind=ptx,sm=90,file=k.ptx
0 fatbinary -64 --create=f.fatbin --cicc-cmdline="-ftz=0 -prec_div=1" --image3=kind=ptx,sm=90,file=k.ptx --embedded-fatbin=f.fatbin.c
1 fatbinary --create=f.fatbin --image=profile=sm_90,file=missing.cubin
1 fatbinary --create=f.fatbin --image3=kind=bogus,sm=90,file=k.ptx
1 fatbinary --create=f.fatbin --image3=kind=elf,sm=90,file=k.ptx
1 fatbinary --create=f.fatbin --image3=kind=ptx,sm=90,file=k.cubin
1 fatbinary --create=f.fatbin --image3=kind=ptx,sm=abc,file=k.ptx
1 fatbinary --create=/nowhere/f --image3=kind=ptx,sm=90,file=k.ptx
1 fatbinary --create=f.fatbin --bogus
0 fatbinary --create=f2.fatbin --image3=kind=ptx,sm=90a,file=k.ptx --compress=true
0 fatbinary --create=f2.fatbin --image3=kind=ptx,sm=90,file=k.ptx --compress-all --compress-mode=size
1 fatbinary --create=f2.fatbin --image3=kind=ptx,sm=90,file=k.ptx --compress-mode=bogus
0 fatbinary --create=f3.fatbin -c --image3=kind=ptx,sm=90,file=a.ptx
0 fatbinary --create=f3.fatbin -link --image3=kind=elf,sm=90,file=l.cubin --embedded-fatbin=f3.c
0 fatbinary --create=f4.fatbin --ident=k.cu --image3=kind=ptx,sm=90,file=k.ptx -g
0 bin2c --version
0 bin2c
0 bin2c bin.dat
0 bin2c -c -st -n data bin.dat
0 bin2c --const --name fatbin --type longlong bin.dat
0 bin2c -t short bin.dat
0 bin2c -t int -l bin.dat
1 bin2c -t double bin.dat
0 bin2c -p 0,0 bin.dat
0 bin2c --padd=0 -n x bin.dat
0 bin2c -a 16 -n x bin.dat
0 bin2c -s .mysec -n x bin.dat
1 bin2c missing.dat
0 bin2c empty.ptx
1 bin2c --bogus bin.dat
0 bin2c --stdint -t longlong -n x bin.dat
0 bin2c -t char -c -st -l --name k_len bin.dat
0 bin2c -p 300 bin.dat
0 bin2c -a 3 bin.dat
0 bin2c -n 1bad bin.dat
0 cuobjdump --version > /dev/null
0 cuobjdump
0 cuobjdump prog
0 cuobjdump -lelf prog
0 cuobjdump -lptx prog
0 cuobjdump --list-ptx k.o
0 cuobjdump -xelf all prog
0 cuobjdump -xptx all prog
0 cuobjdump -xptx all k2.o
0 cuobjdump -xelf sm_80 prog
0 cuobjdump -xptx bogus prog
1 cuobjdump -lelf missing
255 cuobjdump -lelf m.cu
0 cuobjdump -lelf k.cubin
0 cuobjdump -lptx k.cubin
0 cuobjdump -res-usage k.cubin
0 cuobjdump -res-usage prog
0 cuobjdump --dump-resource-usage k.o
0 cuobjdump -lelf f.fatbin
0 cuobjdump -lptx f.fatbin
0 cuobjdump -all -lelf prog
0 cuobjdump -lelf -arch sm_80 prog
0 cuobjdump -lelf -arch sm_75 prog
1 cuobjdump -arch bogus -lelf prog
1 cuobjdump --bogus prog
0 cuobjdump -lelf prog k2.o
0 cuobjdump -lelf libb.a
0 cuobjdump -lptx libb.a
LINES
echo "$count lines"

fatbinary --create=whole.fatbin --image3=kind=ptx,sm=90,file=k.ptx
echo '--- messages'
ptxas -arch=sm_90 bad.ptx -o none 2>&1 | grep ^ptxas
ptxas --bogus k.ptx 2>&1
ptxas -arch=sm_5000 k.ptx 2>&1
ptxas -arch=sm_90 -e missing k.ptx 2>&1
ptxas -arch=sm_80 k.ptx 2>&1
ptxas -optf opts.txt -arch=sm_90 k.ptx -o k.cubin 2>&1 | grep -c 'Compiling entry'
ptxas -arch=compute_90 k.ptx -o checked.cubin
ls checked.cubin 2>/dev/null
nvlink --arch=sm_90 a.o -o l.cubin 2>&1
cuobjdump libb.a | sed "s|$PWD|HERE|" | sed -n 2,4p
cuobjdump -xptx all libb.a | sed -n '$p' | cat -A
cuobjdump -res-usage big.cubin | sed -n '/Resource/,$p'
cuobjdump -lelf whole.fatbin 2>&1
fatbinary --create=x --image3=kind=elf,sm=90,file=k.ptx 2>&1

echo '--- a device link by hand'
nvlink -arch=sm_90 a.o m.o -r -o part.cubin
nvlink -arch=sm_90 part.cubin b.o -o whole.cubin && echo whole
nvlink -arch=sm_90 a.o b.o m.o --register-link-binaries=names.h -o l.cubin
sed 's/__nv_[0-9a-f]*/NAME/' names.h
fatbinary -link --create=l.fatbin --image3=kind=elf,sm=90,file=l.cubin --embedded-fatbin=l.c
gcc -c -x c -I. -DFATBINFILE='"l.c"' -DREGISTERLINKBINARYFILE='"names.h"' \
    "$build/nvcc/bin/crt/link.stub" -o stub.o
g++ a.o b.o m.o stub.o -o by-hand -L"$build/lib" -lcudart -Wl,-rpath,"$build/lib"
./by-hand

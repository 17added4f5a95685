# SPDX-License-Identifier: Apache-2.0
# The stand-ins of the toolkit's tools, from PTX to an object and back.
PATH=$build/nvcc/bin:$PATH
set -e
for tool in ptxas fatbinary nvlink bin2c cuobjdump nvprune cu++filt; do
    $tool --help | sed -n 1p
done
ptxas --version | grep -o 'release [0-9.]*'

ptx() { # NAME SM BODY
    printf '.version 7.1\n.target sm_%s\n.address_size 64\n%s\n' "$2" "$3" >"$1.ptx"
}
ptx a 75 '.extern .func (.param .b32 r) twice (.param .b32 x);
.visible .entry k(.param .u64 p) {
    .reg .b32 %r<3>; .reg .b64 %rd<2>;
    .shared .align 4 .b8 s[128];
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, 21;
    { .param .b32 x; .param .b32 r; st.param.b32 [x], %r1;
      call (r), twice, (x); ld.param.b32 %r2, [r]; }
    st.global.u32 [%rd1], %r2;
    bar.sync 0;
    ret;
}'
ptx b 75 '.visible .func (.param .b32 r) twice (.param .b32 x) {
    .reg .b32 %r<3>;
    ld.param.b32 %r1, [x]; add.u32 %r2, %r1, %r1; st.param.b32 [r], %r2; ret;
}'
ptx new 86 '.visible .entry k(.param .u64 p) { ret; }'
printf '%s\n' '--- ptxas'
ptxas -v -O3 -lineinfo -gno-tmem-access-check --gpu-name=sm_86 new.ptx -o new.cubin
ptxas -arch=sm_75 new.ptx -o none.cubin 2>&1 || echo "status $?"
ptxas a.ptx -o none.cubin 2>&1 || echo "status $?"
echo 'bad' | cat new.ptx - >bad.ptx
ptxas -arch sm_86 bad.ptx -o none.cubin 2>&1 || echo "status $?"
ptxas --gpu-nam=sm_86 new.ptx 2>&1 || echo "status $?"
ptxas -arch=sm_99 new.ptx 2>&1 || echo "status $?"
ptxas --sanitize=memcheck new.ptx 2>&1 || echo "status $?"
ptxas -c a.ptx -o a.cubin
ptxas -c b.ptx -o b.cubin
ls *.cubin
echo '--- nvlink'
nvlink -arch=sm_75 a.cubin b.ptx -o ab.cubin
nvlink -arch=sm_75 a.cubin -o none.cubin 2>&1 || echo "status $?"
"$weft" run --module 1 --kernel k --block 1 ab.cubin out:u32:1
echo '--- fatbinary'
fatbinary -64 --create=two.fatbin --ident=x.cu --image3=kind=elf,sm=75,file=ab.cubin \
    '--image3=kind=ptx,sm=86,file=new.ptx' --embedded-fatbin=two.c
gcc -c two.c -o two.o
ar rc libtwo.a two.o
cuobjdump -lptx -lelf libtwo.a 2>/dev/null | sed "s|$PWD|HERE|"
cuobjdump -ptx -arch sm_86 two.o
cuobjdump -xptx sm_75 two.fatbin
cmp <(cuobjdump -ptx -arch sm_75 two.fatbin | sed -n '/^\.version/,$p' | sed '$d') two.1.sm_75.ptx && echo same
cuobjdump -res-usage -arch sm_75 libtwo.a | sed "s|$PWD|HERE|"
cuobjdump -sass two.o 2>&1 || echo "status $?"
cuobjdump -lptx a.ptx 2>&1 || echo "status $?"
echo '--- nvprune'
nvprune -arch sm_86 libtwo.a -o libone.a
cuobjdump -lptx libone.a | sed "s|$PWD|HERE|"
nvprune -arch sm_90 libtwo.a -o none.a 2>&1 || echo "status $?"
echo '--- bin2c'
printf 'abcde' >five
bin2c --const --static --name five --padd 0,1 --type short --length five
bin2c -n five five | gcc -x c -c - -o five.o && echo compiles
echo '--- cu++filt'
cu++filt _Z1kPfi main
cu++filt -p _Z1kIfEvPT_i
echo 'a call of _Z3addii, here' | cu++filt
echo '--- nvidia-smi'
CUDA_VISIBLE_DEVICES=0 nvidia-smi -L | sed 's/: .* (UUID: GPU-[-0-9a-f]*)/: NAME (UUID)/'
nvidia-smi --query-gpu=index,compute_cap,memory.total,utilization.gpu --format=csv | sed 's/[0-9]* MiB/N MiB/; s/[0-9]* %/N %/'
nvidia-smi --query-gpu=index,compute_cap --format=csv,noheader,nounits
nvidia-smi --query-gpu=nonsense --format=csv 2>&1 || echo "status $?"
nvidia-smi --query-gpu=gpu_uuid,clocks.mem,fan.speed | sed 's/GPU-[-0-9a-f]*/GPU/'
nvidia-smi --query-gpu=name --format=xml || echo "status $?"
nvidia-smi --query-gpu=name -i 99 || echo "status $?"
(timeout 20 nvidia-smi -lms 20 --query-gpu=index,clocks.max.mem --format=csv,noheader | head -3) 2>&1
nvidia-smi -l 0 2>&1 || echo "status $?"
nvidia-smi -q -d TEMPERATURE | grep Current
nvidia-smi -q -d NOTHING || echo "status $?"
nvidia-smi -q -d MEMORY | sed -n 's/ *:.*//; /^    /p'
nvidia-smi -q -x -d MEMORY,COMPUTE | sed 's/<used>[0-9]* MiB/<used>N MiB/; s/[1-9][0-9]* MiB/N MiB/; s/>[A-Z][a-z][a-z] .* 20[0-9][0-9]</>DATE</; s/id="[^"]*"/id="BUS"/'
nvidia-smi -q -x | awk '/^\t*<[a-z0-9_]+>$/ || /<gpu id/ { open++; all++ } /^\t*<\/[a-z0-9_]+>$/ { open-- } END { print (all > 12), open }'
nvidia-smi -x 2>&1 || echo "status $?"
nvidia-smi dmon -c 1 | awk 'NR < 3 { print $1, $2, $3 }'
nvidia-smi | grep -c -e 'CUDA Version: 13.0' -e Processes:
nvidia-smi -q | grep -o 'Attached GPUs *: 1'

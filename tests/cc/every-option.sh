# SPDX-License-Identifier: Apache-2.0
# Every option of `nvcc --help` (13.0) by both of its names: taken, or refused with
# the reason. What a taken one does has tests of its own.
cp $here/hello.cu a.cu
: > options
try() { # option and its value, if it has one
    timeout 60 $weftcc "$@" --dryrun -o a a.cu > out 2> err && return
    echo "$1: $(head -n 1 err)"
}
cat > table << 'TABLE'
cuda cuda
cubin cubin
fatbin fatbin
ptx ptx
optix-ir optix-ir
ltoir ltoir
preprocess E
generate-dependencies M
generate-nonsystem-dependencies MM
generate-dependencies-with-compile MD
generate-nonsystem-dependencies-with-compile MMD
generate-dependency-targets MP
compile c
device-c dc
device-w dw
device-link dlink
link link
lib lib
run run
pre-include include a.h
objdir-as-tempdir objtemp
library l m
define-macro D A
undefine-macro U A
include-path I .
system-include isystem .
library-path L .
compiler-bindir ccbin g++
allow-unsupported-compiler allow-unsupported-compiler
archiver-binary arbin ar
cudart cudart static
cudadevrt cudadevrt none
libdevice-directory ldir .
target-directory target-dir x86_64-linux
use-local-env use-local-env
force-cl-env-setup force-cl-env-setup
profile pg
debug g
device-debug G
generate-line-info lineinfo
optimization-info opt-info inline
optimize O 2
Ofast-compile Ofc min
dopt dopt on
dlink-time-opt dlto
lto lto
gen-opt-lto gen-opt-lto
ftemplate-backtrace-limit ftemplate-backtrace-limit 5
ftemplate-depth ftemplate-depth 500
no-exceptions noeh
shared shared
x x cu
std std c++17
no-host-device-initializer-list nohdinitlist
no-host-device-move-forward nohdmoveforward
expt-relaxed-constexpr expt-relaxed-constexpr
extended-lambda extended-lambda
expt-extended-lambda expt-extended-lambda
machine m 64
m64 m64
compiler-options Xcompiler -Wall
linker-options Xlinker -s
archive-options Xarchive v
ptxas-options Xptxas -v
nvlink-options Xnvlink -v
static-global-template-stub static-global-template-stub true
device-entity-has-hidden-visibility device-entity-has-hidden-visibility true
forward-unknown-to-host-compiler forward-unknown-to-host-compiler
forward-unknown-to-host-linker forward-unknown-to-host-linker
forward-unknown-opts forward-unknown-opts
dont-use-profile noprof
dryrun dryrun
verbose v
threads t 2
split-compile split-compile 2
split-compile-extended split-compile-extended 2
fdevice-syntax-only fdevice-syntax-only
fdevice-time-trace fdevice-time-trace -
keep keep
keep-dir keep-dir .
save-temps save-temps
clean-targets clean
time time -
run-args run-args 1
input-drive-prefix idp /
dependency-drive-prefix ddp /
drive-prefix dp /
no-align-double .
no-device-link nodlink
gpu-architecture arch sm_80
gpu-code code sm_80
generate-code gencode arch=compute_80,code=sm_80
relocatable-device-code rdc true
entries e _Z6answerPi
maxrregcount maxrregcount 32
use_fast_math use_fast_math
ftz ftz true
prec-div prec-div false
prec-sqrt prec-sqrt false
fmad fmad false
extra-device-vectorization extra-device-vectorization
default-stream default-stream per-thread
disable-warnings w
keep-device-functions keep-device-functions
source-in-ptx src-in-ptx
restrict restrict
Wreorder Wreorder
Wdefault-stream-launch Wdefault-stream-launch
Wmissing-launch-bounds Wmissing-launch-bounds
Wext-lambda-captures-this Wext-lambda-captures-this
Wno-deprecated-declarations Wno-deprecated-declarations
Wno-deprecated-gpu-targets Wno-deprecated-gpu-targets
Werror Werror all-warnings
resource-usage res-usage
extensible-whole-program ewp
no-compress no-compress
qpp-config qpp-config 12,linux
compile-as-tools-patch astoolspatch
list-gpu-code code-ls
list-gpu-arch arch-ls
display-error-number err-no
no-display-error-number no-err-no
diag-error diag-error 1
diag-suppress diag-suppress 1
diag-warn diag-warn 1
host-linker-script hls use-lcs
augment-host-linker-script aug-hls
relocatable-link r
brief-diagnostics brief-diag true
jump-table-density jtd 10
relocatable-ptx reloc-ptx
device-stack-protector device-stack-protector true
compress-mode compress-mode size
frandom-seed frandom-seed 1
sanitize sanitize memcheck
jobserver jobserver
help h
version V
options-file optf options
TABLE
while read -r long short value; do
    [ -z "$value" ] || set -- "$value"
    try --$long "$@"
    [ $short = . ] || try -$short "$@"
    set --
done < table
# Each of an installed nvcc's is in the table.
nvcc=/usr/local/cuda/bin/nvcc
known=" dependency-output output-file output-directory dependency-target-name "
known+=$(sed 's/ .*//' table | tr '\n' ' ')
[ ! -x $nvcc ] || $nvcc --help | sed -nE 's/^--([^ ]+) .*/\1/p' |
    while read -r name; do
        case $known in
        *" $name "*) ;;
        *) echo "no row for --$name" ;;
        esac
    done

echo "--- what they do"
cat > parts.cu << 'C'
#include <cstdio>
__device__ int times(int x);
extern "C" __global__ void plain(int *p) { *p = 3; }
__global__ void far(int *p) { *p = times(*p); }
int main()
{
    int *p;
    cudaMallocManaged(&p, 4);
    plain<<<1, 1>>>(p);
    far<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    std::printf("%d\n", *p);
}
C
echo '__device__ int times(int x) { return x * 10; }' > times.cu
$weftcc -e plain,_Z3farPi -dc parts.cu && $weftcc -rdc=true -r parts.o times.cu -o both.o &&
    $weftcc -hls use-lcs both.o -o both && ./both
$weftcc -e plain,far -dc parts.cu
$weftcc -fdevice-time-trace trace -dc times.cu && grep -c traceEvents trace.json
$weftcc -hls gen-lcs
$weftcc -hls gen-lcs -o script && $weftcc both.o -Xlinker script -o more 2> /dev/null && ./more
$weftcc -hls gen-lcs both.o
$weftcc -sanitize=racecheck times.cu
exit 0

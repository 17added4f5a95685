# SPDX-License-Identifier: Apache-2.0
# The ways to write one option, and the options that only tune a GPU.
show() { # the words of the device pass that came from the options
    $weftcc --dryrun -c "$@" $here/hello.cu 2>&1 | grep -e --cuda-device-only |
        sed -E -e 's@.* (-std=[^ ]*).*LIST__=[0-9,]*(.*) -Xclang -target-feature@\1\2@' \
            -e 's@ -Xclang \+ptx[0-9]*.*__CUDA_PREC_SQRT=1(.*) -include cuda_runtime.h@\1@' \
            -e 's@ -Xclang -mlink-builtin-bitcode -Xclang [^ ]*(.*) -S .*@\1@' \
            -e 's@ -isystem /[^ ]*@@g'
}
show -DA -D B -DC=1,D=2 --define-macro E --define-macro=F
show -Ia -I b -I a,b --include-path=a -isystem sys --system-include=sys
show --std c++14
show -std=c++20
show -std=c++03
show -Xcompiler -DA,-DB -Xcompiler "-DC -DD" --compiler-options=-DE
show -D'S="a,b"'
echo '-DA
-DB="x"' > options
show --options-file options -optf=options
show -O3 -g -lineinfo -maxrregcount=32 -maxrregcount 32 -Xptxas -v,-O3 \
    --ptxas-options=-v -Xnvlink -v -Xcudafe --diag_suppress=1 -res-usage \
    --split-compile 2 -arch=compute_80 -gencode arch=compute_80,code=\"sm_80,compute_80\" \
    --generate-code=arch=compute_80,code=[sm_90a,compute_80] -code=sm_80,sm_90 \
    -diag-suppress 177,20012 --expt-extended-lambda -m64 -ccbin g++ -cudart static \
    -Wno-deprecated-gpu-targets -restrict -rdc=true -rdc false -t 2 -w
NVCC_PREPEND_FLAGS=-DA NVCC_APPEND_FLAGS=-DB show

# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# A makefile of the usual kind, that finds nvcc in PATH, or is told CUDA_PATH.
cat > Makefile <<'C'
CUDA_PATH ?= $(shell dirname $$(dirname $$(command -v nvcc)))
NVCC      := $(CUDA_PATH)/bin/nvcc -ccbin g++
NVCCFLAGS := -m64 -O3 -Xcompiler -fPIC,-Wall --threads 0 --std=c++11
GENCODE   := $(foreach sm,50 70 90,-gencode arch=compute_$(sm),code=sm_$(sm)) -gencode arch=compute_90,code=compute_90

all: with-nvcc with-cxx with-dlink
with-nvcc: kernel.o main.o
	$(NVCC) $(GENCODE) -o $@ $^
with-cxx: kernel.o main.o
	g++ -o $@ $^ -L$(CUDA_PATH)/lib64 -lcudart -Wl,-rpath,$(CUDA_PATH)/lib64 $(SANITIZERS)
with-dlink: whole.o main.o linked.o
	g++ -o $@ $^ -L$(CUDA_PATH)/lib64 -lcudart -lcudadevrt -Wl,-rpath,$(CUDA_PATH)/lib64 $(SANITIZERS)
linked.o: whole.o
	$(NVCC) $(GENCODE) -dlink -o $@ $^ -lcudadevrt
whole.o: kernel.cu
	$(NVCC) $(NVCCFLAGS) $(GENCODE) -dc -o $@ $<
%.o: %.cu
	$(NVCC) $(NVCCFLAGS) $(GENCODE) -MD -MF $*.d -c -o $@ $<
%.o: %.cpp
	g++ -I$(CUDA_PATH)/include -c -o $@ $<
C
sed 's/int main()/int run()/' $here/hello.cu > kernel.cu
printf '#include <cuda_runtime.h>\nint run();\nint main() { return run(); }\n' > main.cpp
PATH=$build/nvcc/bin:$PATH make SANITIZERS="$sanitizers" > log 2>&1 || tail -n 20 log
for program in with-nvcc with-cxx with-dlink; do ./$program; done
rm with-nvcc && make CUDA_PATH=$build/nvcc with-nvcc > log 2>&1 && ./with-nvcc

# SPDX-License-Identifier: Apache-2.0
# Makes a folder that build systems take for a CUDA toolkit, of links to weft's
# files. The build and `make install` both make one.
#
#   weft_make_toolkit(FOLDER BIN INCLUDE LIB VERSION)
#
# BIN, INCLUDE and LIB are weft's folders, as seen from FOLDER.
function(weft_make_toolkit folder bin include lib version)
  function(link target name)
    get_filename_component(place "${folder}/${name}" DIRECTORY)
    file(MAKE_DIRECTORY "${place}")
    file(CREATE_LINK "${target}" "${folder}/${name}" SYMBOLIC)
  endfunction()

  link(../${bin}/weftcc bin/nvcc)
  foreach(tool ptxas fatbinary nvlink bin2c cuobjdump nvprune cu++filt
          nvidia-smi compute-sanitizer cuda-memcheck nsys ncu nvprof cuda-gdb)
    link(../${bin}/weft-toolkit bin/${tool})
  endforeach()
  link(${include} include)
  link(${lib} lib64)
  link(${lib} lib)
  link(../../${include} targets/x86_64-linux/include)
  link(../../${lib} targets/x86_64-linux/lib)
  link(../../${lib}/libnvvm.so.4 nvvm/lib64/libnvvm.so.4)
  link(../../${lib}/libnvvm.so nvvm/lib64/libnvvm.so)
  link(../../${include}/nvvm.h nvvm/include/nvvm.h)
  # The device library, under the name that compilers look for.
  link(../../${lib}/weft-device.bc nvvm/libdevice/libdevice.10.bc)
  link(../../${include}/weft/link.stub bin/crt/link.stub)
  # Toolkits had it before version.json; Meson reads it.
  file(WRITE "${folder}/version.txt" "CUDA Version ${version}\n")
  file(WRITE "${folder}/version.json" "{
  \"cuda\": { \"name\": \"CUDA SDK\", \"version\": \"${version}\" },
  \"cuda_cudart\": { \"name\": \"CUDA Runtime (cudart)\", \"version\": \"${version}\" },
  \"cuda_nvcc\": { \"name\": \"CUDA NVCC\", \"version\": \"${version}\" },
  \"cuda_nvrtc\": { \"name\": \"CUDA NVRTC\", \"version\": \"${version}\" }
}
")
endfunction()

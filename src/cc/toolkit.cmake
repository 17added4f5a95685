# SPDX-License-Identifier: Apache-2.0
# A folder of the shape that build systems know as a CUDA toolkit, of links to
# where things really are. The build and `make install` both make one.
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
  # The device library, under the name that others look for.
  link(../../${lib}/weft-device.bc nvvm/libdevice/libdevice.10.bc)
  # Bazel asks for it; weftcc's device link needs none.
  file(WRITE "${folder}/bin/crt/link.stub"
       "/* weftcc makes what a device link needs by itself. */\n")
  # Where toolkits said it before they had version.json; Meson looks here.
  file(WRITE "${folder}/version.txt" "CUDA Version ${version}\n")
  file(WRITE "${folder}/version.json" "{
  \"cuda\": { \"name\": \"CUDA SDK\", \"version\": \"${version}\" },
  \"cuda_cudart\": { \"name\": \"CUDA Runtime (cudart)\", \"version\": \"${version}\" },
  \"cuda_nvcc\": { \"name\": \"CUDA NVCC\", \"version\": \"${version}\" },
  \"cuda_nvrtc\": { \"name\": \"CUDA NVRTC\", \"version\": \"${version}\" }
}
")
endfunction()

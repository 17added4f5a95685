#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Which folder of src/ may include which other's headers and tables: arrows point
# one way, and LLVM is known to emit, codegen and nvvm (docs/architecture.md).
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
failed=0

may_include() { # FOLDER
    case $1 in
    base | abi) ;;
    cache | fatbin) echo base ;;
    ptx) echo abi base ;;
    link) echo base ptx ;;
    simt) echo abi base ptx ;;
    emit) echo abi base ptx simt ;;
    jit) echo abi base cache ptx simt ;;
    codegen) echo abi base emit jit ptx simt ;;
    emu) echo abi base ptx ;;
    exec) echo abi base ;;
    core) echo abi base cache emit emu exec fatbin jit link ptx simt ;;
    cc) echo abi base cache fatbin link ptx ;;
    nvrtc) echo base cache cc ;;
    lib) echo base core fatbin ;;
    *) echo abi base cache core emu exec fatbin jit link ptx simt ;; # doors, tools
    esac
}

# Rows: the including file, the folder that it includes from.
while read -r file to; do
    from=${file#src/} from=${from%%/*}
    [ "$from" = "$to" ] && continue
    [ -d "src/$to" ] || continue # include/ has folders too
    case " $(may_include "$from") " in
    *" $to "*) continue ;;
    esac
    echo "$file: $from/ may not include what is $to/'s"
    failed=1
done < <(grep -roE '^ *#include "[a-z0-9_]+/' --include='*.[ch]' --include='*.def' src |
    sed -E 's@^([^:]*):.*"([^/]*)/@\1 \2@')

# nvvm takes LLVM code from programs. From emit, core takes a table; the rest of emit needs LLVM.
while IFS=: read -r file _; do
    echo "$file: includes a header of emit/"
    failed=1
done < <(grep -rE '^#include "emit/.*\.h"' --include='*.[ch]' src |
    grep -vE '^src/(emit|codegen|nvvm)/')
while IFS=: read -r file _; do
    echo "$file: includes LLVM"
    failed=1
done < <(grep -rE '^#include <llvm' --include='*.[ch]' src |
    grep -vE '^src/(emit|codegen|nvvm)/')

exit $failed

# SPDX-License-Identifier: Apache-2.0
# A program that runs with its owner's rights asks no variable of its caller's
# where code is to be loaded from.
export CUDA_CACHE_PATH=$PWD/cache WEFT_LIB_DIR=$PWD/lib
mkdir cache lib
$weft info | grep -c "code cache .*$PWD/cache"
own() { cp "$1" "$2" && chown 65534 "$2" && chmod 4755 "$2"; }
own "$(command -v id)" id 2> /dev/null && [ "$(./id -u)" = 65534 ] ||
    { echo "no set-user-id program can be made or run here"; exit 77; }
own "$weft" weft
./weft info | grep -o 'code cache .*'

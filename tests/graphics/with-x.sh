#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a program with an X server of its own:  with-x.sh program arguments...
command -v Xvfb >/dev/null || {
    echo "skipped: no Xvfb"
    exit 77
}
exec 3< <(exec Xvfb -displayfd 1 -screen 0 256x256x24 -nolisten tcp 2>/dev/null)
server=$!
trap 'kill $server 2>/dev/null' EXIT
read -r -t 20 display <&3 || {
    echo "skipped: Xvfb does not start"
    exit 77
}
DISPLAY=:$display "$@"
status=$?
exit $status

# SPDX-License-Identifier: Apache-2.0
"""Steps of a client's test: each says ok, or why not; one that fails is a
failure of the whole unless it is known to."""
import sys

failed = []


def step(name, known=None):
    def run(f):
        try:
            f()
        except Exception as e:
            reason = " ".join(str(e).split())[:300]
            print(f"{name}: {'known to fail' if known else 'FAILED'}: "
                  f"{type(e).__name__}: {reason}", flush=True)
            if not known:
                failed.append(name)
        else:
            print(f"{name}: ok" + (" (was known to fail)" if known else ""),
                  flush=True)
    return run


def end():
    sys.exit(1 if failed else 0)

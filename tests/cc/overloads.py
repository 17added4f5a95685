#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The device functions of the global namespace in a dump of clang's tree:
a line for each name, its parameters' types behind it. With a list of this form
as argument, how the dump differs from that."""
import re
import sys

NODE = re.compile(r"^([ |`-]*)(\w+Decl|CUDADeviceAttr)\b(.*)$")
PLACE = re.compile(r"<(?:[^<>]|<[^<>]*>)*>")


def plain(types):
    """Without what makes no other overload."""
    types = re.sub(r"\) (noexcept|throw|__attribute__)\(.*", "", types)
    types = re.sub(r".*::_*type \(", "", types).replace("_T", "T")
    types = re.sub(r"\b(unsigned|signed) long\b(?! long)", "size_t", types)
    types = re.sub(r"\*\s*(const|__restrict)\b", "*", types)
    one = [re.sub(r"^const (\w+( \w+)*)$", r"\1", t.strip())
           for t in types.split(",")]
    return ", ".join(one).replace("enum ", "").replace("struct ", "")


def functions(lines):
    kinds, found, last = {}, {}, None
    for line in lines:
        m = NODE.match(line)
        if not m:
            continue
        depth, kind, rest = len(m[1]), m[2], m[3]
        if kind == "CUDADeviceAttr":
            if last and depth == last[0] + 2:
                found.setdefault(last[1], set()).add(last[2])
            continue
        if last and depth > last[0]:
            continue
        kinds[depth] = kind
        outer = {kinds[d] for d in range(2, depth, 2) if d in kinds}
        last = None
        if kind != "FunctionDecl" or "implicit " in rest.split("'")[0] or \
           outer - {"LinkageSpecDecl", "FunctionTemplateDecl"}:
            continue
        text = PLACE.sub("", rest, count=1)
        f = re.search(r"(\S+) '[^'(]*\((.*?)\)[^()']*'", text)
        if f and not re.match(r"_*(weft|nv_|nvvm|clang|cuda|internal)|operator",
                              f[1]):
            last = (depth, f[1], plain(f[2]))
    return found


def show(name, sets):
    return name + ": " + " | ".join(sorted(sets))


def main():
    ours = functions(sys.stdin)
    if len(sys.argv) < 2:
        print("\n".join(show(n, s) for n, s in sorted(ours.items())))
        return
    cuda = {}
    for line in open(sys.argv[1]):
        name, _, sets = line.rstrip("\n").partition(": ")
        cuda[name] = set(sets.split(" | "))
    for name in sorted(ours.keys() & cuda.keys()):
        for sign, sets in (("+", ours[name] - cuda[name]),
                           ("-", cuda[name] - ours[name])):
            if sets:
                print(sign, show(name, sets))
    print("missing:", " ".join(sorted(cuda.keys() - ours.keys())))
    print("more:", " ".join(sorted(ours.keys() - cuda.keys())))


main()

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intrinsics of NVVM that LLVM has in another form. Calls of the first name go
 * to the second, a function that is defined here and inlined: its switch over
 * the mode, a constant, then leaves one instruction.
 */
#ifndef WEFT_NVVM_PRELUDE_H
#define WEFT_NVVM_PRELUDE_H

static const char *const nvvm_renamed[][2] = {
    {"llvm.nvvm.shfl.sync.i32", "weft_nvvm_shfl_sync_i32"},
    {"llvm.nvvm.vote.sync", "weft_nvvm_vote_sync"},
    {"llvm.nvvm.match.all.sync.i32", "weft_nvvm_match_all_sync_i32"},
    {"llvm.nvvm.match.all.sync.i64", "weft_nvvm_match_all_sync_i64"},
};

/* Modes from 0 on: idx, up, down, bfly of shfl; all, any, uni, ballot of
 * vote. */
static const char nvvm_prelude[] =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "declare {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32, i32, i32, i32)\n"
    "declare {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32, i32, i32, i32)\n"
    "declare {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32)\n"
    "declare {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32, i32, i32, i32)\n"
    "declare i1 @llvm.nvvm.vote.all.sync(i32, i1)\n"
    "declare i1 @llvm.nvvm.vote.any.sync(i32, i1)\n"
    "declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)\n"
    "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)\n"
    "declare {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32, i32)\n"
    "declare {i32, i1} @llvm.nvvm.match.all.sync.i64p(i32, i64)\n"
    "define {i32, i1} @weft_nvvm_shfl_sync_i32(i32 %mask, i32 %mode, i32 %a,\n"
    "    i32 %b, i32 %c) alwaysinline convergent {\n"
    "  switch i32 %mode, label %idx\n"
    "    [ i32 1, label %up i32 2, label %down i32 3, label %bfly ]\n"
    "idx:\n"
    "  %i = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 %mask, i32 %a,\n"
    "      i32 %b, i32 %c) convergent\n"
    "  ret {i32, i1} %i\n"
    "up:\n"
    "  %u = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 %mask, i32 %a,\n"
    "      i32 %b, i32 %c) convergent\n"
    "  ret {i32, i1} %u\n"
    "down:\n"
    "  %d = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 %mask, i32 %a,\n"
    "      i32 %b, i32 %c) convergent\n"
    "  ret {i32, i1} %d\n"
    "bfly:\n"
    "  %x = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 %mask, i32 %a,\n"
    "      i32 %b, i32 %c) convergent\n"
    "  ret {i32, i1} %x\n"
    "}\n"
    "define {i32, i1} @weft_nvvm_vote_sync(i32 %mask, i32 %mode, i1 %p)\n"
    "    alwaysinline convergent {\n"
    "  switch i32 %mode, label %all\n"
    "    [ i32 1, label %any i32 2, label %uni i32 3, label %ballot ]\n"
    "all:\n"
    "  %a = call i1 @llvm.nvvm.vote.all.sync(i32 %mask, i1 %p) convergent\n"
    "  br label %flag\n"
    "any:\n"
    "  %n = call i1 @llvm.nvvm.vote.any.sync(i32 %mask, i1 %p) convergent\n"
    "  br label %flag\n"
    "uni:\n"
    "  %u = call i1 @llvm.nvvm.vote.uni.sync(i32 %mask, i1 %p) convergent\n"
    "  br label %flag\n"
    "flag:\n"
    "  %f = phi i1 [ %a, %all ], [ %n, %any ], [ %u, %uni ]\n"
    "  %r = insertvalue {i32, i1} zeroinitializer, i1 %f, 1\n"
    "  ret {i32, i1} %r\n"
    "ballot:\n"
    "  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %p) convergent\n"
    "  %s = insertvalue {i32, i1} zeroinitializer, i32 %b, 0\n"
    "  ret {i32, i1} %s\n"
    "}\n"
    "define {i32, i1} @weft_nvvm_match_all_sync_i32(i32 %mask, i32 %value)\n"
    "    alwaysinline convergent {\n"
    "  %r = call {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32 %mask,\n"
    "      i32 %value) convergent\n"
    "  ret {i32, i1} %r\n"
    "}\n"
    "define {i32, i1} @weft_nvvm_match_all_sync_i64(i32 %mask, i64 %value)\n"
    "    alwaysinline convergent {\n"
    "  %r = call {i32, i1} @llvm.nvvm.match.all.sync.i64p(i32 %mask,\n"
    "      i64 %value) convergent\n"
    "  ret {i32, i1} %r\n"
    "}\n";

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which line of the PTX each machine instruction comes from, where the PTX
 * itself says which lines it comes from (-lineinfo): a fault's place leads to
 * its line by that. The lines travel as LLVM's debug locations, which do not
 * change the code, and end as DWARF's table of lines in the object
 * (src/jit/lines.c reads it).
 */
#include "emit/core/lines.h"

#include <llvm-c/DebugInfo.h>

/* A table of lines needs at least one file. */
static const char file_name[] = "ptx";

static void add_flag(struct emit *e, const char *name, unsigned value)
{
    LLVMAddModuleFlag(e->module, LLVMModuleFlagBehaviorWarning, name,
                      strlen(name),
                      LLVMValueAsMetadata(LLVMConstInt(e->i32, value, 0)));
}

void emit_lines_begin(struct emit *e)
{
    if (!e->ptx->file_count)
        return;
    add_flag(e, "Debug Info Version", LLVMDebugMetadataVersion());
    add_flag(e, "Dwarf Version", 4);
    e->lines = LLVMCreateDIBuilder(e->module);
    e->lines_file = LLVMDIBuilderCreateFile(e->lines, file_name,
                                            sizeof file_name - 1, "", 0);
    LLVMDIBuilderCreateCompileUnit(
        e->lines, LLVMDWARFSourceLanguageC, e->lines_file, "weft", 4, true, "",
        0, 0, "", 0, LLVMDWARFEmissionLineTablesOnly, 0, false, false, "", 0,
        "", 0);
}

/* The scope of the function that is being built, made at its first line. */
static LLVMMetadataRef scope_of(struct emit *e, LLVMValueRef function)
{
    LLVMMetadataRef scope = LLVMGetSubprogram(function);
    if (scope)
        return scope;
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(
        e->lines, e->lines_file, NULL, 0, LLVMDIFlagZero);
    scope = LLVMDIBuilderCreateFunction(e->lines, e->lines_file, name, length,
                                        "", 0, e->lines_file, 1, type, false,
                                        true, 1, LLVMDIFlagZero, true);
    LLVMSetSubprogram(function, scope);
    return scope;
}

void emit_set_line(struct emit *e, const struct ptx_inst *inst)
{
    LLVMMetadataRef place = NULL;
    if (!e->lines)
        return;
    if (inst) {
        LLVMValueRef function =
            LLVMGetBasicBlockParent(LLVMGetInsertBlock(e->b));
        place = LLVMDIBuilderCreateDebugLocation(
            e->cx, inst->line, 0, scope_of(e, function), NULL);
    }
    LLVMSetCurrentDebugLocation2(e->b, place);
}

void emit_go_back(struct emit *e, LLVMBasicBlockRef here)
{
    LLVMPositionBuilderAtEnd(e->b, here);
    emit_set_line(e, e->f->at.inst);
}

/* If the builder has been elsewhere in between, it has lost the location: that
 * of the previous instruction is used. Locations that were made in another
 * function have a wrong scope, and a call must have a location. */
static LLVMMetadataRef correct_location(struct emit *e, LLVMValueRef inst,
                                        LLVMMetadataRef scope,
                                        LLVMMetadataRef before)
{
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(inst);
    if (place && LLVMDILocationGetScope(place) == scope)
        return place;
    if (!before && scope && LLVMGetInstructionOpcode(inst) == LLVMCall)
        LLVMInstructionSetDebugLoc(
            inst, LLVMDIBuilderCreateDebugLocation(e->cx, 0, 0, scope, NULL));
    else if (before || place)
        LLVMInstructionSetDebugLoc(inst, before);
    return before;
}

void emit_lines_end(struct emit *e)
{
    if (!e->lines)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f;
         f = LLVMGetNextFunction(f)) {
        LLVMMetadataRef scope = LLVMGetSubprogram(f);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
             b = LLVMGetNextBasicBlock(b)) {
            LLVMMetadataRef place = NULL;
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
                 i = LLVMGetNextInstruction(i))
                place = correct_location(e, i, scope, place);
        }
    }
    LLVMDIBuilderFinalize(e->lines);
    LLVMDisposeDIBuilder(e->lines);
    e->lines = NULL;
}

/* Gradients of variables by resource: those of their handles are gradients of what they hold. */
#include "grad/words.h"

GRAD(ReadVariableOp) { g->dx[0] = g->dy[0]; } /* IndexedSlices stay such */
GRAD(ResourceGather) {
    if (!wants(0)) return;
    struct sl_term whole = emit_with(ATTRS(TYPE("out_type", SL_INT32)), "VariableShape", x(0));
    if (attr_int("batch_dims") != 0) {
        sl_rule_fail(g, SL_UNIMPLEMENTED, "Gathering from a variable in batches");
        return;
    }
    struct sl_term row = emit("Slice", whole, ints(1), ints(-1)), n = reshape(emit("Size", x(1)), ints(1));
    g->dx[0] = (struct sl_term_gradient){.values = reshape(dy(0), emit("ConcatV2", n, row, i32(0))),
                                         .indices = reshape(x(1), ints(-1)),
                                         .dense_shape = whole};
}
GRAD(ResourceGatherNd) {
    if (!wants(0)) return;
    struct sl_term whole = emit_with(ATTRS(TYPE("out_type", dtype(x(1)))), "VariableShape", x(0));
    struct sl_shape of = known_shape(x(1));
    if (of.rank == 2 && of.dims[1] == 1) { /* whole rows */
        g->dx[0] = (struct sl_term_gradient){.values = dy(0), .indices = reshape(x(1), ints(-1)), .dense_shape = whole};
        return;
    }
    WRT(0) = emit("ScatterNd", x(1), dy(0), whole);
}

RULES(variable) = {
    /* clang-format off */
    RULE(ReadVariableOp) RULE(ResourceGather) RULE(ResourceGatherNd)
    NO_GRAD(Assign) NO_GRAD(AssignAdd) NO_GRAD(AssignAddVariableOp) NO_GRAD(AssignSub) NO_GRAD(AssignSubVariableOp)
    NO_GRAD(AssignVariableOp) NO_GRAD(DeleteSessionTensor) NO_GRAD(GetSessionHandle) NO_GRAD(GetSessionHandleV2)
    NO_GRAD(GetSessionTensor) NO_GRAD(IsVariableInitialized) NO_GRAD(VarHandleOp) NO_GRAD(VarIsInitializedOp)
    NO_GRAD(Variable) NO_GRAD(VariableShape) NO_GRAD(VariableV2)
    UNDEFINED(DestroyTemporaryVariable) UNDEFINED(MutexLock) UNDEFINED(StridedSliceAssign) UNDEFINED(_ReadVariablesOp)
    RULES_END
    /* clang-format on */
};

/* How large an _ElementwiseProgram may be: who makes one (passes/optimise/fuse_elementwise.c) and who runs it
 * (backends/cpu/math/elementwise_program_cpu.c) must agree. */
#ifndef SL_OPS_ELEMENTWISE_PROGRAM_H
#define SL_OPS_ELEMENTWISE_PROGRAM_H

enum { SL_ELEMENTWISE_INPUTS = 8, SL_ELEMENTWISE_STEPS = 16 };

#endif
